"""A `finally` for a statement that stands behind what may fail, or that closes what was opened."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

from spark_tui.intent.building.building import Built, builder, call, from_entry, table
from spark_tui.intent.context.anchors import Anchor, parsed, same_text, weighted
from spark_tui.intent.context.lookup import words_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in, walk

_SAME_BEGIN = 4
_MOST = 3


@dataclass(frozen=True)
class _Guarded:
    """Statements that may fail, and the one that is done in any case."""

    run: list[ast.stmt]
    last: str
    gone: ast.stmt | None
    """The statement as it stands now, behind the others."""


@builder("add_finally")
def add_finally(context: Context) -> Iterator[Built]:
    made: list[tuple[Anchor, _Guarded]] = []
    for area, source, root in context.trees():
        known = list(_moved(context, source, root)) or list(_closed(context, source, root))
        made += [(Anchor(area, one.run[0]), one) for one in known if not _has_long_text(one.run)]
    if not made:
        yield from from_entry(context, table()["add_finally"])
        return
    rows = {anchor.node: one for anchor, one in made}
    for anchor in weighted(context, [anchor for anchor, _ in made])[:_MOST]:
        yield _built(context, anchor.area, rows[anchor.node], anchor)


def _built(context: Context, area: Area, one: _Guarded, anchor: Anchor) -> Built:
    source = context.source(area.path)
    first, end = source.first_line(one.run[0]), source.last_line(one.gone or one.run[-1])
    lines = source.text.splitlines()[first : source.last_line(one.run[-1])]
    indent, unit = source.indent(one.run[0]), source.indent_unit
    text = [f"{indent}try:", *(unit + line if line.strip() else line for line in lines)]
    text += [f"{indent}finally:", *(f"{indent}{unit}{line}" for line in one.last.splitlines())]
    made = call("replace_lines", place=f"{area.path}:{first + 1}-{end}", text="\n".join(text))
    said = context.text("code")
    doubts: tuple[str, ...] = () if same_text(one.last, said) else (f"{said} was assumed to be {one.last}",)
    doubts += tuple(_unset_or_kept(one))
    return Built((made,), anchor.weight, (*anchor.doubts, *doubts), f"{one.last} in a finally")


def _suites(root: ast.AST) -> Iterator[list[ast.stmt]]:
    for owner in walk(root):
        for name in ("body", "orelse"):
            suite = getattr(owner, name, None)
            if isinstance(suite, list) and suite and not isinstance(owner, ast.ClassDef | ast.ExceptHandler):
                yield suite


def _moved(context: Context, source: Source, root: ast.AST) -> Iterator[_Guarded]:
    """The statement that is named, behind others of its block that may fail."""
    said = context.text("code").strip("`")
    for suite in _suites(root):
        for at, one in enumerate(suite):
            value = one.value if isinstance(one, ast.Expr) else None
            if not isinstance(value, ast.Call) or not _is_named(source, value, said):
                continue
            owner = names_in(value.func)
            begin = max((n + 1 for n in range(at) if _opens(suite[n], owner)), default=0)
            yield from _guarded(suite[begin:at], source.segment(one), one)


def _guarded(run: list[ast.stmt], last: str, gone: ast.stmt | None) -> Iterator[_Guarded]:
    """The statements without those in front that cannot fail; a `try` alone gets its own `finally`."""
    run = list(dropwhile(_is_plain, run))
    tries = [one for one in run if isinstance(one, ast.Try)]
    if any(same_text(ast.unparse(each), last) for one in tries for each in one.finalbody):
        raise Unresolved(f"{last} is already done in any case", nothing=True)
    if len(tries) < len(run):
        yield _Guarded(run, last, gone)


def _is_named(source: Source, value: ast.Call, said: str) -> bool:
    """Whether words name a call: as it stands, by its method alone, or by its method and what it is of."""
    if same_text(source.segment(value), said) or same_text(ast.unparse(value.func), said.removesuffix("()")):
        return True
    spoken, closing = words_of(said), set(phrases.words("closing"))
    verbs = {*spoken, "close"} if closing & set(spoken) else set(spoken)
    if not isinstance(value.func, ast.Attribute) or value.func.attr not in verbs:
        return False
    others = [one for one in _nouns(said) if one != value.func.attr and one not in closing]
    owner = ast.unparse(value.func.value)
    return not others or any(_means(one, owner, source, value) for one in others) or bool(value.args)


def _nouns(said: str) -> list[str]:
    """The words without articles and pronouns."""
    left = {*phrases.words("articles"), *phrases.words("pronouns")}
    return [one for one in words_of(said) if one not in left]


def _means(word: str, name: str, source: Source, at: ast.AST) -> bool:
    """Whether a word names a variable: itself, what it is short for, or what it was made by."""
    last = name.rpartition(".")[2].lower()
    if word == last or is_short_for(last, word) or is_short_for(word, last):
        return True
    if last.startswith(word[:_SAME_BEGIN]) or (len(last) > 1 and word.startswith(last[:_SAME_BEGIN])):
        return True
    for one in walk(source.function_of(at) or source.tree):
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == name:
            return any(each.startswith(word[:_SAME_BEGIN]) for each in words_of(ast.unparse(one.value)))
    return False


def _opens(one: ast.stmt, owner: set[str]) -> bool:
    """Whether a statement makes what is closed, or takes it."""
    if isinstance(one, ast.Assign | ast.AnnAssign) and _bound(one) & owner:
        return True
    value = one.value if isinstance(one, ast.Expr) else None
    called = value.func if isinstance(value, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and called.attr in ("acquire", "open", "start", "connect", "begin")
        and bool(names_in(called.value) & owner)
    )


def _bound(one: ast.stmt) -> set[str]:
    """The names that a statement sets, in whatever form."""
    names = (each for each in walk(one) if isinstance(each, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _unset_or_kept(one: _Guarded) -> Iterator[str]:
    """What is doubtful about doing a statement in any case: a failure may leave its names unset, or somebody
    keeps what it closes."""
    last = parsed(one.last)
    used = names_in(last) if last is not None else set()
    for name in sorted(used & {name for each in one.run for name in _bound(each)}):
        yield f"{name} may not be set when something fails"
    sets = (each for part in one.run for each in walk(part) if isinstance(each, ast.Assign))
    for each in sets if one.gone is None else ():
        held = any(isinstance(goal, ast.Attribute | ast.Subscript) for goal in each.targets)
        if held and isinstance(each.value, ast.Name) and each.value.id in used:
            yield f"{each.value.id} is kept in {ast.unparse(each.targets[0])}"


def _is_plain(one: ast.stmt) -> bool:
    """Whether a statement only sets a literal, so that it cannot fail."""
    return isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)


def _closed(context: Context, source: Source, root: ast.AST) -> Iterator[_Guarded]:
    """All behind the statement that opened what is to be closed, where nothing closes it yet."""
    said = context.text("code").strip("`")
    verb = next((one for one in words_of(said) if one in phrases.words("closing")), None)
    nouns = [one for one in _nouns(said) if one != verb]
    if verb is None or not nouns:
        return
    for suite in _suites(root):
        for at, one in enumerate(suite[:-1]):
            value = one.value if isinstance(one, ast.Assign) else None
            name = ast.unparse(one.targets[0]) if isinstance(one, ast.Assign) else ""
            opened = isinstance(value, ast.Call) and re.fullmatch(r"\w+", name) is not None
            given_on = any(
                isinstance(each, ast.Return) and name in names_in(each.value)
                for part in suite[at + 1 :]
                for each in walk(part)
            )
            if opened and not given_on and any(_means(each, name, source, one) for each in nouns):
                yield from _guarded(suite[at + 1 :], f"{name}.close()", None)


def _has_long_text(run: list[ast.stmt]) -> bool:
    """Whether a text goes over several lines, so that they cannot be indented."""
    texts = (one for part in run for one in walk(part) if isinstance(one, ast.Constant | ast.JoinedStr))
    return any(one.end_lineno != one.lineno for one in texts)
