"""cfg_s2: where the policies of the copy engine come from, and that no result depends on them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import child
import ssop
from ssop import _core, _policies

TOLD = "import ssop; config = ssop.show_config('dicts'); print({'policies': config['policies'], **config['tuning']})"
LISTED = {policy.name: policy for policy in _policies.policies()}


@pytest.fixture(autouse=True)
def policies_as_before():
    before = {policy.name: policy.value for policy in _policies.policies()}
    yield
    _core.use_policies(before)


def told(tmp_path, content=None, **environment):
    """What a new process says, whose tuned file has this content (None: there is no such file)."""
    path = tmp_path / "tuned.json"
    if content is not None:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    done = child.run_source(TOLD, SSOP_TUNED_FILE=str(path), **environment)
    assert done.returncode == 0, done.stderr
    return eval(done.stdout)


def tuned(policies, machine=None, form=_policies.FORMAT):
    return {"format": form, "machines": [{"machine": machine or _policies.machine(), "policies": policies}]}


def test_the_list_has_values_within_bounds():
    assert len(LISTED) >= 15
    for policy in LISTED.values():
        assert policy.low <= policy.value <= policy.high
        assert policy.variable == f"SSOP_POLICY_{policy.name.upper()}"


def test_thresholds_follow_the_last_cache(tmp_path):
    mine = told(tmp_path, SSOP_POLICY_LAST_CACHE_BYTES="8388608")["policies"]
    caches = LISTED["rep_movsb_bytes"].value // LISTED["last_cache_bytes"].value  # one or two, by the processor
    assert (mine["last_cache_bytes"], mine["prefetch_bytes"]) == (8 << 20, 4 << 20)
    assert mine["rep_movsb_bytes"] == caches * (8 << 20) > 0


def test_the_environment_has_precedence_over_the_file_and_the_file_over_the_machine(tmp_path):
    here = told(tmp_path, tuned({"table_items": 7, "step_bytes": 65536}), SSOP_POLICY_STEP_BYTES="20000")
    assert here["policies"] == {name: policy.value for name, policy in LISTED.items()} | {
        "table_items": 7,
        "step_bytes": 20000,
    }
    assert (here["state"], here["from_file"], here["from_environment"]) == ("used", ["table_items"], ["step_bytes"])


@pytest.mark.parametrize("text", ["-1", "x", "1.5", "1e6", "15", "2000000", "٣٢٧٦٨"])
def test_the_environment_must_name_an_integer_within_the_bounds(text):
    done = child.run_source("import ssop", SSOP_POLICY_STEP_BYTES=text)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ImportError: SSOP_POLICY_STEP_BYTES={text}: not an integer, 16384..1048576"


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (None, "there is none"),
        ("", "no tuned file: JSONDecodeError"),
        ("[1", "no tuned file: JSONDecodeError"),
        ("[]", "no tuned file: TypeError"),
        ("{}", "no tuned file: KeyError"),
        ("[" * 100_000, "no tuned file: RecursionError"),
        (tuned({}, form=99), "its format is 99, not 1"),
        (tuned({"table_items": 7}, machine={"processor": "another"}), "it has no entry for this machine"),
        (tuned({"table_items": 0}), "no such policy or value: table_items"),
        (tuned({"table_items": "7"}), "no such policy or value: table_items"),
        (tuned({"table_items": True}), "no such policy or value: table_items"),
        (tuned({"speed": 7}), "no such policy or value: speed"),
        (tuned([7]), "no tuned file: AttributeError"),
    ],
)
def test_a_file_that_does_not_fit_is_not_used(tmp_path, content, state):
    here = told(tmp_path, content)
    assert state in here["state"]
    assert here["from_file"] == []
    assert here["policies"] == {name: policy.value for name, policy in LISTED.items()}


def test_a_file_that_is_no_text_is_not_used(tmp_path):
    (tmp_path / "tuned.json").write_bytes(b"\xff\xfe\x00")
    assert told(tmp_path)["state"].startswith("not used: 'utf-8'")
    assert _policies.read_tuned(str(tmp_path)).state.startswith("not used: [Errno")


def test_an_empty_variable_means_no_file(tmp_path):
    assert child.run_source(TOLD, SSOP_TUNED_FILE="").returncode == 0
    assert _policies.read_tuned("").state == "not read: SSOP_TUNED_FILE is empty"


def test_the_file_is_in_the_folder_for_configuration(monkeypatch, tmp_path):
    monkeypatch.delenv("SSOP_TUNED_FILE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert _policies.tuned_file() == str(tmp_path / "ssop" / "tuned.json")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _policies.tuned_file() == str(tmp_path / ".config" / "ssop" / "tuned.json")


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"speed": 1}, KeyError),
        ({"table_items": 1.5}, TypeError),
        ({"table_items": 0}, ValueError),
        ({"table_items": 1 << 64}, OverflowError),
        ([], TypeError),
    ],
)
def test_what_is_no_record_of_policies_changes_nothing(values, error):
    with pytest.raises(error):
        _core.use_policies(values)
    assert {policy.name: policy for policy in _policies.policies()} == LISTED


def test_a_call_has_one_argument():
    for arguments in [(), ({}, {})]:
        with pytest.raises(TypeError):
            _core.use_policies(*arguments)


def records():
    """Records of policies, of which each has any value within its bounds, small ones as often as large ones."""
    values = {
        name: st.one_of(
            st.integers(policy.low, min(policy.low + 100, policy.high)),
            st.integers(policy.low, min(policy.low + (1 << 22), policy.high)),
            st.integers(policy.low, policy.high),
        )
        for name, policy in LISTED.items()
    }
    return st.fixed_dictionaries({}, optional=values)


COPIES = [
    lambda x: x[::-1, ::-1],
    lambda x: x[:, ::2],
    lambda x: x[1:-1, 3::3],
    lambda x: x[::-2, 1::5],
    lambda x: x[:, :200],
    lambda x: x.T,
    lambda x: x[:, ::-1].T,
    lambda x: np.broadcast_to(x[:, :1], x.shape),
    lambda x: x[:128].reshape(16, 8, -1, 4).transpose(2, 0, 3, 1),
]
SOURCES = [np.random.default_rng(size).integers(0, 256, (400, 412 * size), np.uint8) for size in (1, 2, 4, 8)]


@given(record=records(), copy=st.sampled_from(COPIES), source=st.sampled_from(SOURCES))
def test_cfg_s2_no_copy_depends_on_them(record, copy, source):
    _core.use_policies(record)
    view = copy(source.view(f"u{source.shape[1] // 412}"))
    expected = view.copy()
    assert np.array_equal(ssop.copy(view), expected)
    out = np.zeros_like(expected)
    ssop.copyto(out, view)
    assert np.array_equal(out, expected)


@given(record=records(), source=st.sampled_from(SOURCES))
def test_cfg_s2_no_gradient_and_no_update_depends_on_them(record, source):
    _core.use_policies(record)
    dy = source[:, :206]
    expected = np.zeros((402, 412), np.uint8)
    expected[1:-1, ::2] = dy
    assert np.array_equal(ssop.strided_slice_grad((402, 412), [1, 0], [-1, 412], [1, 2], dy), expected)
    expected = np.zeros((402, 412), np.uint8)
    expected[2:, 5:211] = dy
    assert np.array_equal(ssop.dynamic_update_slice(np.zeros((402, 412), np.uint8), dy, [2, 5]), expected)
