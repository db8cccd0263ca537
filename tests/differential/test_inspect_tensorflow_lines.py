"""Lines of the program for slices of TensorFlow: what it writes, what older versions wrote, and damaged files."""

import os
import random
import tracemalloc

import pytest

import ssop
from ssop._inspect import wire
from ssop._inspect.limits import Damaged
from ssop._inspect.tensorflow_file import model_of, read
from ssop._inspect.tensorflow_lines import PLACE, lines_of
from ssop._inspect.wire import Bytes

tf = pytest.importorskip("tensorflow")
debug = pytest.importorskip("tensorflow.core.framework.graph_debug_info_pb2")


class Module(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 8], tf.float32)])
    def cut(self, x):
        return shortened(x[1:-1])  # line of the first slice


@tf.function
def shortened(x):
    return x[:, ::2]  # line of the second slice


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    options = tf.saved_model.SaveOptions(save_debug_info=True)
    tf.saved_model.save(Module(), str(folder), options=options)
    return folder


@pytest.fixture
def copied(saved, tmp_path):
    """A folder whose files may be changed."""
    (tmp_path / "debug").mkdir()
    for name in ("saved_model.pb", PLACE):
        (tmp_path / name).write_bytes((saved / name).read_bytes())
    return tmp_path


def sources(model):
    return [node.source for node in model.nodes]


def numbered(words):
    with open(__file__, encoding="utf-8") as file:
        return next(f"{__file__}:{number}" for number, text in enumerate(file, 1) if words in text)


LINES = [numbered("# line of the first" + " slice"), numbered("# line of the second" + " slice")]


def test_a_saved_model_tells_the_lines(saved):
    for place in (saved, saved / "saved_model.pb"):
        assert sorted(sources(read(place))) == LINES
    report = ssop.inspect(str(saved))
    assert sorted(node["source"] for node in report.to_dict()["nodes"]) == LINES
    for node in report.nodes:
        found = str(ssop.inspect(str(saved), only=f"{node.node.graph}/strided_slice"))
        assert f"strided_slice: StridedSlice in {node.node.graph}, from {node.node.source}\n" in found


def test_without_the_file_and_of_bytes_there_are_no_lines(copied, monkeypatch):
    content = (copied / "saved_model.pb").read_bytes()
    monkeypatch.chdir(copied)
    assert sources(read(content)) == [None, None]  # bytes have no folder, not even the current one
    (copied / PLACE).unlink()
    model = read(copied)
    assert sources(model) == [None, None] and model.notes == ()
    os.mkfifo(copied / PLACE)
    assert sources(read(copied)) == [None, None]


def test_a_link_out_of_the_folder_is_not_followed(saved, copied):
    (copied / PLACE).unlink()
    (copied / PLACE).symlink_to(saved / PLACE)
    model = read(copied)
    assert sources(model) == [None, None]
    assert model.notes == (f"lines of the program are not told: {PLACE}: it is a link",)


# ---- made by hand ----------------------------------------------------------------------------------------------------

LIBRARY = "/usr/lib/python3/dist-packages/keras/src/ops.py"


def graph(**made_of):
    with tf.Graph().as_default() as made:
        tf.raw_ops.StridedSlice(input=tf.ones([4, 5]), begin=[1], end=[3], strides=[1], name="slice")
    definition = made.as_graph_def()
    (node,) = (node for node in definition.node if node.name == "slice")
    node.experimental_debug_info.MergeFrom(type(node.experimental_debug_info)(**made_of))
    return definition


def traced(key, *frames, old=False):
    """A GraphDebugInfo of one trace, as TensorFlow writes it now, or as it did before."""
    info = debug.GraphDebugInfo()
    for number, (file, line_number) in enumerate(frames):
        info.files.append(file)
        if old:
            info.traces[key].file_line_cols.add(file_index=number, line=line_number)
        else:
            info.frames_by_id[number + 7].file_index = number
            info.frames_by_id[number + 7].line = line_number
            info.traces_by_id[3].frame_id.append(number + 7)
    if not old:
        info.name_to_trace_id[key] = 3
    return info


def source(definition, info=None):
    if info is not None:
        definition.debug_info.CopyFrom(info)
    (node,) = model_of(definition.SerializeToString(), "graph.pb").nodes
    return node.source


