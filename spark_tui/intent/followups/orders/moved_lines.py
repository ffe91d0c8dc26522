"""Lines that an edit inserted, moved to before or after the statement or branch near them that is named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.statements.branches import always_leaves
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import LineChange, calls_to, texts_for
from spark_tui.intent.facts.unset_names import reached_after
from spark_tui.intent.finders.described import ordinal_in, own_kinds, statement_kinds_said
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import LEAVING, walk

_BRANCH = re.compile(r"(?:elif|else|except|finally|case)\b")
_STEM = 4
Unit = tuple[int, int, ast.AST | None]
"""The first line of a statement or branch, from 0, the one after its last, and the statement."""


def moved_lines(
    reading: Reading, situation: Situation, block: LineChange, found: list[LineChange]
) -> list[Candidate]:
    """The block moved to the nearest of the statements that fit best, in the function where it is."""
    before, anchors = situation.before, reading.slots.get("anchor", ())
    if before is None or not anchors or reading.slots.get("function"):
        return []
    rest = before.with_changes(texts_for(found, {block: None}, before))
    source = rest.index.source(block.path)
    above = (change for change in found if change.path == block.path and change.at < block.at)
    at = block.first + sum(len(change.new) - len(change.old) for change in above)
    text = anchors[0].text.strip("`'\"")
    if ordinal_in(text) is not None:
        return []
    kinds, others = statement_kinds_said(text)
    words = [
        word
        for other in others
        for word in split_name(other)
        if len(word) > 1 and word not in phrases.words("pronouns")
    ]
    clause = not set(text.lower().split()).isdisjoint(followup_table()["general"]["happens"])
    branch = _BRANCH.match(block.new[0].strip()) is not None
    ranked: list[tuple[float, int, Unit]] = []
    doubts: tuple[str, ...] = ()
    for unit in _units(source, at, branch):
        score = _score(source, unit, words, kinds, text)
        if score:
            distance = 0 if unit[0] <= at <= unit[1] else min(abs(unit[0] - at), abs(unit[1] - at))
            ranked.append((-score, distance, unit))
    told = [unit for unit in _units(source, at, branch) if clause and _sets(unit, words)]
    if not ranked and len(told) == 1:
        ranked, doubts = [(0.0, 0, told[0])], (assumed(f"{text!r} was taken for where that is set"),)
    if not ranked and words and set(words) <= set(split_name(situation.asked)):
        # What was said of the place before is meant: the statement on its other side.
        behind = reading.intent.endswith("after")
        beside = [unit for unit in _units(source, at, branch) if unit[not behind] == at]
        ranked = [(0.0, 0, min(beside, key=lambda unit: unit[0] - unit[1]))] if beside else []
    if not ranked:
        return []
    first, last, node = min(ranked, key=lambda item: item[:2])[2]
    around = source.parents.get(node) if isinstance(node, LEAVING) else None
    if block.new[0].lstrip().startswith("if ") and isinstance(around, ast.If) and around.body == [node]:
        # What raises or leaves alone in a branch is a guard as the block is.
        first, last, node = source.first_line(around), source.last_line(around), around
    if reading.intent.endswith("after") and node is not None and not branch:
        node = reached_after(source, node)
        first, last = source.first_line(node), source.last_line(node)
        if _leaves(node):
            return [Candidate((), reading, refused="nothing reaches what comes after that")]
    to = last if reading.intent.endswith("after") else first
    lines = source.text.split("\n")
    was, now = _indent(block.new), _indent([lines[first]])
    if to == at or (branch and (was != now or (to == first and not _BRANCH.match(lines[first].strip())))):
        return []
    moved = [now + line.removeprefix(was) if line.strip() else line for line in block.new]
    result = "\n".join((*lines[:to], *moved, *lines[to:]))
    kept = {change.path: rest.index.text(change.path) for change in found}
    calls = calls_to({**kept, block.path: result}, before)
    return [Candidate(calls, reading, doubts, 0.9, from_before=True)] if calls and parse(result) else []


def _leaves(node: ast.AST) -> bool:
    """Whether what stands behind a statement is never reached; a context rarely ends an error."""
    while isinstance(node, ast.With | ast.AsyncWith):
        node = node.body[-1]
    return isinstance(node, ast.stmt) and always_leaves([node])


def _sets(unit: Unit, words: list[str]) -> bool:
    """Whether a statement sets what words of a clause are about: *the files are listed*."""
    node = unit[2]
    targets = node.targets if isinstance(node, ast.Assign) else ()
    return any(isinstance(one, ast.Name) and one.id in words for one in targets)


def _indent(lines: list[str] | tuple[str, ...]) -> str:
    first = next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip())]


def _units(source: Source, at: int, branch: bool) -> Iterator[Unit]:
    """The statements and branches of the function, class or file around a line; of an inserted branch those
    of the statement that it belongs to."""
    if source.tree is None:
        return
    around: ast.AST = source.tree
    for definition in source.definitions:
        if source.first_line(definition) <= at < source.last_line(definition) + 1:
            around = definition
    for node in walk(around):
        if not isinstance(node, ast.stmt) or node is around or source.span(node)[0] < 0:
            continue
        first, last = source.first_line(node), source.last_line(node)
        if not branch:
            yield first, last, node
        elif isinstance(node, ast.If) and first < at <= last:
            yield first, source.last_line(node.body[-1]), node


def _score(source: Source, unit: Unit, words: list[str], kinds: set[str], shown: str) -> float:
    """How well the head of a statement fits words: all of them have to stand there, or be of its kind."""
    first, last, node = unit
    simple = not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | Definition)
    text = "\n".join(source.text.split("\n")[first : last if simple else first + 1])
    own = split_name(text)
    if not all(any(_have_same_stem(word, item) for item in own) for word in words):
        return 0.0
    kind = isinstance(node, ast.stmt) and bool(own_kinds(node) & kinds)
    quoted = re.sub(r"\s", "", shown) in re.sub(r"\s", "", text) and not shown.isalpha()
    return 1.0 + kind + 2 * quoted if words else float(kind)


def _have_same_stem(one: str, other: str) -> bool:
    one, other = (re.sub(r"(?<=\w{3})(?:ing|ed|es|s|e)\Z", "", word) for word in (one, other))
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _STEM and long.startswith(short))
