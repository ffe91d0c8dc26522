"""Places that an edit reaches beside those which the words are about, or leaves as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.intent.context.written_lines import changes_between
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_UNIONS = ("Union", "Optional")
_SIGN = re.compile(r"(?<!\S)[-+*/|&^%<>=!@]{1,2}=(?!\S)")
"""An operator that stands alone, and is no dash."""
_TWO = 2
_SAYING = ("pattern.", "include_", "exclude_")
"""Intents that say themselves which code they are about."""


def doubts_of_more(found: RankedEdit) -> tuple[str, ...]:
    """That a rewriting reaches code without the call that is written in the instruction: `{} for dict()`."""
    text = found.situation.instruction[found.start : max(found.end, 1)]
    index, edits = found.situation.repo.index, found.executed.plan.edits
    gone = [(index.text(edit.path) or "")[edit.start : edit.end] for edit in edits]
    for name in re.findall(r"[^\W\d]\w*(?=\(\))", text):
        said = [re.search(rf"\b{name}\(", code) is not None for code in gone]
        if found.executed.candidate.reading.intent.startswith("pattern.") and any(said) and not all(said):
            count = said.count(False)
            return (Doubt(f"{count} places fit that are no {name}()", DoubtKind.PLACES, count),)
    if found.executed.candidate.reading.intent == "use_union":
        named = [name for name in _UNIONS if re.search(rf"(?<!\w){name}(?!\w)", text)]
        others = [
            code for code in gone if named and re.match(r"[\w.]+\[", code) and not _names_any(code, named)
        ]
        if others:
            return (Doubt(f"{len(others)} places fit that are no {named[0]}", DoubtKind.PLACES, len(others)),)
    shown = " ".join((*gone, *(edit.new for edit in edits)))
    for sign in _SIGN.findall(text) if found.executed.candidate.reading.intent.startswith(_SAYING) else ():
        if sign not in shown:
            return (assumed(f"nothing there has a {sign}"),)
    return ()


def doubts_of_fewer(found: RankedEdit) -> tuple[str, ...]:
    """That one place changes where two are said: *the two elses*."""
    text = found.situation.instruction[found.start : max(found.end, 1)].lower()
    repo, plan = found.situation.repo, found.executed.plan
    pairs = [pair for change in changes_between(repo, plan.texts(repo)) for pair in change.exchanged()]
    fewer = len(plan.edits) < _TWO > len(pairs) and phrases.any_stands_in(phrases.words("both"), text)
    return (Doubt("two are said, and one place changes", DoubtKind.UNDONE),) if fewer else ()


def doubts_of_returns(found: RankedEdit) -> tuple[str, ...]:
    """That a function which is to have one `return` keeps others."""
    text = found.situation.instruction[found.start : max(found.end, 1)].lower()
    repo, plan = found.situation.repo, found.executed.plan
    said = any(word in text for word in phrases.words("one_return"))
    after = repo.with_changes(plan.texts(repo)).index if said else repo.index
    for edit in plan.edits if said and found.executed.candidate.reading.intent.startswith("pattern.") else ():
        around = [
            node
            for node in after.source(edit.path).functions
            if _is_around(after.source(edit.path), node, edit.start)
        ]
        count = len(list(find_nodes(around[-1], ast.Return))) if around else 0
        if count > 1:
            return (Doubt(f"{around[-1].name} has {count} returns", DoubtKind.UNDONE),)
    return ()


def doubts_of_bases(found: RankedEdit) -> tuple[str, ...]:
    """That a rename in a class which is named reaches a base of it that is not."""
    repo, plan, text = found.situation.repo, found.executed.plan, found.situation.instruction
    for one in found.executed.calls:
        name = one.target.name.partition(".")[0] if isinstance(one, Rename) else ""
        path = one.target.path if isinstance(one, Rename) else ""
        owners = repo.index.source(path).classes.get(name, ()) if path in repo.index.paths else ()
        if not owners or not _names_any(text, [name]):
            continue
        for base in repo.classes.ancestors(ClassValue(path, owners[-1])):
            source = repo.index.source(base.path)
            low, high = source.span(base.node)
            changed = any(edit.path == base.path and low <= edit.start < high for edit in plan.edits)
            if changed and base.node is not owners[-1] and not _names_any(text, [base.node.name]):
                return (Doubt(f"{base.node.name} has one too, which changes", DoubtKind.PLACES, 2),)
    return ()


def doubts_of_hidden(found: RankedEdit) -> tuple[str, ...]:
    """That a new name is that of the items of what it names: `[f(row) for row in row]`."""
    repo, plan = found.situation.repo, found.executed.plan
    renames = found.executed.candidate.reading.intent == "rename"
    after = repo.with_changes(plan.texts(repo)).index if renames else repo.index
    for path in filter(is_python, dict.fromkeys(edit.path for edit in plan.edits if renames)):
        before = set(_hidden(repo.index.source(path)))
        if new := [name for name in _hidden(after.source(path)) if name not in before]:
            return (f"{new[0]} is the name of an item of it, too",)
    return ()


def _hidden(source: Source) -> Iterator[str]:
    for node in find_nodes(source.tree, ast.comprehension):
        yield from sorted(names_in(node.target) & names_in(node.iter))


def _is_around(source: Source, node: Function, at: int) -> bool:
    start, end = source.span(node)
    return start <= at < end


def _names_any(code: str, names: list[str]) -> bool:
    return any(re.search(rf"(?<!\w){name}(?!\w)", code) for name in names)
