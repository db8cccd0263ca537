"""Profiles of the property tests, chosen by HYPOTHESIS_PROFILE: `dev` while editing, `ci` by default, `nightly`."""

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow]  # a busy machine is no mistake of ours

settings.register_profile("dev", max_examples=200, deadline=None, suppress_health_check=SLOW)
settings.register_profile(
    "ci",
    max_examples=1000,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=SLOW,
)
settings.register_profile("nightly", max_examples=100_000, deadline=None, print_blob=True, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
