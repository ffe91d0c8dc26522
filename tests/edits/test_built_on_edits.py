"""A block that changes lines which earlier blocks of the same answer wrote takes their place."""

from __future__ import annotations

import random

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.edits.places.sequential_edits import after_hunks
from spark_tui.events import Decided

FILE = ("def f():", "    x = 1", "    return x", "", "def g():", "    y = 1", "    return y")


def read(
    *blocks: tuple[list[str], list[str]], format_name: str = "search_replace"
) -> tuple[Parser, list[Decided]]:
    text = "".join(
        "\n".join(["a.py", "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", ""])
        for old, new in blocks
    )
    parser = Parser(format_name, lambda path: FILE if path == "a.py" else None)
    events = [*parser.feed(text), *parser.finish()]
    return parser, [event for event in events if isinstance(event, Decided)]


@pytest.mark.parametrize("format_name", ["search_replace", "auto"])
def test_the_later_block_gives_up_the_earlier_one(format_name: str) -> None:
    first, second = (["    x = 1"], ["    x = 2", "    z = 3"]), (["    z = 3"], ["    z = 4"])
    parser, decided = read(first, (["    y = 1"], ["    y = 2"]), second, format_name=format_name)
    assert [(hunk.old_lines, hunk.new_lines) for hunk in parser.hunks] == [
        (("    y = 1",), ("    y = 2",)),
        (("    x = 1",), ("    x = 2", "    z = 4")),
    ]
    assert decided == [Decided(1, "rejected", "3")]


def test_a_block_that_undoes_the_earlier_one_leaves_nothing() -> None:
    parser, decided = read((["    x = 1"], ["    x = 2"]), (["    x = 2"], ["    x = 1"]))
    assert not parser.hunks and not parser.failures
    assert decided == [Decided(1, "rejected", "")]


def test_lines_that_were_written_twice_are_still_ambiguous() -> None:
    parser, _ = read(
        (["    x = 1"], ["    n = 2"]), (["    y = 1"], ["    n = 2"]), (["    n = 2"], ["    n = 3"])
    )
    assert len(parser.failures) == 1
    assert len(parser.hunks) == 2


@pytest.mark.parametrize("seed", range(200))
def test_blocks_one_after_the_other_give_what_they_say(seed: int) -> None:
    draw, lines, blocks = random.Random(seed), list(FILE), []
    for step in range(draw.randint(2, 5)):
        low = draw.randrange(len(lines))
        high = draw.randint(low + 1, min(low + 3, len(lines)))
        old = lines[low:high]
        new = [f"    new {step} {at}" for at in range(draw.randint(0, 2))]
        kept = draw.choice([[], old[:1], old[-1:]])
        new = [*kept, *new] if kept == old[:1] else [*new, *kept]
        if sum(lines[at : at + len(old)] == old for at in range(len(lines))) > 1 or not any(
            map(str.strip, old)
        ):
            continue
        blocks.append((old, new))
        lines[low:high] = new
    parser, decided = read(*blocks)
    if not parser.failures:
        assert list(after_hunks(FILE, parser.hunks).lines) == lines
    gone = {event.hunk_id for event in decided}
    assert gone.isdisjoint(hunk.id for hunk in parser.hunks)
