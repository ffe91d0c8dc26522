"""A block that changes lines which earlier blocks of the same answer wrote takes their place."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.edits.places.sequential_edits import after_hunks
from spark_tui.events import Decided

FILE = ("def f():", "    x = 1", "    return x", "", "def g():", "    y = 1", "    return y")


FORMATS = ("search_replace", "apply_patch", "udiff")
Block = tuple[list[str], list[str]]


def answer(blocks: Sequence[Block], format_name: str) -> str:
    """Each block as an edit of its own."""
    if format_name == "search_replace":
        rows = [["a.py\n<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE"] for old, new in blocks]
        return "".join("\n".join([*row, ""]) for row in rows)
    head = (
        "*** Update File: a.py\n@@\n" if format_name == "apply_patch" else "--- a/a.py\n+++ b/a.py\n@@ @@\n"
    )
    text = ""
    for old, new in blocks:
        text += head + "".join(f"-{line}\n" for line in old) + "".join(f"+{line}\n" for line in new)
    return f"*** Begin Patch\n{text}*** End Patch\n" if format_name == "apply_patch" else text


def read(*blocks: Block, format_name: str = "search_replace") -> tuple[Parser, list[Decided]]:
    text = answer(blocks, "search_replace" if format_name == "auto" else format_name)
    parser = Parser(format_name, lambda path: FILE if path == "a.py" else None)
    events = [*parser.feed(text), *parser.finish()]
    return parser, [event for event in events if isinstance(event, Decided)]


@pytest.mark.parametrize("format_name", [*FORMATS, "auto"])
def test_the_later_block_gives_up_the_earlier_one(format_name: str) -> None:
    first, second = (["    x = 1"], ["    x = 2", "    z = 3"]), (["    z = 3"], ["    z = 4"])
    parser, decided = read(first, (["    y = 1"], ["    y = 2"]), second, format_name=format_name)
    assert [(hunk.old_lines, hunk.new_lines) for hunk in parser.hunks] == [
        (("    y = 1",), ("    y = 2",)),
        (("    x = 1",), ("    x = 2", "    z = 4")),
    ]
    assert decided == [Decided(1, "rejected", "3")]


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_block_that_undoes_the_earlier_one_leaves_nothing(format_name: str) -> None:
    first, second = (["    x = 1"], ["    x = 2"]), (["    x = 2"], ["    x = 1"])
    parser, decided = read(first, second, format_name=format_name)
    assert not parser.hunks and not parser.failures
    assert decided == [Decided(1, "rejected", "")]


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_block_that_is_refused_leaves_the_earlier_one(format_name: str) -> None:
    first, second = (["    x = 1"], ["    x = 2", "    z = 3"]), (["    z = 3"], ["    # ... the rest ..."])
    parser, decided = read(first, (["    y = 1"], ["    y = 2"]), second, format_name=format_name)
    assert [(hunk.id, hunk.new_lines) for hunk in parser.hunks] == [
        (1, ("    x = 2", "    z = 3")),
        (2, ("    y = 2",)),
    ]
    assert len(parser.failures) == 1 and not decided


@pytest.mark.parametrize("format_name", FORMATS)
def test_lines_that_were_written_twice_are_still_ambiguous(format_name: str) -> None:
    blocks = (["    x = 1"], ["    n = 2"]), (["    y = 1"], ["    n = 2"]), (["    n = 2"], ["    n = 3"])
    parser, _ = read(*blocks, format_name=format_name)
    assert len(parser.failures) == 1
    assert len(parser.hunks) == 2


def patched(*updates: str) -> Parser:
    """What a patch comes to that changes the file once for each of these."""
    parser = Parser("apply_patch", lambda path: FILE if path == "a.py" else None)
    text = "".join(f"*** Update File: a.py\n{update}" for update in updates)
    for _ in (*parser.feed(f"*** Begin Patch\n{text}*** End Patch\n"), *parser.finish()):
        pass
    return parser


def test_a_chunk_that_changes_lines_of_its_own_too_is_one_hunk_for_each() -> None:
    first, second = (
        "@@\n-    x = 1\n+    x = 2\n",
        "@@\n-def f():\n+def h():\n     x = 2\n-    return x\n+    return 0\n",
    )
    again = "@@\n def f():\n-    x = 2\n+    x = 3\n-    return x\n+    return 0\n"
    parser = patched(first, second)
    assert [(hunk.old_lines, hunk.new_lines) for hunk in parser.hunks] == [
        (("    x = 1",), ("    x = 2",)),
        (("def f():",), ("def h():",)),
        (("    return x",), ("    return 0",)),
    ]
    assert [hunk.new_lines for hunk in patched(first, again).hunks] == [("    x = 3", "    return 0")]


def test_of_two_chunks_that_change_the_same_written_line_the_second_is_refused() -> None:
    first = "@@\n-    x = 1\n+    x = 2\n+    z = 3\n"
    both = "@@\n-    x = 2\n+    x = 4\n@@\n-    z = 3\n+    z = 5\n"
    parser = patched(first, both)
    assert [hunk.new_lines for hunk in parser.hunks] == [("    x = 4", "    z = 3")]
    assert len(parser.failures) == 1


def made_in_turn(seed: int) -> tuple[list[Block], list[str]]:
    """Blocks of which each changes what those before it left, and the lines afterwards."""
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
    return blocks, lines


@pytest.mark.parametrize("format_name", FORMATS)
def test_blocks_one_after_the_other_give_what_they_say(format_name: str) -> None:
    for seed in range(200):
        blocks, lines = made_in_turn(seed)
        parser, decided = read(*blocks, format_name=format_name)
        if not parser.failures:
            assert list(after_hunks(FILE, parser.hunks).lines) == lines, seed
        gone = {event.hunk_id for event in decided}
        assert gone.isdisjoint(hunk.id for hunk in parser.hunks), seed
