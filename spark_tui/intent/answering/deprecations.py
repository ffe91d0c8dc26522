"""Messages that only ask to deprecate a function: *deprecate load, use fetch instead*."""

from __future__ import annotations

import re

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.answering.config_answers import calls_answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Order

_WORD = re.compile(r"\w+(?:\.\w+)*")
_DECORATOR = re.compile(r"@\w|`deprecated`")
"""A decorator that is shown as code is put on the function."""
_INSTEAD = re.compile(
    r"^(?P<head>.+?)[,;:]?\s+(?:in favou?r of|use)\s+(?P<new>\w+(?:\.\w+)*)(?:\s+instead)?\W*$"
)


def deprecation_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that says no more than which function is deprecated, and what to use instead."""
    shown = situation.instruction[order.start : order.end].strip()
    text = shown.replace("`", "").replace("()", "")
    if situation.earlier is not None or _DECORATOR.search(shown):
        return None
    if not phrases.any_stands_in(phrases.words("deprecating"), text.lower()):
        return None
    instead = _INSTEAD.match(text)
    words = _WORD.findall(instead["head"] if instead is not None else text)
    beside = {*phrases.words("deprecating"), *phrases.words("deprecated_beside")}
    told = [word for word in words if not is_idle(word.lower())]
    names = [word for word in told if word.lower() not in beside]
    # *Load is deprecated, use fetch* is about the calls of it.
    if len(names) != 1 or told[0] == names[0] or situation.repo.index.symbols("deprecated"):
        return None
    found = names_of(situation.repo, situation.path).find(names[0], CALLABLE, None, [])
    found = [one for one in found if one.target.name == names[0].rpartition(".")[2]]
    here = [one for one in found if one.target.path == situation.path] or found
    if not here:
        return None
    target = here[0].target
    message = f"{target.qualname} is deprecated, use {instead['new']} instead" if instead is not None else ""
    made = call("deprecate", target=f"{target.path}::{target.qualname}", message=message)
    answer = calls_answer([made], situation)
    if len(here) == 1 or not answer.ways:
        return answer
    doubt = assumed(f"{target.qualname} of {target.path} was assumed to be meant")
    return Answer("edit", tuple(marked_with(doubt, way) for way in answer.ways))
