"""One broken call for every rule of Gather and Scatter, and what its error must say."""

import numpy as np

from ssop import xla
from unit.error_case import Case

X, AT, U = np.arange(12).reshape(3, 4), np.array([0, 2]), np.ones((2, 4), int)
F, I2, U3, W = np.zeros(2), np.zeros((3, 1), int), np.ones((3, 4), int), np.ones((2, 5), int)
ROWS = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}
UPDATES = {
    "update_window_dims": [1], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1,
}  # fmt: skip

CASES = [
    Case("ga_c1", "xla.gather", (xla.gather, X, F, [1, 4],
         ROWS),
         "start_indices has dtype float64, not integers: Gather indices parameter must be an integral "
         "tensor; got f64[2].",
         value=np.dtype('float64')),
    Case("ga_c2", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "index_vector_dim": 2}),
         "index_vector_dim is 2, not in 0..1: Gather index leaf dimension must be within [0, "
         "rank(start_indices) + 1). rank(start_indices) is 1 and gather index leaf dimension is 2.",
         value=2, allowed=(0, 1)),
    Case("ga_c2", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "index_vector_dim": -1}),
         "index_vector_dim is -1, not in 0..1: Gather index leaf dimension must be within [0, "
         "rank(start_indices) + 1). rank(start_indices) is 1 and gather index leaf dimension is -1.",
         value=-1, allowed=(0, 1)),
    Case("ga_c3", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "offset_dims": [1, 0]}),
         "offset_dims is not in ascending order, entry 1 is 0: Output window dimensions in gather op must "
         "be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("ga_c3", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "offset_dims": [1, 1]}),
         "offset_dims is not in ascending order, entry 1 is 1: Output window dimensions in gather op must "
         "not repeat; got: 1, 1.",
         entry=1, value=1),
    Case("ga_c3", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "offset_dims": [2]}),
         "offset_dims entry 0 is 2, not in 0..1: Offset dimension 0 in gather op is out of bounds; got 2, "
         "but should have been in [0, 2).",
         entry=0, value=2, allowed=(0, 1)),
    Case("ga_c4", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "start_index_map": [0, 1]}),
         "start_index_map has 2 entries, not 1: Gather op has 2 elements in start_index_map and the bound "
         "of dimension index_vector_dim=1 of start_indices is 1. These two numbers must be equal.",
         value=2, allowed=(1, 1)),
    Case("ga_c5", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "start_index_map": [2]}),
         "start_index_map entry 0 is 2, not in 0..1: Invalid start_index_map; domain is [0, 2), got: 0->2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("ga_c5", "xla.gather", (xla.gather, X, np.zeros((2, 2), int), [1, 4],
         {**ROWS, "start_index_map": [0, 0]}),
         "start_index_map entry 1 is 0 again: Repeated dimensions are not allowed in start_index_map; got: "
         "0, 0.",
         entry=1, value=0),
    Case("ga_c5", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [0], "collapsed_slice_dims": []}),
         "start_index_map and operand_batching_dims both have 0",
         value=0),
    Case("ga_c6", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "collapsed_slice_dims": [1, 0]}),
         "collapsed_slice_dims is not in ascending order, entry 1 is 0: collapsed_slice_dims in gather op "
         "must be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("ga_c6", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "collapsed_slice_dims": [0, 0]}),
         "collapsed_slice_dims is not in ascending order, entry 1 is 0: collapsed_slice_dims in gather op "
         "must not repeat; got: 0, 0.",
         entry=1, value=0),
    Case("ga_c6", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "collapsed_slice_dims": [2]}),
         "collapsed_slice_dims entry 0 is 2, not in 0..1: Invalid collapsed_slice_dims set in gather op; "
         "valid range is [0, 2), got: 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("ga_c7", "xla.gather", (xla.gather, X, np.zeros((3, 0), int), [1, 4],
         {**ROWS, "operand_batching_dims": [1, 0], "start_indices_batching_dims": [0, 1],
          "collapsed_slice_dims": [], "start_index_map": []}),
         "operand_batching_dims is not in ascending order, entry 1 is 0: operand_batching_dims in gather op "
         "must be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("ga_c7", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [2], "start_indices_batching_dims": [0],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "operand_batching_dims entry 0 is 2, not in 0..1: Invalid operand_batching_dims set in gather op; "
         "valid range is [0, 2), got: 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("ga_c7", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [2],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "start_indices_batching_dims entry 0 is 2, not in 0..1: Invalid start_indices_batching_dims set in "
         "gather op; valid range is [0, 2), got: 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("ga_c7", "xla.gather", (xla.gather, X, np.zeros((3, 0), int), [1, 4],
         {**ROWS, "operand_batching_dims": [0, 1], "start_indices_batching_dims": [0, 0],
          "collapsed_slice_dims": [], "start_index_map": []}),
         "start_indices_batching_dims entry 1 is 0 again: Repeated dimensions are not allowed in "
         "start_indices_batching_dims; got: 0, 0.",
         entry=1, value=0),
    Case("ga_c7", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "start_indices_batching_dims has 0 entries, and operand_batching_dims 1",
         value=0, allowed=(1, 1)),
    Case("ga_c7", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [0],
          "collapsed_slice_dims": [0], "start_index_map": [1]}),
         "operand_batching_dims and collapsed_slice_dims both have 0",
         value=0),
    Case("ga_c7", "xla.gather", (xla.gather, X, I2, [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [1],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "start_indices_batching_dims has 1, which is index_vector_dim",
         value=1),
    Case("ga_c7", "xla.gather", (xla.gather, X, np.zeros((2, 1), int), [1, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [0],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "axis 0 of operand has length 3, and axis 0 of start_indices 2, which must be the same",
         axis=0, value=3),
    Case("ga_c8", "xla.gather", (xla.gather, X, AT, [1],
         ROWS),
         "slice_sizes has 1 entries, not 2: Gather op must have one slice size for every input dimension; "
         "got: len(slice_sizes)=1, input_shape.rank=2.",
         value=1, allowed=(2, 2)),
    Case("ga_c9", "xla.gather", (xla.gather, X, AT, [1, 4],
         {**ROWS, "collapsed_slice_dims": []}),
         "the operand has 2 axes, and offset_dims, collapsed_slice_dims and operand_batching_dims name 1: "
         "All components of the offset index in a gather op must either be a offset dimension or explicitly "
         "collapsed/batching; got len(slice_sizes)=2, output_slice_sizes=1, collapsed_slice_dims=, "
         "operand_batching_dims=.",
         value=1, allowed=(2, 2)),
    Case("ga_c10", "xla.gather", (xla.gather, X, AT, [1, 5],
         ROWS),
         "slice_sizes entry 1, of axis 1, is 5, not in 0..4: Slice size at index 1 in gather op is out of "
         "range, must be within [0, 5), got 5.",
         axis=1, entry=1, value=5, allowed=(0, 4)),
    Case("ga_c10", "xla.gather", (xla.gather, X, AT, [-1, 4],
         ROWS),
         "slice_sizes entry 0, of axis 0, is -1, not in 0..3: Slice size at index 0 in gather op is out of "
         "range, must be within [0, 4), got -1.",
         axis=0, entry=0, value=-1, allowed=(0, 3)),
    Case("ga_c11", "xla.gather", (xla.gather, X, AT, [2, 4],
         ROWS),
         "slice_sizes entry 0, of axis 0, is 2, not 0 or 1: Gather op can only collapse slice dims with "
         "bound 1 or 0, but bound is 2 for index 0 at position 0.",
         axis=0, entry=0, value=2, allowed=(0, 1)),
    Case("ga_c11", "xla.gather", (xla.gather, X, I2, [2, 4],
         {**ROWS, "operand_batching_dims": [0], "start_indices_batching_dims": [0],
          "collapsed_slice_dims": [], "start_index_map": [1]}),
         "slice_sizes entry 0, of axis 0, is 2, not 0 or 1: Gather op can only have operand batching dims "
         "with bound 1 or 0, but bound is 2 for index 0 at position 0.",
         axis=0, entry=0, value=2, allowed=(0, 1)),
    Case("ga_c12", "xla.gather", (xla.gather, X, AT, [0, 4],
         ROWS),
         "slice_sizes entry 0, of axis 0, is 0, not 1, and the result is not empty",
         axis=0, entry=0, value=0, allowed=(1, 1)),
    Case("sct_c1", "xla.scatter", (xla.scatter, X, F, U,
         UPDATES),
         "scatter_indices has dtype float64, not integers: Scatter indices parameter must be an integral "
         "tensor; got f64[2].",
         value=np.dtype('float64')),
    Case("sct_c2", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "index_vector_dim": 3}),
         "index_vector_dim is 3, not in 0..1: Scatter index leaf dimension must be within [0, "
         "rank(scatter_indices) + 1). rank(scatter_indices) is 1 and scatter index leaf dimension is 3.",
         value=3, allowed=(0, 1)),
    Case("sct_c3", "xla.scatter", (xla.scatter, (X, X), AT, (U,),
         UPDATES),
         "2 operands and 1 updates: Invalid argument count of scatter op: Expected 5, saw 4",
         value=1, allowed=(2, 2)),
    Case("sct_c4", "xla.scatter", (xla.scatter, (X, X[1:]), AT, (U, U),
         UPDATES),
         "operands entry 1 has shape (2, 4), and entry 0 (3, 4), which must be the same",
         entry=1, value=(2, 4)),
    Case("sct_c4", "xla.scatter", (xla.scatter, (X, X), AT, (U, U[1:]),
         UPDATES),
         "updates entry 1 has shape (1, 4), and entry 0 (2, 4), which must be the same",
         entry=1, value=(1, 4)),
    Case("sct_c5", "xla.scatter", (xla.scatter, X, AT, U.astype('i2'),
         UPDATES),
         "updates entry 0 has dtype int16, not int64; updates.astype(..) converts it",
         entry=0, value=np.dtype('int16')),
    Case("sct_c6", "xla.scatter", (xla.scatter, X, AT, U[0],
         UPDATES),
         "updates has 1 axes, not 2: Updates tensor must be of rank 2; got 1.",
         value=1, allowed=(2, 2)),
    Case("sct_c7", "xla.scatter", (xla.scatter, X, AT, np.ones((2, 4, 1), int),
         {**UPDATES, "update_window_dims": [1, 1]}),
         "update_window_dims is not in ascending order, entry 1 is 1: update_window_dims in scatter op must "
         "not repeat; got: 1, 1.",
         entry=1, value=1),
    Case("sct_c7", "xla.scatter", (xla.scatter, X, AT, np.ones((2, 4, 1), int),
         {**UPDATES, "update_window_dims": [1, 0]}),
         "update_window_dims is not in ascending order, entry 1 is 0: update_window_dims in scatter op must "
         "be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("sct_c7", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "update_window_dims": [2]}),
         "update_window_dims entry 0 is 2, not in 0..1: Invalid update_window_dims set in scatter op; valid "
         "range is [0, 2). got: 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("sct_c8", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "inserted_window_dims": [0, 0]}),
         "inserted_window_dims is not in ascending order, entry 1 is 0: inserted_window_dims in scatter op "
         "must not repeat; got: 0, 0.",
         entry=1, value=0),
    Case("sct_c8", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "inserted_window_dims": [1, 0]}),
         "inserted_window_dims is not in ascending order, entry 1 is 0: inserted_window_dims in scatter op "
         "must be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("sct_c8", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "inserted_window_dims": [-1]}),
         "inserted_window_dims entry 0 is -1, not in 0..1: Invalid inserted_window_dims set in scatter op; "
         "valid range is [0, 2), got: -1.",
         entry=0, value=-1, allowed=(0, 1)),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, I2, U3,
         {**UPDATES, "input_batching_dims": [1, 0], "scatter_indices_batching_dims": [0, 1],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "input_batching_dims is not in ascending order, entry 1 is 0: input_batching_dims in scatter op "
         "must be sorted; got: 1, 0.",
         entry=1, value=0),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, I2, U3,
         {**UPDATES, "input_batching_dims": [2], "scatter_indices_batching_dims": [0],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "input_batching_dims entry 0 is 2, not in 0..1: Invalid input_batching_dims set in scatter op; "
         "valid range is [0, 2), got: 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, I2, U3,
         {**UPDATES, "input_batching_dims": [0], "scatter_indices_batching_dims": [-1],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "scatter_indices_batching_dims entry 0 is -1, not in 0..1: Invalid scatter_indices_batching_dims "
         "set in scatter op; valid range is [0, 2), got: -1.",
         entry=0, value=-1, allowed=(0, 1)),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, I2, U3,
         {**UPDATES, "input_batching_dims": [0], "scatter_indices_batching_dims": [],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "scatter_indices_batching_dims has 0 entries, and input_batching_dims 1",
         value=0, allowed=(1, 1)),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, I2, U3,
         {**UPDATES, "input_batching_dims": [0], "scatter_indices_batching_dims": [1],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "scatter_indices_batching_dims has 1, which is index_vector_dim",
         value=1),
    Case("sct_c9", "xla.scatter", (xla.scatter, X, np.zeros((2, 1), int), U,
         {**UPDATES, "input_batching_dims": [0], "scatter_indices_batching_dims": [0],
          "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1]}),
         "axis 0 of operand has length 3, and axis 0 of scatter_indices 2, which must be the same",
         axis=0, value=3),
    Case("sct_c10", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "inserted_window_dims": []}),
         "the operand has 2 axes, and update_window_dims, inserted_window_dims and input_batching_dims name "
         "1: Scatter op has window of size 1; doesn't match operand of rank 2.",
         value=1, allowed=(2, 2)),
    Case("sct_c11", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "scatter_dims_to_operand_dims": []}),
         "scatter_dims_to_operand_dims has 0 entries, not 1: Scatter op has 0 elements in "
         "scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is "
         "1. These two numbers must be equal.",
         value=0, allowed=(1, 1)),
    Case("sct_c12", "xla.scatter", (xla.scatter, X, AT, W,
         UPDATES),
         "axis 1 of updates has length 5: Bounds of the window dimensions of updates must not exceed the "
         "bounds of the corresponding dimensions of operand. For dimension 1, updates bound is 5, operand "
         "bound is 4.",
         axis=1, value=5, allowed=(0, 4)),
    Case("sct_c13", "xla.scatter", (xla.scatter, X, AT, U3,
         UPDATES),
         "axis 0 of updates has length 3, not 2: Bounds of the scatter dimensions of updates must be same "
         "as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, "
         "updates bound is 3, scatter_indices bound is 2.",
         axis=0, value=3, allowed=(2, 2)),
    Case("sct_c14", "xla.scatter", (xla.scatter, X, AT, U,
         {**UPDATES, "scatter_dims_to_operand_dims": [2]}),
         "scatter_dims_to_operand_dims entry 0 is 2, not in 0..1: Invalid scatter_dims_to_operand_dims "
         "mapping; domain is [0, 2), got: 0->2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("sct_c14", "xla.scatter", (xla.scatter, X, np.zeros((2, 2), int), U,
         {**UPDATES, "scatter_dims_to_operand_dims": [1, 1]}),
         "scatter_dims_to_operand_dims entry 1 is 1 again: Repeated dimensions not allowed in "
         "scatter_dims_to_operand_dims; got: 1, 1.",
         entry=1, value=1),
]  # fmt: skip
