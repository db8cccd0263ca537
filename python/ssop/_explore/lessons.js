// Calls to begin with, each with what is to be seen in it. `words` are those of an address.

export const FIRST = { shape: "6,8", begin: "0,1", end: "0,7", strides: "-2,2", masks: "1,1,0,0,0" };

export const LESSONS = [
  { name: "Two axes, one of them backwards", words: FIRST,
    hint: "This is x[::-2, 1:7:2]. Each column under Entries is one item of the index. An item without a number, as in ::-2, is a bit of begin_mask or end_mask." },
  { name: "One axis: begin, end, stride", words: { shape: "8", begin: "1", end: "5", strides: "2" },
    hint: "This is x[1:5:2]. Switch on begin_mask, then end_mask: each replaces a number that you see by the end of the axis." },
  { name: "begin_mask and end_mask", words: { shape: "8", begin: "3", end: "2", strides: "-1", masks: "1,1,0,0,0" },
    hint: "With a negative stride, a masked begin is the last element, and a masked end is behind element 0. Change the stride to 1 and see both bounds change sides." },
  { name: "Bounds outside the axis", words: { shape: "5,5", begin: "-9,-2", end: "9,99", strides: "1,1" },
    hint: "Step through the stages: the length of the axis is added once to a negative bound, then bounds are clamped. An index with shrink_axis_mask is not clamped." },
  { name: "shrink_axis_mask drops an axis", words: { shape: "4,6", begin: "2,1", end: "0,5", strides: "1,1", masks: "0,0,0,0,1" },
    hint: "This is x[2, 1:5]. Entry 0 takes one element; its end is ignored, and so are its bits of begin_mask and end_mask." },
  { name: "new_axis_mask adds an axis", words: { shape: "4,6", begin: "1,0,2", end: "3,0,6", strides: "1,1,2", masks: "0,0,0,2,0" },
    hint: "Entry 1 stands for no axis of the input: entry 2 is about axis 1. The numbers of entry 1 are ignored." },
  { name: "ellipsis_mask covers what is left", words: { shape: "2,3,4,5", begin: "1,0,2", end: "2,0,5", strides: "1,1,1", masks: "0,0,2,0,1" },
    hint: "This is x[1, ..., 2:5]. The ellipsis keeps whole as many axes as no other entry needs. Remove entry 2 and see." },
  { name: "Two masks on one entry", words: { shape: "4,6", begin: "1,1", end: "3,5", strides: "1,2", masks: "0,0,0,1,1" },
    hint: "Entry 0 is a new axis and shrunk. Only one can be: see which bit is ignored, then add ellipsis_mask." },
  { name: "A masked begin on a shrunk axis", words: { shape: "5", begin: "3", end: "4", strides: "1", masks: "1,0,0,0,1" },
    hint: "TensorFlow ignores begin_mask here and TFLite does not. Choose its rules and compare." },
  { name: "An empty result", words: { shape: "5,4", begin: "3,0", end: "0,4", strides: "1,1" },
    hint: "Axis 0 is empty: its end lies before its begin. The result says which bit or which stride would fill it." },
  { name: "An error, and the nearest call", words: { shape: "5,4", begin: "7,0", end: "8,4", strides: "1,1", masks: "0,0,0,0,1" },
    hint: "A range outside its axis is empty, but an index outside it is an error. Use the nearest call that works, or switch off shrink_axis_mask." },
  { name: "Everything at once", words: { shape: "6,3,4,10", begin: "0,0,2,2", end: "3,2,4,8", strides: "1,1,1,1", masks: "0,0,8,9,4" },
    hint: "A new axis, a range, a shrunk axis, and an ellipsis whose bit of new_axis_mask is ignored. Step through the stages one by one." },
];
