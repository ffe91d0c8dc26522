"""What is asked of programs costs little, however long the file is and whatever is said; and no rule stops a
turn."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from spark_tui.refactor import known as registry
from spark_tui.refactor import naming
from spark_tui.refactor.known import MOST, between, known
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source

MANY = [line for n in range(60) for line in (f"def step_{n}(x, y):", f"    return x + y * {n}", "", "")]


def _rule(monkeypatch: pytest.MonkeyPatch, make: object) -> None:
    monkeypatch.setattr(registry, "RULES", (Rule(re.compile("frobnicate"), make),))  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [30, 500])
def test_hunks_make_the_new_text(length: int) -> None:
    rng = random.Random(7)
    for _ in range(60):
        old = [rng.choice(["", "a", "b", f"line {n}"]) for n in range(length)]
        new = list(old)
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(new))
            new[at : at + rng.randrange(3)] = [rng.choice(["", "a", "new"]) for _ in range(rng.randrange(3))]
        made = list(old)
        for hunk in reversed(between(old, new)):
            made[hunk.first : hunk.last] = hunk.new
        assert made == new
        assert all(list(old[hunk.first : hunk.last]) != list(hunk.new) for hunk in between(old, new))


def test_no_more_edits_are_parsed_than_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(order: Order) -> Iterator[Edit]:
        for n in range(40):
            yield order.edit([(0, 0, f"value = {n}\n")], "frobnicate")

    parsed: list[str] = []
    holds = registry._holds

    def note(src: Source, text: str) -> bool:
        parsed.append(text)
        return holds(src, text)

    _rule(monkeypatch, make)
    monkeypatch.setattr(registry, "_holds", note)
    assert len(known(MANY, "frobnicate")) == MOST == len(parsed)


def test_what_does_not_parse_leaves_its_place_to_what_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(order: Order) -> Iterator[Edit]:
        yield order.edit([(0, 0, "def (\n")], "frobnicate")
        yield order.edit([(0, 0, "import os\n")], "frobnicate")

    _rule(monkeypatch, make)
    assert [one.plain for one in known(MANY, "frobnicate")] == [registry.PLAIN]


def test_names_of_the_file_are_gathered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered = naming._of_file.cache_info
    naming._of_file.cache_clear()
    known(MANY, "return None if the amount is negative")
    assert gathered().misses <= 1


@pytest.mark.parametrize("raises", [False, True])
def test_a_rule_that_stumbles_makes_nothing(monkeypatch: pytest.MonkeyPatch, raises: bool) -> None:
    def make(order: Order) -> Iterator[Edit]:
        yield order.edit([(0, 0, "import os\n")], "frobnicate")
        raise RecursionError

    _rule(monkeypatch, make)
    monkeypatch.setattr(registry, "raises", raises)
    if raises:
        with pytest.raises(RecursionError):
            known(MANY, "frobnicate")
    else:
        assert len(known(MANY, "frobnicate")) == 1


@pytest.mark.parametrize(
    "instruction",
    [
        "add a method total. You " + "the " * 140 + "1",
        "convert step_1" + "(" * 500,
        "rename step_1 to " + "a." * 250,
        "a" * 600,
        "swap " + "b & " * 140,
        "return None if " + "x and " * 95,
        "the if in step_1 " + "the if/else in step " * 27 + "can just be x",
    ],
)
def test_nothing_that_is_said_takes_forever(instruction: str) -> None:
    """What a form goes through again and again for each way to part the words would not come back from
    this."""
    known(MANY, instruction[: registry.MOST_CHARS])


def test_a_carriage_return_inside_of_a_line_shifts_no_edit() -> None:
    lines = ["# one\rtwo = 2", "def load(path):", "    return path"]
    assert known(lines, "rename load to read_all") == []
    assert known(["# one", *lines[1:]], "rename load to read_all")
