"""Failures as files, one each: what was asked, both answers, the versions, the rules; and asking again.

A file is JSON with the members of `Failure`. `kind` says what `program` is, and who asks again. "call" is one
operation, "chain" several that an engine compiles as one, "model" a program that a converter takes, and "program"
Python code with what it prints.
"""

from ssop.testing.corpus.files import Failure, read_folder, write_failure
from ssop.testing.corpus.replaying import REPLAYERS, Replayed, replay

__all__ = ["REPLAYERS", "Failure", "Replayed", "read_folder", "replay", "write_failure"]
