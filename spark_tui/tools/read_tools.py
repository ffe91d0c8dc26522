"""Tools that look at the files of the overlay: read, list, search, symbols and references.

Files that git or `.sparkignore` ignores and files that may hold secrets are neither listed nor read.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

from spark_tui.codemods import registry
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import MalformedCall
from spark_tui.context.ignore_rules import matches
from spark_tui.context.symbols import Definition, outline
from spark_tui.errors import SparkError
from spark_tui.pysource.repository import Repository
from spark_tui.tools.bounded_text import count_of, joined, shown_line
from spark_tui.tools.exact_edits import KnownRepository
from spark_tui.tools.registry import ToolContext, ToolOutcome, WrongArguments
from spark_tui.workspace.files import TEXT_ONLY

_MOST_LENGTH = 1_000
_MOST_REPEATS = 3
"""Repetitions without an end, one after the other: the time grows with a power of the line for each."""
_UNBOUNDED = 32


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern. Raises WrongArguments for one that is none, or that may take for ever."""
    if len(pattern) > _MOST_LENGTH:
        raise WrongArguments(f"the pattern is longer than {_MOST_LENGTH} characters")
    try:
        made = re.compile(pattern)
        parser: Any = importlib.import_module("re._parser")
        repeats = _repeats(parser.parse(pattern), inside=False)
    except (re.error, OverflowError, RecursionError) as error:
        raise WrongArguments(f"not a regular expression: {error}") from None
    if repeats > _MOST_REPEATS:
        raise WrongArguments("the pattern repeats too much to be searched for; use a simpler one")
    return made


def _repeats(parsed: Any, *, inside: bool) -> int:
    """How many repetitions without an end are in it; one inside another counts as too many."""
    count = 0
    for kind, value in parsed:
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, inner = value
            endless = int(most) >= _UNBOUNDED
            found = _repeats(inner, inside=inside or endless)
            if endless and (inside or found):
                return _MOST_REPEATS + 1
            count += endless + found * min(int(most), _UNBOUNDED)
        elif name == "BRANCH":
            if inside:
                return _MOST_REPEATS + 1
            count += max(_repeats(branch, inside=inside) for branch in value[1])
        elif isinstance(value, tuple):
            count += sum(_repeats(part, inside=inside) for part in value if hasattr(part, "data"))
        elif name == "GROUPREF":
            count += 1
    return count


Place = tuple[str, int]
"""Path and line."""


@dataclass(frozen=True, slots=True)
class Uses:
    """`sure`: lines that use the symbol. `unsure`: lines that may, and why that is not known."""

    sure: tuple[Place, ...]
    unsure: dict[Place, str]


def uses_of(repo: Repository, name: str) -> Uses | Refused:
    """The uses of a symbol, given as for a codemod; `Refused` where it is no symbol, or one of several."""
    plain = name.rpartition("::")[2].rpartition(".")[2]
    call = registry.from_json({"op": "rename", "target": name, "new": f"{plain}_as_no_other_name_is"})
    plan = call.plan(repo)
    if not isinstance(plan, Plan):
        return plan
    sure = {
        (edit.path, (repo.index.text(edit.path) or "").count("\n", 0, edit.start) + 1) for edit in plan.edits
    }
    unsure = {(unfollowed.path, unfollowed.line): unfollowed.reason for unfollowed in plan.unfollowed}
    return Uses(tuple(sorted(sure)), {place: why for place, why in unsure.items() if place not in sure})


_MOST_LINES = 800
_MOST_HITS = 200
_MOST_PATHS = 500
_MOST_UNREAD = 8

Glob = Annotated[str, "such as src/**/*.py; empty: all files"]


def _chosen(context: ToolContext, glob: str) -> Iterator[str]:
    """The files of the repository that a glob means, which may name a folder."""
    glob = context.files.named(f"{glob.strip()}/").rstrip("/")
    for path in context.files.paths:
        if not glob or matches(glob, path) or path.startswith(f"{glob}/"):
            yield path


