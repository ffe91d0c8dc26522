"""The grammar of instructions: alternatives, slots, held-out templates, typos outside slots."""

from __future__ import annotations

from importlib import resources
from random import Random

import pytest

from spark_tui.train.kinds import KINDS
from spark_tui.train.templates import paraphrase
from spark_tui.train.templates.grammar import (
    HELD_OUT,
    CodeSlot,
    ExactSlot,
    NameSlot,
    Slot,
    SubTemplate,
    WordsSlot,
    expand,
    held_out_count,
    pick,
    reads_like_held_out,
)
from spark_tui.train.templates.paraphrase import WRAPPERS, misspell, order, paraphrase_order, word
from spark_tui.train.templates.tables import table


def texts(template: str, count: int = 200, **slots: Slot) -> set[str]:
    return {"".join(text for text, _ in expand(template, slots, Random(seed))) for seed in range(count)}


def test_alternatives_nest_and_may_be_empty() -> None:
    assert texts("a[b|c[d|e]|]f") == {"abf", "acdf", "acef", "af"}


def test_a_slot_that_is_not_filled_is_an_error() -> None:
    with pytest.raises(KeyError):
        expand("rename {old}", {}, Random(1))


def test_an_open_bracket_is_an_error() -> None:
    with pytest.raises(ValueError, match="bracket"):
        expand("rename [the|it", {}, Random(1))


def test_a_name_is_shown_bare_or_quoted_and_never_changed() -> None:
    shown = texts("{n}", n=NameSlot("max_rows", call=True))
    assert {"max_rows", "`max_rows`", "'max_rows'", "max_rows()"} <= shown
    assert all("max_rows" in text for text in shown)


def test_quoted_text_is_quoted_with_a_mark_that_it_does_not_hold() -> None:
    for text in texts("{m}", m=ExactSlot('say "hi"', quoted=True)):
        assert text[0] == text[-1] != '"'


def test_a_slot_can_be_a_template() -> None:
    assert texts("{w}", w=SubTemplate(" in {f}", {"f": WordsSlot("this")})) == {" in this"}


def test_held_out_templates_are_never_trained_on() -> None:
    templates = ["one", "two", "three", HELD_OUT, "four", "five"]
    assert {pick(templates, Random(seed)) for seed in range(100)} == {"one", "two", "three"}


def test_the_last_templates_of_a_kind_never_train() -> None:
    templates = [f"form {number}" for number in range(12)]
    kept = held_out_count(templates)
    trained = {pick(templates, Random(seed)) for seed in range(300)}
    assert kept == 2
    assert trained == set(templates[:-kept])


def test_wrappers_of_the_test_are_not_those_of_training() -> None:
    assert not any("favour" in wrapper for wrapper in WRAPPERS)
    for seed in range(400):
        text = word(["delete {x}", "drop {x}", "kill {x}"], {"x": CodeSlot("a = 1")}, Random(seed))
        assert "favour" not in text.lower()
        assert "chance" not in text.lower()


def test_typos_leave_slots_alone() -> None:
    pieces = [("please rename ", True), ("important_name", False)]
    changed = {"".join(text for text, _ in misspell(pieces, Random(seed))) for seed in range(100)}
    assert all(text.endswith("important_name") for text in changed)
    assert any(not text.startswith("please rename") for text in changed)


def test_a_statement_is_not_dressed_as_an_order() -> None:
    for seed in range(300):
        text = paraphrase_order([("the limit should be 3", True)], Random(seed)).lower()
        assert "can you" not in text
        assert "i want you" not in text


def test_other_words_never_make_a_form_that_is_kept_for_the_test() -> None:
    templates = ["remove {x}", "discard {x}", HELD_OUT, "get rid of {x}", "[drop|erase] {x}"]
    assert reads_like_held_out("erase `a`", templates)
    seen = {
        "".join(t for t, _ in order(templates, {"x": CodeSlot("a")}, Random(seed))).split()[0]
        for seed in range(2000)
    }
    assert {"remove", "delete", "kill"} <= seen
    assert not {"get", "drop", "erase"} & seen


def test_the_same_seed_gives_the_same_words() -> None:
    templates = ["rename {old} [to|into] {new}", "call {old} {new}", "use {new}"]
    slots = {"old": NameSlot("a"), "new": NameSlot("b")}
    assert [word(templates, slots, Random(5)) for _ in range(3)] == [word(templates, slots, Random(5))] * 3


def test_other_words_are_not_put_into_other_words() -> None:
    for told, spoilt in (
        ("add a docstring", "doc text|doc literal"),
        ("use an f-string", "f-text|f-literal"),
        ("change the type annotation", "type type hint"),
        ("the function returns None", "yields"),
    ):
        for seed in range(60):
            made = "".join(
                text for text, _ in paraphrase._reworded([(told, True)], Random(seed), paraphrase._RULES)
            )
            assert not any(bad in made for bad in spoilt.split("|")), made


def test_what_one_table_keeps_for_the_test_is_taught_by_no_other() -> None:
    files = resources.files("spark_tui.train").joinpath("wording").iterdir()
    tables = [v for file in files for v in table(f"wording/{file.name[:-5]}").values() if HELD_OUT in v]
    tables += [kind.phrases for kind in KINDS.values()]
    kept = {t for table in tables for t in table[len(table) - held_out_count(table) :]} - {HELD_OUT}
    taught = {t for table in tables for t in table[: len(table) - held_out_count(table)]}
    assert len(kept) > 200
    assert not kept & taught
