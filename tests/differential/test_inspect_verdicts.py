"""The verdicts of `ssop.inspect` on models of the frameworks' exporters, against the engines on three shapes each.

SSOP_TEST_SCALE=2.5 is the campaign of 300 models; below that each exporter makes its share of them.

Where a verdict says "equal everywhere", all engines give the same on each shape, or all give an error. Where it says
that two differ, they do on the shape that it names. On each shape the result has the dims that the report gives it, and
is what its index takes. What an engine does otherwise is a row of `DIVERGENCES`, or a failure.
"""

from collections import Counter
from math import prod

import numpy as np
import pytest

from differential.conftest import SEED
from differential.exported_models import EXPORTERS, NotExported, NotRun, drawn, operand
from scale import examples
from ssop import SliceError
from ssop._inspect.meanings import ENGINES, calls_of
from ssop._inspect.verdicts import EQUAL, ERROR, OTHERS, UNKNOWN
from ssop.testing._differential.predicates import dangers
from ssop.testing.calls import Call

DIVERGENCES = {
    "unwritten": "LiteRT and OpenVINO give memory that was never written, and no error, for an index outside its axis",
    "not sent": "a call that may end the engine's process or damage its memory is not made",
    "kept axis": "OpenVINO's Squeeze keeps an axis whose length is 0, and gives no error",
    "least stride": "LiteRT rejects a stride of -2^31",
}
"""What engines do that is not their rule; docs/engine-defects.md has programs for those that give a wrong result."""
PLUGIN = "OpenVINO's CPU plugin"
OUTSIDE = {"LiteRT": ("tfl_c6", "tfl_c7"), **dict.fromkeys(("OpenVINO", PLUGIN), ("ss_c8", "dim_c2", "ov_c8"))}
"""The rules for an index outside its axis that an engine breaks without an error."""
REASONS = ("known at run time only", "counted from both ends", "are no slice", "is negative", "is shown, not compared")
"""Why nothing is known of a node; any other reason is a failure."""
ERRORS = "error"


class Judge:
    """Compares what a report says of nodes with the engines."""

    def __init__(self, format_):
        self.counts, self.met = Counter(), Counter()
        self.rules = {engine.name: engine for engine in ENGINES[format_]}

    def judge(self, model, report, shapes):
        verdict = report.judged.verdict
        self.counts[verdict.kind] += 1
        if verdict.kind == UNKNOWN:
            assert any(reason in verdict.text for reason in REASONS), verdict
            return
        tried = list(shapes)
        if verdict.smallest is not None and prod(verdict.smallest) < 10**6 and report.node.operand == "x":
            tried.append(verdict.smallest)
        for dims in tried:
            self.on_shape(model, report, dims, dims is verdict.smallest)

    def on_shape(self, model, report, dims, smallest):
        try:
            x = model.operand(report.node, operand(dims))
        except NotRun:
            return
        except Exception:  # a node before it gives an error
            self.counts["not reached"] += 1
            return
        answers = self.answers(model, report, dims, x)
        what = report.node.calls, x.shape, str(report.judged.verdict), answers
        for engine, answer in answers.items():
            shape = report.judged.shapes.get(engine)
            assert shape is None or has_shape(answer, shape, report.node.input_shape, x.shape), (engine, shape, what)
            self.counts["results"] += answer is not ERRORS
        own, verdict = next(iter(self.rules)), report.judged.verdict
        if own not in answers:  # it may not be asked
            return
        if verdict.kind == EQUAL:
            assert all(same(answers[own], answer) for answer in answers.values()), what
        elif verdict.kind == ERROR:
            assert answers[own] is ERRORS, what
        elif smallest and verdict.engines[1] in answers:
            assert not same(answers[own], answers[verdict.engines[1]]), what
            self.counts["differences shown"] += 1
        if report.index is not None and answers[own] is not ERRORS:
            taken = eval(report.index, {"x": x, "np": np})
            assert same(taken, answers[own]), (report.index, what)

    def answers(self, model, report, dims, x):
        """The results of the format's own engine, by its rule if nothing runs it, and of the others that run it."""
        found = {}
        for name, engine in self.rules.items():
            wanted, label = by_rule(report.node, engine, x)
            if name not in model.engines:
                if not found:
                    found[name] = wanted
                continue
            if not_sent(report.node, engine, x):
                self.met["not sent"] += 1
                continue
            try:
                answer = np.asarray(model.run(name, report.node, operand(dims)))
            except NotRun:
                continue
            except Exception as error:  # each engine has its own
                assert not isinstance(error, (NameError, AttributeError, AssertionError)), error
                answer = ERRORS
            if label in OUTSIDE.get(name, ()) and answer is not ERRORS:
                self.met["unwritten"] += 1
                answer = ERRORS
            elif name in ("OpenVINO", PLUGIN) and label == "cv_c2" and answer is not ERRORS and answer.size == 0:
                self.met["kept axis"] += 1
                answer = ERRORS
            elif name == "LiteRT" and answer is ERRORS and -(2**31) in strides_of(report.node):
                self.met["least stride"] += 1
                answer = wanted
            found[name] = answer
        return found