@pytest.mark.parametrize("old", [False, True])
def test_a_graph_may_have_its_lines_within(old):
    assert source(graph()) is None
    frames = [("a.py", 1), ("b.py", 12), (LIBRARY, 5)]
    assert source(graph(), traced("slice@", *frames, old=old)) == "b.py:12"
    assert source(graph(), traced("slice@", (LIBRARY, 5), old=old)) == f"{LIBRARY}:5"
    assert source(graph(), traced("slice@f", *frames, old=old)) is None
    assert source(graph(), traced("slice@", ("a.py", 0), old=old)) is None
    assert source(graph(), traced("slice@", *[("far.py", 1)] * 3, *[("near.py", 2)] * 64, old=old)) == "near.py:2"


def test_nodes_that_optimizers_made_have_the_lines_of_those_before():
    made_of = {"original_node_names": ["first", "second"], "original_func_names": ["f", "g"]}
    assert source(graph(**made_of), traced("second@g", ("a.py", 3))) == "a.py:3"
    assert source(graph(**made_of), traced("second@", ("a.py", 3))) == "first@f"
    assert source(graph(original_node_names=["model/first"])) == "model/first"
    assert source(graph(original_node_names=["slice"])) is None
    assert source(graph(original_node_names=["a"], original_func_names=["f", "g"])) == "a@f"


def test_indices_that_lead_nowhere_are_no_lines():
    info = traced("slice@", ("a.py", 3), ("b.py", 4))
    info.frames_by_id[8].file_index = 9
    assert source(graph(), info) == "a.py:3"
    info.frames_by_id[7].file_index = -1
    assert source(graph(), info) is None
    info = traced("slice@", ("a.py", 3))
    info.traces_by_id[3].frame_id.append(99)
    assert source(graph(), info) == "a.py:3"
    info.name_to_trace_id["slice@"] = 4
    assert source(graph(), info) is None


# ---- damaged and large -----------------------------------------------------------------------------------------------


def test_damaged_lines_are_a_note_and_the_slices_stay(copied):
    (copied / PLACE).write_bytes(b"\x0a\xff\xff\xff\xff\x0f")
    model = read(copied)
    assert len(model.nodes) == 2 and sources(model) == [None, None]
    (note,) = model.notes
    assert note.startswith(f"lines of the program are not told: {PLACE}: the field at byte 0 claims to end at byte")


def test_any_damage_gives_lines_or_one_reason(saved, report):
    whole, generator, failed = (saved / PLACE).read_bytes(), random.Random(42), 0
    keys = {f"strided_slice@{node.graph[5:]}" for node in read(saved).nodes}
    assert sorted(lines_of(Bytes.of_buffer(whole), keys).values()) == sorted(LINES)
    for _ in range(500):
        data = bytearray(whole)
        for _ in range(generator.choice([0, 1, 3, 30])):
            data[generator.randrange(len(data))] = generator.randrange(256)
        try:
            found = lines_of(
                Bytes.of_buffer(data[: generator.choice([len(data), generator.randrange(len(data))])]), keys
            )
        except Damaged as error:
            failed += 1
            assert "\n" not in str(error)
        else:
            assert set(found) <= keys and all("\n" not in each for each in found.values())
    report(f"{failed} of 500 damaged files are errors")
    assert 50 < failed < 500


def test_what_no_slice_needs_is_not_kept():
    info = traced("slice@", ("a.py", 3), ("x" * 70_000, 4))
    for number in range(20_000):
        info.name_to_trace_id[f"{'other' * 40}{number}@"] = number + 10
        info.traces_by_id[number + 10].frame_id.extend([7] * 20)
    content = Bytes.of_buffer(info.SerializeToString())
    tracemalloc.start()
    try:
        assert lines_of(content, {"slice@"}) == {"slice@": "a.py:3"}
        assert tracemalloc.get_traced_memory()[1] < 1 << 20 < content.size
    finally:
        tracemalloc.stop()


def test_the_number_of_fields_is_bounded(monkeypatch):
    content = Bytes.of_buffer(traced("slice@", ("a.py", 3)).SerializeToString())
    monkeypatch.setattr(wire, "MAX_FIELDS", 3)
    with pytest.raises(Damaged, match="more than 3 fields"):
        lines_of(content, {"slice@"})
