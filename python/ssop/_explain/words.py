"""The sentences about a strided slice, with the labels of their rules: the text, and the explorer page, say these.

`python/ssop/_explore/explain.js` fills in the same sentences from the same trace; tests/browser compares the two.
"""

from __future__ import annotations

from typing import Any

STAGES = (
    ("remove_conflict", "ss_s1"),
    ("new axis", "ss_s3"),
    ("ellipsis", "ss_s2"),
    ("missing entries", "ss_s2"),
    ("clamp begin", "ss_s4"),
    ("clamp end", "ss_s4"),
    ("begin mask", "ss_s5"),
    ("end mask", "ss_s5"),
    ("shrink", "ss_s7"),
    ("output shape", "ss_s6"),
    ("pick shape", "ss_s6"),
    ("data", "rg_s4"),
)
"""The stages in their order, those of the blog by their names, each with TensorFlow's rule."""

BITS = {
    "ellipsis": ("keeps whole every axis that no other entry needs", "ss_s2"),
    "new_axis": ("adds an axis of length 1; begin, end and stride are ignored", "ss_s3"),
    "shrink_axis": ("takes one element and drops its axis; end is ignored", "ss_s7"),
}
"""What the bits of these masks do, and by which rule."""

WORDS = {
    "finds": "finds the error",
    "conflict": "entry {entry} is {winner}: {lost} {verb} ignored",
    "new": "entry {entry} adds an axis of length 1",
    "intermediate": "the intermediate shape is {shape}",
    "keeps": "entry {entry} keeps {axes} whole",
    "keeps others": "entry {entry} keeps whole every axis that the others leave",
    "keeps rest": "every axis behind those of the entries is kept whole",
    "covers": "entry {entry} covers no axis: the other entries need all of them",
    "missing": "no entry is left for {axes}: kept whole",
    "spare": "entry {entry} has no axis and is ignored",
    "before": "before element 0",
    "before in a cell": "before 0",
    "axis": "axis {axis}: {words}",
    "added": " + dim {dim} = {wrapped}",
    "clamped": "{name} {given}{added}, clamped to {used}",
    "inside": "{name} {given}{added}",
    "masked": "axis {axis}: {bound} is {used}, not {clamped}",
    "shrunk": "entry {entry} takes index {index} of axis {axis}, which is dropped",
    "pick": "{shape}: of every input axis, without new axes",
    "data": "{taken} of {total} elements: x{index}",
    "no entry": "the spec has no entry {entry}",
    "precedence": "{winner} has precedence",
    "unread": "the error is found before this bit is read",
    "shrunk axis": "the axis is shrunk",
    "no difference": "makes no difference: {bound} would be {used} without it, too",
    "difference": "{bound} is {used}; without it, it would be {clamped}",
    "empty dim": "axis {axis} is empty: its dim is 0",
    "empty": "axis {axis} is empty: {why}{hints}",
    "forward": "{first} {begin} >= {last} {end}",
    "backward": "{first} {begin} <= {last} {end} with {stride} {step}",
    "away": "{first} is {before}, and {stride} {step} leads away",
    "end bit": "with bit {entry} of end_mask it would be {filled}",
    "other stride": "with stride {stride} it would be {filled}",
}


def say(name: str, /, **values: Any) -> str:
    """The sentence of that name.

    >>> say("new", entry=2)
    'entry 2 adds an axis of length 1'
    """
    return WORDS[name].format(**values)