def has_shape(answer, shape, given, dims):
    """Whether a result is as the report says: an error in words, or dims, perhaps some of the operand's."""
    if answer is ERRORS or isinstance(shape, str):
        return answer is ERRORS
    if shape[-1:] == (OTHERS,):
        shape = shape[:-1] + (None,) * (answer.ndim - len(shape) + 1)
    known = dict(zip(given or (), dims, strict=False))
    return len(shape) == answer.ndim and all(map(fits, answer.shape, shape, [known] * answer.ndim))


def fits(length, dim, known):
    if isinstance(dim, tuple):
        return dim[0] <= length and (dim[1] is None or length <= dim[1])
    return dim is None or length == (known[dim] if isinstance(dim, str) else dim)


def same(first, second):
    if first is ERRORS or second is ERRORS:
        return first is second
    return first.shape == second.shape and np.array_equal(first, second)


def by_rule(node, engine, x):
    """The result by the engine's rule, or `ERRORS` and the label of the error."""
    try:
        for call in calls_of(node, engine):
            x = call(x)
    except SliceError as error:
        return ERRORS, error.label
    return x, None


def sent(node, engine, x):
    """The calls as those of the tests against the engines, as far as they are strided slices."""
    for call in calls_of(node, engine):
        if call.function.partition(".")[2] in ("strided_slice", "slice"):
            yield Call(call.function, (x,), dict(call.arguments), "cpu")
        x = call(x)


def not_sent(node, engine, x):
    oracle = {"OpenVINO": "openvino", PLUGIN: "openvino", "LiteRT": "litert", "TensorFlow": "tensorflow"}.get(
        engine.name
    )
    try:
        return oracle is not None and any(dangers(oracle, call) for call in sent(node, engine, x))
    except SliceError:
        return False


def strides_of(node):
    return [stride for call in node.calls for stride in call.arguments.get("strides") or ()]


@pytest.mark.filterwarnings("ignore")  # of exporters
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_verdicts_are_what_the_engines_show(exporter, tmp_path, report, without_x64):
    made, judge, refused = 0, None, 0
    models = max(2, examples(EXPORTERS[exporter].share) * 2 // 5)
    for number, case in enumerate(drawn(EXPORTERS[exporter].kinds, 8 * models, SEED)):
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            exported = EXPORTERS[exporter].models(case, folder)
        except NotExported:
            refused += 1
            continue
        judge = judge or Judge(exported[0][0].inspection.model.format)
        for model, shapes in exported:
            for node in model.inspection.nodes:
                judge.judge(model, node, shapes)
        made += any(model.inspection.nodes for model, _ in exported)  # exporters leave out what takes the whole
        if made == models:
            break
    assert made == models and judge.counts["results"] > 0 and judge.counts[EQUAL] > 0
    counts = ", ".join(f"{count} {what}" for what, count in sorted(judge.counts.items()))
    reasons = "".join(f"; {count} times: {DIVERGENCES[name]}" for name, count in sorted(judge.met.items()))
    report(f"{exporter}: {made} models, {refused} slices that it rejects; {counts}{reasons}; SSOP_SEED={SEED}")
