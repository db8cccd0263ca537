"""Damaged model files, which must be read or be one clear error.

    python fuzz/models.py --format onnx --files 100000 --seed 1

Good models are changed byte by byte (tests/differential/hostile_models.py), read and inspected. A file must give a
model or an error that names its rule, in the time and the memory that are allowed. The first other one ends the run,
and its bytes are printed. The memory is the address space of this process, which is limited from its start on.
"""

import argparse
import os
import random
import resource
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests"))

from differential import hostile_models  # noqa: E402
from differential.hostile_models import READERS  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--format", choices=READERS, action="append", help="all, unless given")
    parser.add_argument("--files", type=int, default=10_000, help="of each good model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=20, help="of processor time that a file may take")
    parser.add_argument("--megabytes", type=int, default=4_096, help="of address space")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (options.megabytes << 20,) * 2)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, whatever code runs
    for kind in options.format or READERS:

        def read(source, reader=READERS[kind]):
            signal.setitimer(signal.ITIMER_PROF, options.seconds)
            return reader(source)

        before = time.process_time()
        found = hostile_models.campaign(kind, read, random.Random(options.seed), options.files)
        print(f"{kind}: {found}, {time.process_time() - before:.0f} s")


if __name__ == "__main__":
    main()