def read_file(
    context: ToolContext,
    path: Annotated[str, "relative to the root of the repository"],
    first: Annotated[int, "first line, from 1"] = 1,
    last: Annotated[int, "last line; 0: to the end"] = 0,
) -> ToolOutcome:
    """Read a file with your own pending edits applied. Each line is its number, a tab, and the text."""
    path = context.files.meant(path)
    lines = context.files.lines(path)
    if lines is None:
        return ToolOutcome(_no_such_file(path, context.files.paths), "no such file", failed=True)
    first = max(first, 1)
    end = min(last if last > 0 else len(lines), len(lines))
    if first > len(lines) and lines:
        return ToolOutcome(
            f"{path} has {count_of(len(lines), 'line')}", f"{path}: no such lines", failed=True
        )
    chosen = lines[first - 1 : min(end, first - 1 + _MOST_LINES)]
    text, shown = joined(f"{number}\t{shown_line(line)}" for number, line in enumerate(chosen, first))
    if first + shown <= end:
        text += f"\n… lines {first + shown:,} to {end:,} are not shown; read them with first={first + shown}"
    where = f"{first}-{first + shown - 1}" if shown else "empty"
    return ToolOutcome(text or "(the file is empty)", f"{path}:{where}")


def list_files(context: ToolContext, glob: Glob = "") -> ToolOutcome:
    """List the files of the repository, without ignored ones."""
    found = list(_chosen(context, glob))
    text, shown = joined(shown_line(path) for path in found[:_MOST_PATHS])
    if shown < len(found):
        text += f"\n… {count_of(len(found) - shown, 'more file')}; narrow the glob"
    return ToolOutcome(text or "no file", count_of(len(found), "file"))


def search(
    context: ToolContext,
    pattern: Annotated[str, "a regular expression, matched line by line"],
    glob: Glob = "",
) -> ToolOutcome:
    """Search the files for a pattern. Gives path:line: text."""
    wanted = compiled(pattern)
    hits: list[str] = []
    total = files = 0
    unread: list[str] = []
    for path, lines in _read_all(context, glob, unread):
        before = total
        for number, line in enumerate(lines, 1):
            if number % 2_000 == 0:
                context.look()
            if wanted.search(line[:_MOST_SEARCHED]):
                total += 1
                if len(hits) < _MOST_HITS:
                    hits.append(f"{path}:{number}: {shown_line(line)}")
        files += total > before
    found = _listed(hits, total, "match", f"of {pattern[:40]} in {count_of(files, 'file')}")
    return replace(found, text=found.text + _not_searched(unread))


_MOST_SEARCHED = 5_000
"""Characters of a line that are searched: nobody's pattern is about the rest of a line of megabytes."""


def symbols(
    context: ToolContext, query: Annotated[str, "a name, or a part of one; case does not count"]
) -> ToolOutcome:
    """Find where functions, classes and other symbols are defined."""
    wanted = query.rpartition(".")[2].lower()
    found: list[tuple[int, str]] = []
    for path, definition in _definitions(context, wanted):
        rank = difflib.SequenceMatcher(None, wanted, definition.name.lower()).ratio()
        line = (
            f"{path}:{definition.first}-{definition.last}: {definition.full_name}: {definition.head.strip()}"
        )
        found.append((-int(rank * 100), shown_line(line)))
    ranked = [line for _, line in sorted(found)]
    return _listed(ranked[:_MOST_HITS], len(ranked), "symbol", f"like {query[:40]!r}")


