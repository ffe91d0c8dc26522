"""Which kinds are drawn, and how many edits of one text fit into a sequence."""

from __future__ import annotations

from random import Random

from spark_tui.train import examples, sequences
from spark_tui.train.generated import programs
from spark_tui.train.source_windows import SourceWindow


def mixer(seed: int) -> examples.Mixer:
    """Of made-up programs."""
    rng = Random(seed)
    texts = [text for text in (programs.program(rng) for _ in range(30)) if text is not None]
    windows = [SourceWindow("shop/cart.py", text) for text in texts]
    return examples.Mixer(windows, rng)


def encode(text: str) -> list[int]:
    return [32 + byte for byte in text.encode()]


def test_the_kind_with_least_of_its_share_is_drawn_first() -> None:
    source = mixer(6)
    names = [kind.name for kind in source.kinds]
    source.made.update({name: 1000 for name in names if name not in ("to_fstring", "off_by_one")})
    first = [source.due_kinds(3000)[0].name for _ in range(20)]
    assert set(first) <= {"to_fstring", "off_by_one"}


def test_a_kind_that_finds_no_window_loses_its_turn_and_no_more() -> None:
    source = mixer(6)
    before = sum(source.made.values())
    cases = [source.case("edit") for _ in range(10)]
    missed = sum(case is None for case in cases)
    grown = sum(source.made.values()) - before
    assert abs(grown - (10 - missed + examples.MISSED * missed)) < 1e-9


def test_edits_that_do_not_fit_into_a_sequence_are_left_out_and_the_first_stays() -> None:
    source = mixer(8)
    shortened = 0
    for _ in range(10):
        case = source.case("edit")
        cases = [case, *source.beside(case)] if case is not None else []
        if len(cases) < 3 or any(item.error for item in cases):
            continue
        whole = sequences.several_example(encode, cases, 0)
        alone = sequences.several_example(encode, cases[:1], 0)
        most = len(whole.ids) - 1
        cut = sequences.several_example(encode, cases, 0, most)
        assert len(cut.ids) <= most
        assert cut.ids[: len(alone.ids)] == alone.ids
        assert 1 <= len(cut.spans) < len(cases)
        shortened += 1
    assert shortened
