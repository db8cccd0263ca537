"""`ssop bench` with files of the user's: results of several runs, and a library of HPTT."""

import json
import random
import subprocess

import pytest

from json_places import ABSENT, changed, places
from ssop import cli
from ssop.testing.bench import call, cases, contenders, measuring, merging, results, targets
from ssop.testing.bench.permutation_cases import permuted

FAKE_HPTT = """
#include <stdlib.h>

void NAME(const int *perm, const int dim, const TYPE alpha, const TYPE *a, const int *size, const int *outer_a,
          const TYPE beta, TYPE *b, const int *outer_b, const int threads, const int row_major) {
    int at[32] = {0}, total = 1;
    if (outer_a || outer_b || beta != 0 || !row_major || threads != 3)
        abort();
    for (int i = 0; i < dim; i++)
        total *= size[i];
    for (int n = 0; n < total; n++) {
        int to = 0;
        for (int i = 0; i < dim; i++)
            to = to * size[perm[i]] + at[perm[i]];
        b[to] = alpha * a[n];
        for (int i = dim - 1; i >= 0 && ++at[i] == size[i]; i--)
            at[i] = 0;
    }
}
"""
"""The interface of HPTT, without its speed."""


@pytest.fixture(scope="module")
def fake_hptt(tmp_path_factory):
    """A folder like a checkout that was built."""
    folder = tmp_path_factory.mktemp("hptt")
    (folder / "lib").mkdir()
    sources = []
    for letter, name in (("s", "float"), ("d", "double")):
        sources.append(folder / f"{name}.c")
        sources[-1].write_text(f"#define NAME {letter}TensorTranspose\n#define TYPE {name}\n{FAKE_HPTT}")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "lib" / "libhptt.so", *sources], check=True)
    return folder


@pytest.mark.parametrize("where", [".", "lib/libhptt.so"])
def test_hptt_is_a_contender(fake_hptt, where):
    member = contenders.team(["numpy"], 3, True, fake_hptt / where).members[-1]
    contenders.CONTENDERS["ssop"].load(1)
    assert member.name == "hptt"
    for item, axes in ((4, (2, 0, 1)), (8, (1, 0)), (4, (3, 1, 0, 2))):
        work = permuted((5, 6, 7, 3)[: len(axes)], axes, 0, item)
        contenders.checked_call(member, work, work.expected())
    for work in (permuted((5, 6), (1, 0), 0, 2), next(cases.each_case(["stride-4B"], ["L1"])).work()):
        with pytest.raises(call.Rejected, match="only for transposition of f4 and f8"):
            contenders.checked_call(member, work, work.expected())


def test_hptt_on_the_command_line(fake_hptt, tmp_path, capsys):
    words = ["--quick", "--classes", "transpose", "--sizes", "L1", "--contenders", "numpy", "--rounds", "1"]
    words += ["--threads", "3", "--hptt", str(fake_hptt), "--json", str(tmp_path / "r.json")]
    try:
        assert cli.main(["bench", *words]) == 0
    finally:
        contenders.CONTENDERS["ssop"].load(1)
    found = json.loads((tmp_path / "r.json").read_text())
    assert [set(case["times_ns"]) for case in found["cases"]] == [{"ssop", "numpy"}, {"ssop", "numpy", "hptt"}]
    assert str(fake_hptt.parent) not in (tmp_path / "r.json").read_text()


def test_what_is_no_hptt_is_rejected(tmp_path, capsys):
    (tmp_path / "libhptt.so").write_text("nothing")
    assert cli.main(["bench", "--quick", "--sizes", "tiny", "--hptt", str(tmp_path / "libhptt.so")]) == 2
    assert "--hptt: libhptt.so: no library of HPTT: " in capsys.readouterr().err


# Several files


def a_run(cpu, group, case, ours, command="ssop bench", **changes):
    """One case: NumPy takes 20 ns, memcpy 4, a call 2; at L1."""
    rounds = len(ours)
    limits = {"memcpy": [4.0] * rounds, "call": [2.0] * rounds}
    times = {"ssop": [float(ns) for ns in ours], "numpy": [20.0] * rounds}
    measured = measuring.Measured(group, case, "L1", 1000, times, {}, limits, (64, 64))
    head = {"format": results.FORMAT, "command": command, "date": "2000-01-01T00:00:00+00:00"}
    head |= {"machine": {"cpu": cpu, "kernels": "avx2"}, "versions": {"ssop": "1", "numpy": "2"}, "threads": 1}
    head |= {"ssop_threads": 1, "rounds": rounds, "seed": 0, "quick": False, "complete": True, "wrong": 0}
    return {**head, "skipped": {}, **changes, **results.summary([measured], targets.NO_TARGETS, 1, "avx2")}


