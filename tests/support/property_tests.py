"""Property tests in two sizes: some examples by default, the same every time; at least 1,000 new ones under
`slow`."""

import functools

import pytest
from hypothesis import HealthCheck, given, settings

_SLOW_EXAMPLES = 1000


def law(*, quick=60, slow=_SLOW_EXAMPLES, **strategies):
    """Make a test of `check(**drawn)` that must hold for every example."""

    def make(check):
        @pytest.mark.parametrize(
            "examples", [quick, pytest.param(slow, marks=pytest.mark.slow)], ids=["quick", "slow"]
        )
        def run(examples):
            checks = settings(
                max_examples=examples,
                deadline=None,
                derandomize=examples == quick,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
                print_blob=True,
            )
            checks(given(**strategies)(check))()

        functools.update_wrapper(run, check)
        del run.__wrapped__
        return run

    return make
