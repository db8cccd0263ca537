"""Large permutations with every CPU target that this processor has, against each other and against NumPy.

- `python benchmarks/permutations.py`: all permutations of the benchmark, about 200 MB of f4 each
- `python benchmarks/permutations.py --only 6-D --rounds 15`: those whose name contains 6-D
- `python benchmarks/permutations.py --clock cpu`: on a machine that does other work at the same time

In each round every contender permutes once, in an order drawn anew. The fastest round of each counts, and the table
shows bytes of the result per second. Below it stands what is slower by more than `--margin` than it should be: a CPU
target than the portable kernels, one thread than NumPy, or two threads than one. The exit code is 1 if anything is.

With `--clock wall` (the default) a time is the elapsed one. With `--clock cpu` it is the CPU time of the process,
divided by the number of threads: what the call takes if no other process uses the processors.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

import ssop
from ssop.testing.bench import machine
from ssop.testing.bench.cases import each_case
from ssop.testing.bench.kind import Case

NUMPY = "NumPy"


def cases(only: str) -> dict[str, Case]:
    """Name -> permutation, of those whose name contains `only`."""
    return {case.name: case for case in each_case(["permute", "hptt"], ["DRAM"]) if only in case.name}


def serve(pipe: Connection) -> None:
    """Run in a process of its own: prepare a permutation when told its name, and time it when told how."""
    known = cases("")
    work: Any = None
    while True:
        order = pipe.recv()
        if order is None:
            return
        if isinstance(order, str):
            work = known[order].work()
            ssop.copyto(work.out, work.x.transpose(work.order))
            pipe.send(bool((work.out == work.x.transpose(work.order)).all()))
            continue
        contender, threads, clock = order
        ssop.set_num_threads(threads)
        copy = np.copyto if contender == NUMPY else ssop.copyto
        now = time.perf_counter if clock == "wall" else time.process_time
        start = now()
        copy(work.out, work.x.transpose(work.order))
        pipe.send((now() - start) / (threads if clock == "cpu" else 1))


def measure(pipes: dict[str, Connection], name: str, rounds: int, clock: str) -> dict[tuple[str, int], float]:
    """(Contender, threads) -> seconds of the fastest round. NumPy runs beside the portable kernels."""
    for target, pipe in pipes.items():
        pipe.send(name)
        if not pipe.recv():
            raise SystemExit(f"{name}: {target} gives a wrong result")
    turns = [(target, threads) for target in pipes for threads in (1, 2)] + [(NUMPY, 1)]
    best = dict.fromkeys(turns, float("inf"))
    for _ in range(rounds):
        random.shuffle(turns)
        for turn in turns:
            pipe = pipes.get(turn[0], pipes["portable"])
            pipe.send((*turn, clock))
            best[turn] = min(best[turn], pipe.recv())
    return best


def slower(best: dict[tuple[str, int], float], margin: float) -> list[str]:
    """Return what is slower than it should be, with the ratio of the speeds."""
    found = []
    for (contender, threads), seconds in best.items():
        if contender == NUMPY:
            continue
        rivals = {"portable": best["portable", threads]}
        if threads == 2:
            rivals[f"{contender}, 1"] = best[contender, 1]
        elif contender != "portable":
            rivals[NUMPY] = best[NUMPY, 1]
        found += [
            f"{contender}, {threads}: {other / seconds:.2f} of {rival}"
            for rival, other in rivals.items()
            if seconds * (1 - margin) > other
        ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", metavar="TEXT", default="", help="permutations whose name contains TEXT")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--margin", type=float, default=0.03, help="a share of the speed, taken for noise")
    arguments = parser.parse_args()
    usable = ssop.show_config("dicts")["kernels"]["usable"]
    context = multiprocessing.get_context("spawn")
    pipes: dict[str, Connection] = {}
    for target in reversed(usable):  # the portable kernels first
        os.environ["SSOP_CPU"] = target  # which the new process reads
        pipes[target], theirs = context.Pipe()
        context.Process(target=serve, args=(theirs,), daemon=True).start()
    print(", ".join(f"{name} {text}" for name, text in machine.facts().items() if name != "environment"))
    print(f"GB/s of the result; {arguments.rounds} rounds, {arguments.clock} clock")
    columns = [f"{target}, {threads}" for target in pipes for threads in (1, 2)]
    print("| permutation | " + " | ".join(columns) + " | NumPy |")
    print("| :-- |" + " --: |" * (len(columns) + 1))
    failures = []
    for name, case in cases(arguments.only).items():
        best = measure(pipes, name, arguments.rounds, arguments.clock)
        nbytes = case.nbytes
        print(f"| {name} | " + " | ".join(f"{nbytes / seconds / 1e9:.2f}" for seconds in best.values()) + " |")
        sys.stdout.flush()
        failures += [f"{name}: {line}" for line in slower(best, arguments.margin)]
    for pipe in pipes.values():
        pipe.send(None)
    print("\n".join(failures) or "nothing is slower than it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
