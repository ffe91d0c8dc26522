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
        ("also_require", "job is not None", "-job < now", "job is not None and -job < now"),
        ("also_require", "now > 1", "job.due < now", "job.due < now and now > 1"),
    ],
)
def test_it_is_asked_before_what_needs_it(intent: str, new: str, old: str, after: str) -> None:
    code = "def late(job, now):\n    if {}:\n        return 1\n    return 2\n"
    made = changed(code.format(old), f"late: {intent} {new}", intent, function="late", condition=new)
    assert made == code.format(after)


@pytest.mark.parametrize(
    "operand", ["job.due", "(\n            job.due or now\n        )", "((job.due) or now)", "(job.due)"]
)
@pytest.mark.parametrize("front", ["and ", "and  # of two (\n        "])
def test_lines_and_comments_of_a_condition_stay(front: str, operand: str) -> None:
    code = "def late(job, now):\n    if (\n        now\n        {}{}\n    ):\n        return 1\n"
    said = "late: require job is not None"
    made = changed(
        code.format(front, operand), said, "also_require", function="late", condition="job is not None"
    )
    assert made == code.format(front, f"job is not None and {operand}")
