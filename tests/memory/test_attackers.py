"""What attacks the calls does what it says, however slow the machine is."""

import time

from memory.attackers import timer


class SlowTrigger:
    """Its `fire` takes longer than the time between two signals."""

    def __init__(self):
        self.fired, self.depth, self.deepest = 0, 0, 0

    def fire(self, attacker):
        self.fired += 1
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        end = time.monotonic() + 0.003
        while time.monotonic() < end:
            pass
        self.depth -= 1


def test_handlers_of_a_fast_timer_never_run_within_each_other():
    trigger = SlowTrigger()
    with timer(trigger, 0.001, 0.001):
        while trigger.fired < 10:
            pass
    assert trigger.deepest == 1