def test_pieces_of_one_run_become_one():
    pieces = [
        a_run("one", "reverse", "1 B ::-1", [10, 10], "ssop bench --classes reverse"),
        a_run("one", "rows-16B", "8/16", [5, 5, 5], "ssop bench --classes rows-16B"),
        a_run("one", "reverse", "1 B ::-1", [20, 20], "ssop bench --classes reverse"),
    ]
    (found,) = merging.merged(pieces, targets.Targets([], {"others": {"1": 9}}, 0.95))
    assert [cell["class"] for cell in found["cells"]] == ["rows-16B", "reverse"]
    assert [cell["ratios"]["numpy"][1] for cell in found["cells"]] == pytest.approx([4, 1])
    assert [cell["limit"][1] for cell in found["cells"]] == pytest.approx([6 / 5, 6 / 20])
    assert found["geometric_mean"]["ratios"]["numpy"][1] == pytest.approx(2)
    assert found["geometric_mean"]["verdict"] == "not reached"
    assert (found["rounds"], found["command"]) == (
        2,
        "ssop bench --classes reverse; ssop bench --classes rows-16B",
    )


@pytest.mark.parametrize("change", [{"threads": 2}, {"machine": {"cpu": "one", "kernels": "ssse3"}}])
def test_other_circumstances_are_another_run(change):
    pair = [a_run("one", "reverse", "1 B ::-1", [10]), a_run("one", "reverse", "1 B ::-1", [10], **change)]
    assert len(merging.merged(pair, targets.NO_TARGETS)) == 2


@pytest.fixture
def files(tmp_path):
    """Two runs on one processor, and one on another."""
    runs = [
        a_run("one", "reverse", "1 B ::-1", [10]),
        a_run("one", "rows-16B", "8/16", [5]),
        a_run("two", "reverse", "1 B ::-1", [40]),
    ]
    paths = [tmp_path / f"{i}.json" for i in range(3)]
    for path, run in zip(paths, runs, strict=True):
        path.write_text(json.dumps(run))
    return [str(path) for path in paths]


def test_processors_stand_side_by_side(files, capsys):
    assert cli.main(["bench", "--render", *files, "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.count("| geometric mean |") == 3
    assert "- 1: one, kernels avx2, threads 1\n- 2: two, kernels avx2, threads 1\n" in out
    assert "| reverse | L1 | 2.00 | 0.60 | 0.50 | 0.15 |" in out and "| rows-16B | L1 | 4.00 | 1.20 | - | - |" in out
    assert cli.main(["bench", "--render", *files]) == 0
    assert "1: numpy  1: limit  2: numpy  2: limit" in capsys.readouterr().out


def test_merged_files_can_be_written(files, tmp_path, capsys):
    assert cli.main(["bench", "--render", *files[:2], "--json", str(tmp_path / "all.json")]) == 0
    printed = capsys.readouterr().out
    assert cli.main(["bench", "--render", str(tmp_path / "all.json")]) == 0
    assert capsys.readouterr().out == printed
    assert cli.main(["bench", "--render", *files, "--json", str(tmp_path / "no.json")]) == 2
    assert "--json: the files of --render are of 2 different runs" in capsys.readouterr().err


def test_a_file_can_be_judged_by_other_floors(files, tmp_path, capsys):
    floors = [{"class": "reverse", "size": "L1", "threads": 1, "limit": 0.8}]
    (tmp_path / "t.json").write_text(json.dumps({"floors": floors, "geometric_mean": {}, "best_other": 0.95}))
    assert cli.main(["bench", "--render", files[0], "--targets", str(tmp_path / "t.json")]) == 0
    assert "not reached: 1 B ::-1 limit 0.6 < 0.8" in capsys.readouterr().out


OTHERS = [None, "", "x", [], {}, [1.0], 0, -1, 10**400, float("inf"), float("nan"), True, ABSENT]


def test_changed_results_are_told_in_one_line(files, tmp_path, capsys):
    rng, path = random.Random(20261128), tmp_path / "changed.json"
    run = json.loads((tmp_path / "0.json").read_text())
    for _ in range(300):
        path.write_text(json.dumps(changed(run, rng.choice(list(places(run))), rng.choice(OTHERS))))
        more = rng.choice([[], ["--markdown"], [files[1]], [files[2], "--markdown"]])
        code, said = cli.main(["bench", "--render", str(path), *more]), capsys.readouterr()
        assert (code, said.err) == (0, "") or (code == 2 and said.err.count("\n") == 1 and not said.out), said


def test_names_in_results_steer_no_terminal_and_no_page(tmp_path, capsys):
    run = a_run("one\x1b[2J", "reverse", "1 B ::-1", [10], "ssop `bench`\n")
    run["cells"][0]["class"] = "a|b<script>\u202e"
    (tmp_path / "r.json").write_text(json.dumps(run))
    assert cli.main(["bench", "--render", str(tmp_path / "r.json")]) == 0
    out = capsys.readouterr().out
    assert "one\\x1b[2J" in out and "a|b<script>\\u202e" in out and "\x1b" not in out
    assert cli.main(["bench", "--render", str(tmp_path / "r.json"), "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("`ssop bench\\n`\n") and "| a\\|b&lt;script&gt;\\u202e | L1 |" in out
