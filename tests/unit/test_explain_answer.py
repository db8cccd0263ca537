"""The forms of an explanation begin with its answer, and say once what is the same (ex_s1)."""

from xml.etree import ElementTree

import ssop
from ssop import cli


def test_command_line_says_the_answer_alone(capsys):
    arguments = ["explain", "5,4", "--begin", "3", "--end", "0"]
    assert cli.main([*arguments, "--short"]) == 0
    told = ssop.explain((5, 4), [3], [0])
    assert capsys.readouterr().out == f"{told.answer}\n"
    assert cli.main(arguments) == 0 and capsys.readouterr().out.startswith(f"{told.answer}\n{told.call}\n")
    assert told.to_dict()["answer"] == told.answer and told.answer[1:] in told._repr_html_().replace("&gt;", ">")
    assert cli.main(["explain", "9", "--dialect", "onnx", "--starts", "1", "--ends", "3", "--short"]) == 0
    assert capsys.readouterr().out == "shape (2,): axis 0 is 1..2\n"


def test_what_is_the_same_is_said_once():
    """All answers that are the same, all bits without an entry, and all stages without a change are a line each."""
    text = str(ssop.explain((5,), [1], [3], begin_mask=0b11111110))
    assert text.count("the same\n") == 1 and "the same            TFLite, OpenVINO, ONNX, onnx.reference" in text
    assert "begin bits 1..7         ignored  ss_s8   the spec has no such entries" in text
    assert "begin bits 1 and 3      ignored" in str(ssop.explain((5,), [1], [3], begin_mask=0b1010))
    assert text.count("no change by") == 1 and "changes nothing" not in text
    html = ElementTree.fromstring(ssop.explain((5,), [1], [3], begin_mask=0b11111110)._repr_html_())
    cells = ["".join(cell.itertext()) for cell in html.iter("td")]
    assert cells.count("the same") == 1 and cells.count("1..7") == 1
    heads = ["".join(cell.itertext()) for cell in html.iter("th")]
    assert heads.count("no change by") == 1 and "TFLite, OpenVINO, ONNX, onnx.reference, ONNX Runtime" in heads
    assert "an error too        TFLite, OpenVINO" in str(ssop.explain((6,), [7], [8], shrink_axis_mask=1))
