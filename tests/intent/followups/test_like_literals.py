"""A short literal that is exchanged everywhere is so where it stands for the same."""

from __future__ import annotations

import pytest

from spark_tui.codemods.registry import Operation, from_json
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.followups.repeats.like_literals import only_like_literals
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
def stop(delay=2, tries=2):
    exit(2)
    dump(delay, indent=2)
    sleep(2, delay=2)
    if tries > 2:
        exit(2)
    port = 8022
    other = 8022
"""


def exchange(line: int, old: str) -> Operation:
    return from_json({"op": "replace_expression", "place": f"a.py:{line}", "old": old, "new": "1"})


@pytest.mark.parametrize(
    ("first", "others", "kept"),
    [
        (2, (3, 4, 5, 6), (2, 6)),  # other exits
        (1, (3, 4), (1, 4)),  # what is called delay
        (5, (2, 3), ()),
    ],
)
def test_only_where_it_stands_for_the_same(
    first: int, others: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    before = Repository(DictTree({"a.py": CODE}))
    made = exchange(first, "2")
    found = [Candidate((made, *(exchange(at, "2") for at in others)), Reading("replace_value", 1.0))]
    (only,) = only_like_literals(found, (made,), before)
    assert only.calls == tuple(exchange(at, "2") for at in kept)
    assert only.nothing == (not kept)


def test_a_longer_number_is_the_same_everywhere() -> None:
    before = Repository(DictTree({"a.py": CODE}))
    calls = (exchange(7, "8022"), exchange(8, "8022"))
    assert (
        only_like_literals([Candidate(calls, Reading("replace_value", 1.0))], calls[:1], before)[0].calls
        == calls
    )
