"""Types of a whole file, and times that become aware."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

TYPED = """KEEP = 7


def read(path):
    return open(path).read()


def prune(names, keep=KEEP):
    return len(names[keep:])
"""


def test_without_a_function_all_of_the_file_are_typed() -> None:
    after = changed(TYPED, "type hints please", "annotate_all")
    assert "def read(path: str)" in after
    assert "def prune(names, keep: int = KEEP) -> int:" in after


def test_with_a_function_only_that_one_is() -> None:
    after = changed(TYPED, "type hints for prune", "annotate_all", function="prune")
    assert "def read(path):" in after
    assert "def prune(names, keep: int = KEEP) -> int:" in after


NOW = "import datetime\n\n\ndef stamp():\n    return datetime.datetime.now()\n"


@pytest.mark.parametrize("text", ["use utc", "make the times timezone aware"])
def test_a_local_time_becomes_one_in_utc_with_a_mark(text: str) -> None:
    found = answer_to(NOW, text, "pattern.aware_utc")
    assert any("time in UTC" in doubt for doubt in found.ways[0].marked)
    assert "datetime.datetime.now(datetime.timezone.utc)" in changed(NOW, text, "pattern.aware_utc")


def test_utcnow_that_is_named_and_not_there_leaves_now_alone() -> None:
    assert not answer_to(NOW, "utcnow is deprecated", "pattern.aware_utc").ways


def test_utcnow_comes_before_now() -> None:
    code = NOW + "\n\ndef other():\n    return datetime.datetime.utcnow()\n"
    assert "return datetime.datetime.now()\n" in changed(code, "use utc", "pattern.aware_utc")