def references(
    context: ToolContext, name: Annotated[str, "the name, as Class.method or path.py::name where needed"]
) -> ToolOutcome:
    """Find the lines that use a symbol, definitions first. Exact for Python, by its text elsewhere."""
    plain = name.rpartition("::")[2].rpartition(".")[2]
    if not plain.isidentifier():
        return ToolOutcome(f"{name[:80]!r} is not a name", "not a name", failed=True)
    known: KnownRepository | None = context.parts.get("codemods")
    try:
        uses = uses_of(known.now(context), name) if known is not None else None
    except (MalformedCall, ValueError):
        uses = None
    if not isinstance(uses, Uses):
        note = f"by text alone: {uses.reason}\n" if uses is not None else ""
        found = _with_word(context, plain)
        return replace(found, text=note + found.text) if found.summary[0] != "0" else found
    defined = {(path, one.first) for path, one in _definitions(context, plain.lower()) if one.name == plain}
    ranked = sorted(uses.sure, key=lambda place: (place not in defined, place))
    lines = [_place(context, place, " (definition)" if place in defined else "") for place in ranked]
    lines += [_place(context, place, f" (may be: {why})") for place, why in sorted(uses.unsure.items())]
    return _listed(lines[:_MOST_HITS], len(lines), "line", f"with {name[:40]}")


def _place(context: ToolContext, place: tuple[str, int], mark: str) -> str:
    path, line = place
    lines = context.files.lines(path) or ()
    return f"{path}:{line}:{mark} {shown_line(lines[line - 1] if line <= len(lines) else '')}"


def _with_word(context: ToolContext, plain: str) -> ToolOutcome:
    """Lines with a word, in code or not."""
    word = re.compile(rf"(?<![\w$]){re.escape(plain)}(?![\w$])")
    defined = {(path, one.first) for path, one in _definitions(context, plain.lower()) if one.name == plain}
    heads: list[str] = []
    uses: list[str] = []
    total = 0
    for path, lines in _read_all(context, ""):
        for number, line in enumerate(lines, 1):
            if plain in line and word.search(line[:_MOST_SEARCHED]):
                total += 1
                if len(heads) + len(uses) < 4 * _MOST_HITS:
                    mark = " (definition)" if (path, number) in defined else ""
                    (heads if mark else uses).append(f"{path}:{number}:{mark} {shown_line(line)}")
    return _listed([*heads, *uses][:_MOST_HITS], total, "line", f"with {plain}")


def _definitions(context: ToolContext, wanted: str) -> Iterator[tuple[str, Definition]]:
    """Definitions whose name has these small letters in it."""
    for path, lines in _read_all(context, ""):
        if any(wanted in line.lower() for line in lines):
            for definition in outline(path, lines).definitions:
                if wanted in definition.name.lower():
                    yield path, definition


def _not_searched(unread: list[str]) -> str:
    named = "\n".join(unread[:_MOST_UNREAD])
    more = f"\n… and {len(unread) - _MOST_UNREAD} more" if len(unread) > _MOST_UNREAD else ""
    return f"\n\nnot searched:\n{named}{more}" if unread else ""


def _read_all(
    context: ToolContext, glob: str, unread: list[str] | None = None
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The text files. Texts that cannot be read are added to `unread`, with the reason."""
    for path in _chosen(context, glob):
        context.look()
        try:
            lines = context.files.lines(path)
        except SparkError as error:
            if unread is not None and error.hint != TEXT_ONLY:
                unread.append(f"{path}: {error.what}")
            continue
        if lines is not None:
            yield path, lines


def _listed(lines: list[str], total: int, noun: str, about: str) -> ToolOutcome:
    text, shown = joined(lines)
    if shown < total:
        text += f"\n… {count_of(total - shown, f'more {noun}')}; narrow the question"
    return ToolOutcome(text or f"no {noun}", f"{count_of(total, noun)} {about}")


def _no_such_file(path: str, paths: tuple[str, ...]) -> str:
    name = path.rpartition("/")[2]
    near = [item for item in paths if item.rpartition("/")[2] == name][:3]
    near = near or difflib.get_close_matches(path, paths, 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"no such file: {shown_line(path)}{hint}"
