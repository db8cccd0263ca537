"""Calls of every public callable of ssop with anything.

    python fuzz/callables.py --calls 100000 --seed 1

Each call follows from the seed and its number: `--first N --calls 1` repeats call N. The calls run in a child process,
so that a crash or a hang is a finding like any other. It is printed with the child's traceback, and the next call is
made in a new process. The exit code is 1 if anything was found. tests/memory/anything.py says which errors a call may
raise, tests/memory/callables.py what is called, and what is not and why.
"""

import argparse
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests"))

from memory.anything_child import Campaign  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1, help="of processor time that a call may take")
    options = parser.parse_args()
    campaign = Campaign(options.seed, options.first, options.calls, options.seconds)
    for damage in campaign.run():
        print(damage, flush=True)
    for kind, count in collections.Counter(campaign.kinds).most_common():
        print(f"{count:7}  {kind}")
    print(f"{options.calls} calls of {campaign.callables} callables, {campaign.damaged} with damage")
    return campaign.damaged > 0


if __name__ == "__main__":
    sys.exit(main())
