"""Words that are hardly ever names are told by how instructions say them."""

from dataclasses import replace

from spark_tui.train.reader.asked import Asked, asked_from
from spark_tui.train.reader.plain_words import plain_words


def said(text: str, *names: str) -> Asked:
    spans = [[text.index(name), text.index(name) + len(name)] for name in names]
    order = {"start": 0, "intent": "rename", "slots": {"symbol": spans}}
    return asked_from({"text": text, "orders": [order], "names": {}, "words": {}, "voice": "plain"}, "p0")


def spread(instructions: list[Asked]) -> list[Asked]:
    """The same, about eight packages."""
    return [replace(one, package=f"p{at % 8}") for at, one in enumerate(instructions)]


def test_a_word_that_is_said_often_and_seldom_as_a_name_is_plain() -> None:
    often = [said("rename load everywhere", "load")] * 19
    assert plain_words(spread(often)) == []
    more = [*often, said("rename load everywhere", "load")]
    assert plain_words(spread(more)) == ["everywhere", "rename"]
    assert plain_words(more) == []  # all about one package
    named = [*often, *[said("rename load, everywhere", "load", "everywhere")] * 2]
    assert plain_words(spread(named)) == ["rename"]


def test_a_piece_of_code_or_of_a_text_is_not_counted() -> None:
    pieces = [said("say not there instead of here", "not there")] * 20
    assert plain_words(spread(pieces)) == ["here", "instead", "of", "say"]
