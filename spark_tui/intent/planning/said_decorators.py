"""A decorator of the repository that is to be put on a function, with what it is given: *put retry(3) on
load*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

_CALL = r"`?@?(?P<call>(?P<name>[A-Za-z_][\w.]*)\([^()]*\))`?(?:\s+decorator)?"
_GOAL = r"(?:the\s+)?`?(?P<goal>[A-Za-z_][\w.]*)(?:\(\))?`?(?:\s+(?:function|method))?"
_FORMS = tuple(
    re.compile(rf"(?:please\s+)?{form}\W*", re.IGNORECASE)
    for form in (
        rf"(?:put|use|add|apply)\s+(?:an?\s+|the\s+)?{_CALL}\s+(?:on|to|for|over|above|around)\s+{_GOAL}",
        rf"(?:decorate|wrap)\s+{_GOAL}\s+(?:with|in|by)\s+(?:an?\s+|the\s+)?{_CALL}",
    )
)
_MOST_FILES = 20


def as_decorator(reading: Reading, situation: Situation) -> Reading:
    """The reading, or the decorator where the message says no more than that a function gets a call which is
    one."""
    text = situation.instruction.strip()
    said = next((found for form in _FORMS if (found := form.fullmatch(text))), None)
    if said is None or reading.intent == "add_decorator" or situation.path not in situation.repo.index.paths:
        return reading
    source, goal = situation.repo.index.source(situation.path), said["goal"]
    named = [one for one in source.functions if goal in (one.name, source.qualname(one))]
    other = reading.intent == "cache_results" and "cache" not in said["name"].lower()
    if not named or not (other or _is_decorator(situation.repo, source, said["name"])):
        return reading
    at = situation.instruction.index(text)
    slots = {
        slot: (Span(at + said.start(group), at + said.end(group), said[group]),)
        for slot, group in (("decorator", "call"), ("function", "goal"))
    }
    return replace(reading, intent="add_decorator", slots=slots)


def _is_decorator(repo: Repository, source: Source, name: str) -> bool:
    """Whether a name is used as a decorator in a file, or is that of a function of the repository that gives
    back one of its own."""
    bare = name.rpartition(".")[2]
    if any(name in decorator_names(one) for one in source.definitions):
        return True
    paths = list(repo.index.files_with(bare))[:_MOST_FILES]
    sources = (repo.index.source(path) for path in paths if path.endswith(".py"))
    return any(one.name == bare and _gives_function(home, one) for home in sources for one in home.functions)


def _gives_function(source: Source, outer: Function) -> bool:
    inner = {one.name for one in source.own_nodes(outer) if isinstance(one, Function)}
    return any(isinstance(one, ast.Name) and one.id in inner for one in source.returned(outer) or ())
