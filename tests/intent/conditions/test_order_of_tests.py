"""A test that is joined to another one stands in front of what fails without it."""

from __future__ import annotations

import pytest
from intent.asking import changed


@pytest.mark.parametrize(
    ("intent", "new", "old", "after"),
    [
        ("also_require", "job is not None", "job.due < now", "job is not None and job.due < now"),
        (
            "also_require",
            "job is not None",
            "(job.a or now) and now",
            "job is not None and (job.a or now) and now",
        ),
        ("also_require", "job is not None", "now > 1 or job.due", "job is not None and (now > 1 or job.due)"),
        (
            "also_require",
            "job.due is not None",
            "job and job.due < now",
            "job and job.due is not None and job.due < now",
        ),
        (
            "also_require",
            "isinstance(job, str)",
            "now and (job[1:] or now)",
            "now and isinstance(job, str) and (job[1:] or now)",
        ),
        ("also_allow", "job is None", "job.due < now", "job is None or job.due < now"),
        ("also_allow", "not job", "now or job[0] < now", "now or not job or job[0] < now"),
        ("also_require", "job is not None", 'job != "no"', 'job != "no" and job is not None'),
        ("also_require", "now > 1", "job.due < now", "job.due < now and now > 1"),
    ],
)
def test_it_is_asked_before_what_needs_it(intent: str, new: str, old: str, after: str) -> None:
    code = "def late(job, now):\n    if {}:\n        return 1\n    return 2\n"
    made = changed(code.format(old), f"late: {intent} {new}", intent, function="late", condition=new)
    assert made == code.format(after)
