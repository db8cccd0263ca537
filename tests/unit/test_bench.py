"""The benchmark: its cases, its statistics, its verdicts, its files and its command line. Nothing here is timed."""

import importlib.util
import json
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ssop
from ssop import cli
from ssop.testing import bench
from ssop.testing.bench import call, cases, contenders, hptt, measuring, report, results, targets
from ssop.testing.bench.kind import Case
from ssop.testing.bench.measuring import Interval
from ssop.testing.bench.permutation_cases import permuted
from ssop.testing.bench.work import sliced

ROOT = Path(__file__).parents[2]
TARGETS = ROOT / "benchmarks" / "targets.json"
SMALL = 4096  # bytes of a result
KINDS = {(case.group, case.name): case for case in cases.each_case()}.values()
PACE = measuring.Pace(warm=0, batches=1, least=1, seconds=0.0)


def rejection(capsys, *argv):
    """The one line of an error."""
    assert cli.main(["bench", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ssop: error: ") and err.count("\n") == 1
    return err.removeprefix("ssop: error: ").rstrip("\n")


def measured(case, **times):
    found = {name: list(map(float, values)) for name, values in times.items()}
    limits = {"memcpy": [2.0] * len(found["ssop"]), "call": [3.0] * len(found["ssop"])}
    return measuring.Measured(case.group, case.name, case.size, 1000, found, {}, limits, (64, 128))


def case_of(group, name, size):
    return next(case for case in cases.each_case([group], [size]) if case.name == name)


# Cases


def test_every_row_of_the_table_is_a_class():
    rows = ["rows-16B", "rows-64B", "rows-512B", "rows-1K", "stride-1B", "stride-2B", "stride-4B", "stride-8-16B"]
    rows += ["column", "reverse", "transpose", "blocks", "aliasing", "huge-out", "huge-new", "kept"]
    rows += ["permute", "hptt", "layout", "numpy-out", "order", "network", "fill", "broadcast", "pad", "frame"]
    rows += ["concatenate", "update", "grad", "grad-window", "assign", "assign-broadcast", "select-clamp", "reshape"]
    rows += ["shift"]
    assert list(bench.CLASSES) == [*rows, "tiny", "tensorflow"]


@pytest.mark.parametrize("case", KINDS, ids=lambda case: f"{case.group} {case.name}")
def test_bytes_agree_with_numpy(case):
    work = case.build(max(SMALL, case.nbytes if case.group == "network" and case.size == "L1" else 0))
    expected = work.expected()
    assert expected.nbytes == work.out.nbytes > 0
    for name in contenders.BASELINES:
        try:
            done = contenders.checked_call(contenders.CONTENDERS[name], work, expected)
            done.run()
        except call.Rejected:
            assert name == "memcpy"


def test_a_size_is_the_bytes_of_the_result():
    for case in cases.each_case(sizes=["L1"]):
        if case.group not in ("tensorflow", "kept"):
            assert 0.9 * case.nbytes <= case.work().nbytes <= case.nbytes


def test_each_class_has_a_quick_case():
    assert {case.group for case in cases.each_case(quick=True)} == set(bench.CLASSES)
    assert len({(case.group, case.name, case.size) for case in cases.each_case()}) == len(list(cases.each_case()))


def test_tensorflows_own_cases():
    shapes = {case.name: case.work().expected().shape for case in cases.each_case(["tensorflow"])}
    assert list(shapes.values()) == [(100, 100), (100, 1000), (100, 10000), (128, 256, 128)]


@pytest.mark.parametrize("distance", [1, 8, 15])
def test_aliasing_outputs_are_where_they_should_be(distance):
    work = case_of("aliasing", f"{distance} B apart", "L1").work()
    assert (work.out.ctypes.data - work.x[work.index].ctypes.data) % 4096 == distance
    other = case_of("rows-16B", "8/16", "L1").work()
    assert (other.out.ctypes.data - other.x.ctypes.data) % 4096 == 2048


@pytest.mark.parametrize("index", [np.s_[::-1, 1:5:2], np.s_[::-2, -3:], np.s_[3:1:-1, :]])
def test_lists_mean_the_index(index):
    work = sliced((7, 9), "i2", index)
    done = contenders.checked_call(contenders.CONTENDERS["ssop"], work, work.expected())
    assert np.array_equal(done.run(), work.x[index])


# Contenders


def contender(run, answer=np.asarray):
    return contenders.Contender("some", "numpy", lambda threads: "1", lambda work: call.Call(lambda: run(work), answer))


def test_what_copies_nothing_or_wrongly_is_rejected():
    work = sliced((64,), "u1", np.s_[8:40])
    expected = work.expected()
    with pytest.raises(call.Rejected, match="alias"):
        contenders.checked_call(contender(lambda work: work.x[work.index]), work, expected)
    with pytest.raises(call.Rejected, match="bytes"):
        contenders.checked_call(contender(lambda work: work.out), work, expected)
    with pytest.raises(call.Rejected, match="bytes"):
        contenders.checked_call(contender(lambda work: work.x[work.index][:-1].copy()), work, expected)
    with pytest.raises(call.Rejected, match="^ZeroDivisionError: .*zero$"):
        contenders.checked_call(contender(lambda work: 1 // 0), work, expected)
    contenders.checked_call(contender(lambda work: work.x[work.index].copy()), work, expected)


def test_ssop_is_always_measured():
    assert list(contenders.team(["numpy"], 1, True).versions) == ["ssop", "numpy"]
    assert list(contenders.team(["ssop", "memcpy", "memcpy"], 1, True).versions) == ["ssop", "memcpy"]


def test_kept_results_live_together():
    made = []
    kept = call.Call(lambda: made.append(1)).kept(3)
    kept.run()
    assert len(made) == 3
    kept.between()


# Measuring


def test_rounds_are_interleaved_and_shuffled():
    order = []
    calls = {name: call.Call(lambda name=name: order.append(name)) for name in "abc"}
    times = measuring.measure(calls, 20, PACE, random.Random(1))
    assert {name: len(values) for name, values in times.items()} == {"a": 20, "b": 20, "c": 20}
    rounds = [tuple(order[-60:][i : i + 3]) for i in range(0, 60, 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds) and len(set(rounds)) > 2


def test_the_fastest_batch_counts(monkeypatch):
    clock = iter([0, 900, 1000, 1500, 2000, 2600, *[0] * 6])
    monkeypatch.setattr(measuring.time, "perf_counter_ns", lambda: next(clock))
    pace = measuring.Pace(warm=0, batches=3, least=1, seconds=0.0)
    monkeypatch.setattr(measuring, "_batch", lambda call, count: count and measuring._loop(call.run, count))
    assert measuring._turn(call.Call(lambda: None), 100, pace) == 5.0


def test_quartiles_are_numpys():
    rng = np.random.default_rng(0)
    for size in range(1, 12):
        values = rng.random(size).tolist()
        assert measuring.interval(values) == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]))


def test_geometric_means():
    assert measuring.geometric_mean([2, 8]) == pytest.approx(4)
    assert measuring.geometric_mean([1e-200] * 3) == pytest.approx(1e-200)
    columns = [[1, 4, 1, 9], [4, 4, 4, 1]]
    assert measuring.mean_interval(columns) == pytest.approx(np.quantile([2, 4, 2, 3], [0.25, 0.5, 0.75]))
    assert measuring.ratios({"ssop": [2.0, 4.0], "numpy": [1.0, 8.0]}, "numpy") == [0.5, 2.0]


# Targets


def test_targets_name_what_exists_and_all_of_it():
    found = targets.read_targets(TARGETS)
    assert found.mean_floor(1, "avx2") == 3 and found.mean_floor(2, "avx2") == found.mean_floor(8, "ssse3") == 4
    assert found.mean_floor(1, "avx512") == 4 and targets.NO_TARGETS.mean_floor(1, "avx2") is None
    for case in cases.each_case():
        floor = found.floor(case.group, case.name, case.size, threads=1)
        assert bool(floor) == (case.group != "tensorflow"), case
        assert all(value > 0 for value in floor.values())


def test_more_threads_never_demand_less():
    found = targets.read_targets(TARGETS)
    for case in cases.each_case():
        one, two = (found.floor(case.group, case.name, case.size, threads).get("numpy", 0) for threads in (1, 2))
        assert two >= one, case


@pytest.mark.parametrize(
    "group, name, size, threads, floor",
    [
        ("rows-16B", "16/96", "DRAM", 1, {"numpy": 0.95, "limit": 0.8}),
        ("stride-1B", "1 B ::3", "L2", 4, {"numpy": 0.95}),
        ("stride-1B", "1 B ::2", "DRAM", 2, {"numpy": 0.95, "limit": 0.8}),
        ("reverse", "16 B ::-1", "L1", 1, {"numpy": 0.95, "limit": 0.6}),
        ("transpose", "1 B misaligned", "L2", 1, {"numpy": 0.95, "limit": 0.6}),
        ("fill", "1 B", "DRAM", 1, {"numpy": 0.95, "limit": 0.9}),
        ("tiny", "1-D", "tiny", 1, {"numpy": 2.2, "limit": 0.8}),
        ("tiny", "1-D", "L1", 1, {}),
    ],
)
def test_floors(group, name, size, threads, floor):
    assert targets.read_targets(TARGETS).floor(group, name, size, threads) == floor


def test_targets_that_are_nested_deeply_are_rejected(tmp_path):
    file = tmp_path / "targets.json"
    file.write_text("[" * 10**5)
    with pytest.raises(ValueError, match=r"^targets.json: no targets file: "):
        targets.read_targets(file)


@pytest.mark.parametrize(
    "change",
    [{"class": "rows"}, {"size": "L4"}, {"cases": ["9/16"]}, {"size": "tiny"}, {"threads": "1"}, {"numpy": None}]
    + [{"numpy": "2"}, {"ns": [1]}],
)
def test_targets_that_name_nothing_are_rejected(tmp_path, change):
    floor = {"class": "rows-16B", "size": "L1", "threads": 1, "numpy": 2, **change}
    if floor["numpy"] is None:
        del floor["numpy"]
    file = tmp_path / "targets.json"
    file.write_text(json.dumps({"floors": [floor], "geometric_mean": {}, "best_other": 0.95}))
    with pytest.raises(ValueError, match=r"^targets.json: no targets file: "):
        targets.read_targets(file)


@pytest.mark.parametrize("mean", [3, [], {"others": [1]}, {"others": {"x": 1}}, {"others": {"1": "2"}}, {"others": 1}])
def test_means_that_are_no_numbers_are_rejected(tmp_path, mean):
    file = tmp_path / "targets.json"
    file.write_text(json.dumps({"floors": [], "geometric_mean": mean, "best_other": 0.95}))
    with pytest.raises(ValueError, match=r"^targets.json: no targets file: "):
        targets.read_targets(file)


@pytest.mark.parametrize(
    "low, high, verdict",
    [(2.0, 3.0, "reached"), (1.9, 3.0, "inside the noise"), (1.0, 2.0, "inside the noise"), (1.0, 1.9, "not reached")],
)
def test_verdicts(low, high, verdict):
    middle = Interval(low, (low + high) / 2, high)
    assert targets.check_least("x", middle, 2.0).verdict == verdict
    turned = Interval(1 / high, 2 / (low + high), 1 / low)
    assert targets.check_most("x", turned, 0.5).verdict == verdict


def test_a_case_is_as_good_as_its_worst_check():
    ratios = {"numpy": Interval(5, 5, 5), "memcpy": Interval(0.5, 0.6, 0.7)}
    ns = Interval(90, 100, 110)
    assert targets.check_case(ratios, ns, {"numpy": 4, "memcpy": 0.65}).text == "memcpy 0.6 ~ 0.65"
    assert targets.check_case(ratios, ns, {"numpy": 4, "memcpy": 0.65, "ns": 85}).text == "ns 100 > 85"
    assert targets.check_case(ratios, ns, {"torch": 1}) is None


# Results


def some_results():
    """Two cells: one of two cases, 2x and 8x faster than NumPy, the other 1x; jax takes part in one case only."""
    rows = [case_of("rows-16B", name, "L1") for name in ("8/16", "12/24")]
    reverse = case_of("reverse", "1 B ::-1", "L1")
    times = [
        measured(rows[0], ssop=[10, 10, 10], numpy=[20, 20, 20], memcpy=[5, 5, 5], jax=[5, 5, 5]),
        measured(rows[1], ssop=[10, 20, 10], numpy=[80, 160, 80], memcpy=[5, 10, 5]),
        measured(reverse, ssop=[10, 10, 10], numpy=[10, 10, 10], memcpy=[5, 5, 5]),
    ]
    floors = [{"class": "rows-16B", "size": "L1", "threads": 1, "numpy": 3}]
    found = results.summary(times, targets.Targets(floors, {"others": {"1": 2}}, 0.95), 1, "avx2")
    head = {"format": 2, "command": "ssop bench", "date": "2000-01-01T00:00:00+00:00", "machine": {"cpu": "one"}}
    head |= {"versions": dict.fromkeys(["ssop", "numpy", "memcpy", "jax"], "1"), "threads": 2, "ssop_threads": 1}
    head |= {"rounds": 3, "seed": 0, "quick": False, "complete": True, "wrong": 0, "skipped": {}}
    return {**head, **found}


def test_cells_and_their_mean():
    found = some_results()
    rows, reverse = found["cells"]
    assert rows["ratios"]["numpy"] == pytest.approx((4, 4, 4)) and rows["took_part"] == {
        "numpy": 2,
        "memcpy": 2,
        "jax": 1,
    }
    assert rows["ratios"]["memcpy"] == pytest.approx((0.5, 0.5, 0.5))
    assert (rows["verdict"], rows["because"]) == ("not reached", "8/16 numpy 2 < 3")
    assert rows["best_other"]["ratio"] == pytest.approx((2, 2, 2)) and rows["best_other"]["verdict"] == "reached"
    assert (reverse["verdict"], reverse["best_other"]["name"]) == (None, "numpy")
    assert found["geometric_mean"]["ratios"]["numpy"] == pytest.approx((2, 2, 2))
    assert found["geometric_mean"]["ratios"]["jax"] == pytest.approx((0.5, 0.5, 0.5))
    assert found["geometric_mean"]["cells"]["jax"] == 1


def test_text_and_markdown():
    found = some_results()
    text = report.text(found)
    assert "\033" not in text and "\033[31mnot reached\033[0m: 8/16 numpy 2 < 3" in report.text(found, colour=True)
    line = next(line for line in text.splitlines() if line.startswith("rows-16B"))
    numbers = "4.00 (4.00..4.00) 0.500 0.500 0.500 (0.427..0.500) 2.00 (2.00..2.00) jax"
    assert line.split() == ["rows-16B", "L1", "2", *numbers.split(), *"not reached: 8/16 numpy 2 < 3".split()]
    lines = report.markdown(found).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 2 + 1 and len({line.count("|") for line in table}) == 1
    assert lines[0] == "`ssop bench`" and "- machine: one" in lines
    assert table[0].endswith("| best other |") and "reached" not in report.markdown(found)


def test_results_survive_their_file(tmp_path):
    found = some_results()
    report.write_results(found, tmp_path / "r.json")
    assert report.text(report.read_results(tmp_path / "r.json")) == report.text(found)


def test_nothing_measured_can_be_shown():
    found = {**some_results(), **results.summary([], targets.NO_TARGETS, 1, "avx2"), "complete": False}
    assert "interrupted" in report.text(found) and report.markdown(found)


# Command line


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory):
    """A run of every class on tiny and L1 sizes, its JSON file and what it printed."""
    file = tmp_path_factory.mktemp("bench") / "r.json"
    words = ["bench", "--quick", "--rounds", "2", "--sizes", "tiny,L1", "--contenders", "numpy", "--threads", "1"]
    command = [sys.executable, "-m", "ssop", *words, "--targets", str(TARGETS), "--json", str(file)]
    child = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return file, child


def test_a_quick_run(quick_run):
    file, child = quick_run
    found = json.loads(file.read_text())
    assert child.stderr == "" and "\033" not in child.stdout
    without = {"huge-out", "huge-new", "kept", "permute", "hptt", "layout", "numpy-out", "tensorflow"}
    assert {cell["class"] for cell in found["cells"]} == set(bench.CLASSES) - without
    for case in found["cases"]:
        assert set(case["times_ns"]) == {"ssop", "numpy"} and case["rejected"] == {}
        assert set(case["limit_times_ns"]) == {"memcpy", "call"} and case["limit"][0] > 0
        assert all(len(times) == 2 and min(times) > 0 for times in case["times_ns"].values())
        assert case["verdict"] in ("reached", "inside the noise", "not reached")
    assert found["complete"] and found["rounds"] == 2 and found["seed"] == 0 and found["machine"]["cpu"]
    assert found["command"] == ("ssop bench --quick --sizes tiny,L1 --contenders numpy --rounds 2 --threads 1 --seed 0")
    assert math.isfinite(found["geometric_mean"]["ratios"]["numpy"][1])


def test_a_run_can_be_rendered_again(quick_run, capsys):
    file, child = quick_run
    assert cli.main(["bench", "--render", str(file)]) == 0
    assert capsys.readouterr().out == child.stdout
    assert cli.main(["bench", "--render", str(file), "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("`ssop bench --quick") and "\n| geometric mean |" in out


@pytest.mark.filterwarnings("ignore")
def test_plot(quick_run, tmp_path, capsys):
    for name, start in (("p.png", b"\x89PNG"), ("p.svg", b"<?xml")):
        assert cli.main(["bench", "--render", str(quick_run[0]), "--plot", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(start)


def test_plot_without_matplotlib(quick_run, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    line = rejection(capsys, "--render", str(quick_run[0]), "--plot", "p.png")
    assert line == "--plot needs matplotlib: pip install matplotlib"


def test_ctrl_c_prints_what_there_is(monkeypatch, capsys):
    real, done = results.measure_case, []

    def interrupted(*arguments):
        if done:
            raise KeyboardInterrupt
        done.append(real(*arguments))
        return done[0]

    monkeypatch.setattr(results, "measure_case", interrupted)
    words = ["--quick", "--rounds", "1", "--classes", "stride-1B,reverse", "--sizes", "L1", "--contenders", "numpy"]
    assert cli.main(["bench", *words]) == 130
    out = capsys.readouterr().out
    assert "interrupted: only what was measured so far" in out
    assert "\nstride-1B" in out and "\nreverse" not in out


def test_wrong_bytes_of_our_own_are_told(monkeypatch, capsys):
    def wrong(work):
        return call.Call(lambda: work.out)

    monkeypatch.setitem(contenders.CONTENDERS, "ssop", contenders.Contender("ssop", "ssop", lambda threads: "1", wrong))
    words = ["--quick", "--classes", "stride-1B", "--sizes", "L1", "--contenders", "numpy"]
    assert cli.main(["bench", *words]) == 1
    assert "skipped   stride-1B L1 1 B ::2: WRONG: ssop: its bytes are not NumPy's" in capsys.readouterr().out


@pytest.mark.parametrize("names", ["memcpy", "numpy", "numpy-new,memcpy", "ssop"])
def test_any_contenders(names, tmp_path, capsys):
    words = ["--quick", "--rounds", "1", "--classes", "reverse,assign", "--sizes", "L1", "--contenders", names]
    assert cli.main(["bench", *words, "--markdown"]) == 0
    assert "| reverse | L1 | 2 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, line",
    [
        (["--classes", "rows"], "--classes: no class 'rows'; there are rows-16B, "),
        (["--classes", ","], "--classes: no class ''; there are "),
        (["--sizes", "L4"], "--sizes: no size 'L4'; there are tiny, L1, L2, L3, DRAM"),
        (["--contenders", "numba"], "--contenders: no contender 'numba'; there are ssop, numpy, "),
        (["--rounds", "0"], "--rounds: 0 is not in 1..1000000"),
        (["--threads", "many"], "--threads: 'many' is not an integer like 10, 0b1010 or 0xa"),
        (["--seed", "-1"], "--seed: -1 is not in 0..1000000"),
        (["--classes", "tiny", "--sizes", "L1"], "no case of these classes has these sizes"),
        (["--plot", "picture.pdf"], "--plot: picture.pdf ends neither in .png nor in .svg"),
        (["--targets", "missing.json"], "missing.json: No such file or directory"),
        (["--render", "missing.json"], "missing.json: No such file or directory"),
        (["--render", "r.json", "--quick"], "--render and --quick exclude each other"),
        (["--render", "r.json", "--rounds", "3"], "--render and --rounds exclude each other"),
        (
            ["--json", os.path.join("missing", "r.json"), "--classes", "tiny"],
            "missing/r.json: No such file or directory",
        ),
    ],
)
def test_bad_input(tmp_path, monkeypatch, capsys, words, line):
    monkeypatch.chdir(tmp_path)
    assert rejection(capsys, *words).startswith(line)


NO_RESULTS = ["", "[]", "{}", '{"format": 1}', '{"format": 2}', "[" * 10**5]


@pytest.mark.parametrize("content", NO_RESULTS, ids=range(len(NO_RESULTS)))
def test_what_is_no_result_is_rejected(tmp_path, capsys, content):
    file = tmp_path / "r.json"
    file.write_text(content)
    assert rejection(capsys, "--render", str(file)).startswith("r.json: no results of ssop bench: ")


def test_a_contender_that_is_not_installed(monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "jax" else real(name))
    assert rejection(capsys, "--contenders", "jax", "--sizes", "tiny") == "contender jax is not installed"


# Instruction counts


def script(name):
    """A module of the folder of benchmarks."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def instructions():
    return script("instructions")


def test_the_counted_calls_run(instructions):
    names = {}
    exec(instructions.SETUP, names)
    for call_ in instructions.CALLS.values():
        exec(call_, names)
    for recorded in instructions.records().values():
        assert set(recorded) <= set(instructions.CALLS)


def test_growth(instructions):
    assert instructions.grown({"a": 105, "b": 106, "c": 50, "d": 9}, {"a": 100, "b": 100, "c": 100}) == ["b"]


def test_records_are_of_environments(instructions):
    form = r"Python 3\.\d+, NumPy 2\.\d+, (GCC|clang) \d+, \w+, avx2"
    assert re.fullmatch(form, instructions.environment())
    assert instructions.records() and all(re.fullmatch(form, name) for name in instructions.records())


@pytest.mark.parametrize("recorded", [{}, {"4-D": 1000}])
def test_a_call_without_a_record_is_not_passed_over(instructions, monkeypatch, capsys, recorded):
    monkeypatch.setattr(instructions.shutil, "which", lambda name: "valgrind")
    monkeypatch.setattr(instructions, "environment", lambda: "here")
    monkeypatch.setattr(instructions, "records", lambda: {"here": recorded, "there": {"1-D": 1000}})
    monkeypatch.setattr(instructions, "count", lambda call: 1000)
    monkeypatch.setattr(sys, "argv", ["instructions.py", "--check", "--only", "D"])
    assert instructions.main() == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"no record for here: {', '.join(['4-D', '1-D', '4-D, plan'][len(recorded) :])}"
    assert second.startswith("--write makes one")


@pytest.mark.parametrize(("now", "code"), [(1000, 0), (1050, 0), (1051, 1)])
def test_the_check_rejects_growth(instructions, monkeypatch, capsys, now, code):
    monkeypatch.setattr(instructions.shutil, "which", lambda name: "valgrind")
    monkeypatch.setattr(instructions, "environment", lambda: "here")
    monkeypatch.setattr(instructions, "records", lambda: {"here": dict.fromkeys(instructions.CALLS, 1000)})
    monkeypatch.setattr(instructions, "count", lambda call: now)
    monkeypatch.setattr(sys, "argv", ["instructions.py", "--check"])
    assert instructions.main() == code
    assert ("grown by more than 5%: 4-D, 1-D" in capsys.readouterr().out) == bool(code)


def test_valgrind_is_missed_clearly(instructions, monkeypatch, capsys):
    monkeypatch.setattr(instructions.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["instructions.py", "--check"])
    assert instructions.main() == 2
    assert capsys.readouterr().err == "valgrind is not installed: nothing can be counted\n"


# Permutations


def test_hptt_has_its_57_permutations_of_about_200_MB():
    found = list(hptt.permutations())
    assert len(found) == len({permutation.name for permutation in found}) == 57
    for name, shape, axes in found:
        assert sorted(axes) == list(range(len(shape))), name
        assert 190e6 < 4 * math.prod(shape) < 250e6, name


def test_what_is_slower_than_it_should_be():
    permutations = script("permutations")
    best = {("portable", 1): 2.0, ("portable", 2): 1.0, ("avx2", 1): 1.5, ("avx2", 2): 1.6, ("NumPy", 1): 1.4}
    assert permutations.slower(best, margin=0.03) == [
        "avx2, 1: 0.93 of NumPy",
        "avx2, 2: 0.62 of portable",
        "avx2, 2: 0.94 of avx2, 1",
    ]
    assert permutations.slower({**best, ("avx2", 2): 0.9, ("NumPy", 1): 1.47}, margin=0.03) == []


def test_a_process_of_a_target_times_what_it_is_told(monkeypatch):
    permutations = script("permutations")
    small = Case("permute", "small", "DRAM", 0, lambda _: permuted((5, 6, 7), (2, 0, 1), 0), False)
    monkeypatch.setattr(permutations, "cases", lambda only: {"small": small})
    ours, theirs = multiprocessing.Pipe()
    threads = ssop.get_num_threads()
    for order in ("small", ("avx2", 1, "wall"), ("NumPy", 1, "cpu"), None):
        ours.send(order)
    try:
        permutations.serve(theirs)
    finally:
        ssop.set_num_threads(threads)
    assert ours.recv() is True
    assert ours.recv() >= 0 and ours.recv() >= 0


# Growth


@pytest.fixture
def growth():
    return script("growth")


def test_axes_of_every_rank_stay_apart(growth):
    for rank in range(1, 33):
        shape, index = growth.of_rank(rank)
        assert len(shape) == rank and 4 * math.prod(shape) == growth.RANK_BYTES
        view = np.empty(shape, "f4")[index]
        long = [(dim, stride) for dim, stride in zip(view.shape, view.strides, strict=True) if dim > 1]
        assert all(outer[1] != inner[0] * inner[1] for outer, inner in zip(long, long[1:], strict=False))
        assert len(long) == min(rank, 13)


@pytest.mark.filterwarnings("ignore")
def test_growth_prints_and_draws(growth, tmp_path, monkeypatch, capsys):
    words = ["--most", "4KiB", "--rounds", "1", "--threads", "1", "--plot", str(tmp_path / "g.svg")]
    monkeypatch.setattr(growth, "MAX_RANK", 3)
    monkeypatch.setattr(sys, "argv", ["growth.py", *words])
    threads = ssop.get_num_threads()
    try:
        assert growth.main() == 0
    finally:
        ssop.set_num_threads(threads)
    out = capsys.readouterr().out
    assert [line.split("|")[1].strip() for line in out.splitlines() if line.startswith("| ")] == [
        *["1 thread", ":--", "1 KiB", "4 KiB"],
        *["rank", ":--", "1", "2", "3"],
    ]
    assert (tmp_path / "g.svg").read_bytes().startswith(b"<?xml")
