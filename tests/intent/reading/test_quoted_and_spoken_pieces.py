"""Blanks at the ends of quoted pieces, and prepositions in front of names."""

from __future__ import annotations

from spark_tui.intent.reading.decoding import span_of
from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.intent.words.spoken_names import join_spoken_names
from spark_tui.intent.words.tokens import tokenize


class Roles(SymbolRoles):
    def roles(self, name: str) -> frozenset[str]:
        return frozenset(("function",)) if name in ("splitnum", "to_splitnum", "to_list") else frozenset()


def test_the_blanks_of_a_quoted_piece_are_kept() -> None:
    tokens = tokenize("separator should default to ' and'")
    inside = [token for token in tokens.items if token.text == "and"]
    assert span_of(tokens, inside).text == " and"


def test_a_preposition_is_no_part_of_a_name_if_the_rest_is_a_name() -> None:
    tokens = join_spoken_names(tokenize("add a docstring to splitnum"), Roles())
    assert [token.text for token in tokens.items][-2:] == ["to", "splitnum"]
    tokens = join_spoken_names(tokenize("rename to list"), Roles())
    assert tokens.items[-1].text == "to_list"
