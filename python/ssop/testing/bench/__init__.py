"""The benchmark behind `ssop bench`: what is measured (`cases`), who takes part (`contenders`), how (`measuring`).

Every time is a median of interleaved rounds and every judgement rests on ratios within one round: on a shared machine
nothing else means much. Needs NumPy alone; frameworks take part where they are installed.
"""

from ssop.testing.bench.cases import CLASSES, each_case
from ssop.testing.bench.contenders import CONTENDERS, team
from ssop.testing.bench.kind import SIZES, Case
from ssop.testing.bench.results import Options, run
from ssop.testing.bench.work import Work

__all__ = ["CLASSES", "CONTENDERS", "SIZES", "Case", "Options", "Work", "each_case", "run", "team"]
