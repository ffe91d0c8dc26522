# ruff: noqa: E501 - tables read better unbroken
"""Code that is spelled out is replaced wherever it stands; sizes are written as the old ones were."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

WAITS = """\
import time


def poll(job):
    while not job.done:
        time.sleep(0.001)


def settle(job):
    time.sleep(0.001)
    return job.wait(time.sleep(0.001))
"""


def _after(text: str, say: str) -> str:
    lines = text.split("\n")
    found = known(lines, say)
    assert len(found) == 1
    assert found[0].plain == PLAIN
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines)


@pytest.mark.parametrize(
    "say",
    [
        "replace time.sleep(0.001) with time.sleep(0.01)",
        "replace `time.sleep(0.001)` by `time.sleep(0.01)`",
        "please substitute time.sleep(0.001) with time.sleep(0.01)",
    ],
)
def test_code_that_is_spelled_out_is_replaced_at_every_place(say: str) -> None:
    assert _after(WAITS, say) == WAITS.replace("0.001", "0.01")


def test_a_place_that_is_named_bounds_it() -> None:
    after = _after(WAITS, "replace time.sleep(0.001) with time.sleep(0.01) in settle")
    head, tail = WAITS.split("def settle")
    assert after == head + "def settle" + tail.replace("0.001", "0.01")


def test_a_number_alone_is_not_meant_everywhere() -> None:
    assert all(one.plain != PLAIN for one in known(WAITS.split("\n"), "replace 0.001 with 0.01"))


@pytest.mark.parametrize(
    ("old", "say", "new"),
    [
        ("SIZE_LIMIT = 2**30\n", "SIZE_LIMIT should be 2 GiB", "SIZE_LIMIT = 2 * 2**30\n"),
        ("SIZE_LIMIT = 2**30\n", "set SIZE_LIMIT to 1 MiB", "SIZE_LIMIT = 2**20\n"),
        ("SIZE_LIMIT = 1024 * 1024\n", "SIZE_LIMIT should be 2 GB", "SIZE_LIMIT = 2 * 1024**3\n"),
        ("SIZE_LIMIT = 1024 * 1024\n", "set SIZE_LIMIT to 64 KiB", "SIZE_LIMIT = 64 * 1024\n"),
        ('D = {\n    "size_limit": 1048576,\n}\n', "size_limit should be 2 GiB", 'D = {\n    "size_limit": 2147483648,\n}\n'),
    ],
)  # fmt: skip
def test_sizes_are_written_in_the_manner_of_the_old_one(old: str, say: str, new: str) -> None:
    assert _after(old, say) == new


def test_what_a_thing_is_called_is_not_replaced_by_its_size() -> None:
    text = 'D = {\n    "size_limit": 2**30,\n}\n'
    for one in known(text.split("\n"), "size_limit should be 2 GiB by default"):
        assert '"2"' not in "".join(line for hunk in one.hunks for line in hunk.new)
