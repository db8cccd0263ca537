"""`ssop convert`: run-time values on the command line, and one clear line for what is wrong."""

import json

import pytest

import ssop
from ssop.cli import main


def said(capsys, *words):
    """(exit code, what was printed, what was said on stderr)."""
    code = main(["convert", *words])
    out, err = capsys.readouterr()
    return code, out.rstrip("\n"), err.rstrip("\n")


RUN_TIME = {
    "an index": (["--index", "[i:i+4, 2]", "--to", "numpy"], "y = x[i:i + 4, 2]"),
    "an index of torch": (["--from", "torch", "--index", "i-1", "--to", "torch"], "y = x[i - 1]"),
    "vectors": (["--begin", "i,0", "--end", "i + 4,3", "--to", "torch"], "y = x[i:i + 4, 0:3]"),
    "lists": (
        ["--from", "onnx", "--starts", "[i]", "--ends", "j", "--axes=1", "--to", "numpy", "--shape=?,?"],
        "y = x[:, i:j]",
    ),
    "an assumption": (
        ["--begin", "i", "--end", "i+4", "--to", "xla", "--shape", "9", "--assume", "i:0..5"],
        "y = jax.lax.dynamic_slice_in_dim(x, start_index=i, slice_size=4, allow_negative_indices=False)",
    ),
    "one that has the dim": (
        [
            "--begin",
            "i",
            "--end",
            "i+1",
            "--to",
            "xla",
            "--shape",
            "n",
            "--assume",
            "0:1..",
            "--assume",
            "i:0..dim - 1",
        ],
        "y = jax.lax.dynamic_slice_in_dim(x, start_index=i, slice_size=1, allow_negative_indices=False)",
    ),
}


@pytest.mark.parametrize("name", RUN_TIME)
def test_cv_s3_names_are_run_time_values(name, capsys):
    words, text = RUN_TIME[name]
    assert said(capsys, *words) == (0, text, "")


def test_cv_s3_starts_are_clamped_where_it_is_asked_for(capsys):
    window = ["--index", "[i:i+2]", "--to", "xla", "--shape", "9"]
    code, out, err = said(capsys, *window)
    assert code == 1 and not out and err.count("\n") == 0 and "differs for dim 9 and i" in err
    window = ["--begin", "i", "--end", "i+4", "--to", "xla", "--shape", "9", "--check-runtime"]
    assert said(capsys, *window, "--assume", "i:0..5")[0] == 0


def test_tfl_s4_ends_that_count_from_begins(capsys):
    counted = ["--from", "tflite", "--begin=-4,1", "--end", "3,2", "--shape", "?,5", "--offset"]
    assert said(capsys, *counted, "--to", "torch") == (
        0,
        "y = x[-4:]\ny = torch.narrow(y, dim=0, start=0, length=3)\ny = torch.narrow(y, dim=1, start=1, length=2)",
        "",
    )
    assert said(capsys, *counted, "--to", "onnx")[0] == 1


WRONG = {
    "a product": (["--index", "[2*i]", "--to", "tf"], "index '[2*i]' holds 2*i, which is no integer"),
    "a product in a list": (
        ["--begin", "2*i", "--end", "3", "--to", "tf"],
        "--begin: '2*i' is neither an integer, nor",
    ),
    "a name that is taken": (["--index", "[x]", "--to", "tf"], "a value with the name 'x', which is taken"),
    "an assumption without an axis": (
        ["--index", "[i]", "--to", "tf", "--assume", "3.."],
        "not like 0:3.. or i:0..dim-4",
    ),
    "a bound of another value": (["--index", "[i]", "--to", "tf", "--assume", "i:j.."], "bound 'j', which is not like"),
    "a bound that is none": (["--index", "[i]", "--to", "tf", "--assume", "i:2.5"], "'2.5' is neither an integer"),
    "a dim that is no number": (
        ["--index", "[1:]", "--to", "tf", "--shape", "8;9"],
        "--shape: '8;9' is not an integer",
    ),
    "dims that are none": (["--index", "[1:]", "--to", "tf", "--shape", "5..2"], "dim 0, (5, 2) is not an interval"),
    "no certificate": (["--check", __file__], "has no certificate, which --json prints"),
    "an offset of TensorFlow": (
        ["--begin", "1", "--end", "2", "--offset", "--to", "xla"],
        "--offset is of --from tflite",
    ),
    "an offset of an index": (
        ["--from", "tflite", "--index", "[1:2]", "--offset", "--to", "xla"],
        "--offset is of --from tflite, with --begin and --end",
    ),
    "an offset at run time": (
        ["--from", "tflite", "--begin", "i", "--end", "2", "--offset", "--to", "xla"],
        "with offset, begin, end and strides are constants",
    ),
    "a stride of XLA": (["--from", "onnx", "--starts=1", "--ends=2", "--steps=2*s", "--to", "tf"], "--steps: '2*s'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_words_are_one_line(name, capsys):
    words, text = WRONG[name]
    code, out, err = said(capsys, *words)
    assert code == 2 and not out and err.count("\n") == 0 and text in err


def test_explain_has_no_run_time_values(capsys):
    assert main(["explain", "5", "--begin", "i", "--end", "3"]) == 2
    assert "'i' is not an integer" in capsys.readouterr().err
    assert main(["explain", "5", "--index", "i"]) == 2


def test_a_certificate_with_values_is_checked(tmp_path, capsys):
    code, out, _ = said(capsys, "--index", "[i:]", "--to", "numpy", "--json", "--assume", "i:2..")
    path = tmp_path / "certificate.json"
    path.write_text(out, encoding="utf-8")
    assert code == 0 and said(capsys, "--check", str(path)) == (0, f"{path}: every claim holds", "")
    ssop.convert.verify(json.loads(out))
