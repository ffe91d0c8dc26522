"""Of several orders, later ones that say *it* of what an earlier one names."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from spark_tui.train.sentences.rendering import Writing
from spark_tui.train.sentences.wordings import Sentence
from spark_tui.train.templates.tables import table

NAMED = frozenset(("function", "class", "symbol", "parameter", "variable", "file", "name"))


def about_the_same(sentence: Sentence, made: Writing, start: int, language: str, rng: Random) -> Sentence:
    """A sentence with a pronoun in place of a slot that the order before fills."""
    pronouns = table("sentences/phrases")[language].get("same", ())
    named = {mention.slot for mention in made.mentions if mention.start >= start}
    pieces = list(sentence.pieces)
    for at, slot in enumerate(sentence.pieces):
        alone = at % 2 and sentence.slots.count(slot) == 1 and pieces[at + 1][:1] in ("", " ", ",", ".")
        if pronouns and alone and slot in NAMED and slot in named and pieces[at - 1][-1:] in (" ", ""):
            joined = pieces[at - 1] + rng.choice(pronouns) + pieces[at + 1]
            return replace(sentence, pieces=(*pieces[: at - 1], joined, *pieces[at + 2 :]))
    return sentence
