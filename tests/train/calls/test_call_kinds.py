"""Kinds of edit that calls make: the table fits what it names, and a sampled edit is what its call does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from spark_tui.codemods.plan import Plan
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.reading.intent_table import intents
from spark_tui.train.calls import edits
from spark_tui.train.calls.fillers import WindowFiller
from spark_tui.train.calls.follow_ups import amendments
from spark_tui.train.calls.kind_table import CallKind, call_kinds, english
from spark_tui.train.calls.planting import groups, has_text_for, planted
from spark_tui.train.cases import compiles, reads
from spark_tui.train.generated import programs
from spark_tui.train.generated.snippet_generator import NOUNS
from spark_tui.train.kinds import KINDS
from spark_tui.train.sentences.fillers import LISTED
from spark_tui.train.sentences.filling_tables import source_of
from spark_tui.train.sentences.wordings import HELD_OUT
from spark_tui.train.source_windows import SourceWindow

CASES = Path(__file__).parents[2] / "cases" / "kinds"
TRIES, ENOUGH = 300, 40
"""Attempts at a kind that finds nothing, and at one that found one edit and looks for another."""
EVERY = {**call_kinds(), **amendments()}


@cache
def _windows() -> list[SourceWindow]:
    rng = Random(4)
    texts = [path.read_text("utf-8") for path in sorted(CASES.glob("*.py"))]
    made = (programs.program(rng) for _ in range(60))
    return [SourceWindow("shop/basket.py", text) for text in (*texts, *filter(None, made))]


def _window_for(kind: CallKind, rng: Random) -> SourceWindow:
    fitting = [item for item in _windows() if kind.needs is None or kind.needs.search(item.text)]
    return rng.choice(fitting or _windows())


def _made_by(kind: CallKind, want: int) -> list[edits.CallEdit]:
    rng = Random(kind.name)
    out: list[edits.CallEdit] = []
    for number in range(TRIES):
        found = edits.edit(kind, _window_for(kind, rng), rng)
        out += [found] if found is not None else []
        if len(out) == want or (out and number > ENOUGH):
            break
    return out


def test_a_kind_asks_for_an_intent_in_its_slots_and_someone_has_words_for_it() -> None:
    for name, kind in EVERY.items():
        known = intents()[kind.intent].slot_names
        assert {*kind.sources, *kind.said} <= set(known), name
        sources = {*kind.sources.values(), *(source_of(kind.intent, slot) for slot in known)} - LISTED.keys()
        assert all(hasattr(WindowFiller, f"_{source}") for source in sources), name
        assert kind.weight > 0, name
        assert kind.seen or english().get(kind.intent), name


def test_a_kind_is_a_call_or_is_written_and_code_is_put_in_for_known_ones_alone() -> None:
    assert not set(call_kinds()) & set(KINDS)
    assert set(groups()) <= set(call_kinds())


@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted(call_kinds()))
def test_a_sampled_edit_is_what_its_call_does_to_the_text_and_its_words_name_what_is_meant(
    name: str, count: int
) -> None:
    kind = call_kinds()[name]
    made = _made_by(kind, count)
    assert made, "no edit of this kind was found"
    for one in made:
        repo = edits.repository("shop/basket.py", one.before)
        again = plan_of(one.result.calls, repo)
        assert isinstance(again, Plan)
        assert again.texts(repo)["shop/basket.py"] == one.after != one.before
        assert reads(one.after)
        assert compiles(one.after) >= compiles(one.before)
        implied = set(kind.said.values())
        assert all(text in one.said.text for text in one.said.slots if text not in implied)
        assert "".join(text for text, _ in one.said.pieces()) == one.said.text
        assert one.said.reading.intent == kind.intent


def test_what_is_put_into_a_window_reads_and_gives_the_kind_its_place() -> None:
    rng = Random(2)
    for name in groups():
        assert has_text_for(name)
        needs = call_kinds()[name].needs
        found = [planted(name, rng.choice(_windows()), rng) for _ in range(12)]
        windows = [item for item in found if item is not None]
        assert windows, name
        assert needs is None or any(needs.search(window.text) for window in windows), name
    assert planted("rename_class", _windows()[0], rng) is None


def test_a_window_full_of_names_leaves_some_for_what_is_put_in() -> None:
    named = "".join(f"    {noun} = 1\n" for noun in NOUNS[:-10])
    window = SourceWindow("shop/basket.py", f"def load(path):\n{named}    return path\n")
    made = [planted("use_idiom", window, Random(seed)) for seed in range(20)]
    assert any(made)


def test_words_that_are_kept_for_the_test_are_those_of_voices_and_templates_that_never_train() -> None:
    rng = Random(9)
    for kind in call_kinds().values():
        drawn = kind.sentence(rng)
        assert drawn is not None
        assert drawn[1] is None or drawn[1].name not in HELD_OUT


def test_an_edit_asked_for_twice_finds_nothing_to_do() -> None:
    made = _made_by(call_kinds()["annotate_return"], 12)
    done = [edits.has_nothing_to_do(call_edit.said, "shop/basket.py", call_edit.after) for call_edit in made]
    assert not any(
        edits.has_nothing_to_do(call_edit.said, "shop/basket.py", call_edit.before) for call_edit in made
    )
    assert done.count(True) >= 8


def test_an_order_that_fits_two_places_is_left() -> None:
    text = "def a(x):\n    y = 1\n    return x\n\n\ndef b(x):\n    y = 1\n    return x\n"
    kind = call_kinds()["delete_statement"]
    window = SourceWindow("shop/basket.py", text)
    made = [edits.edit(kind, window, Random(seed), plant=False) for seed in range(80)]
    found = [item for item in made if item is not None]
    assert found
    for one in found:
        assert {"a", "b"} & set(one.said.slots)
