"""Calls that change names and values in files of other languages, which are read by words and by lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from spark_tui.codemods.families.names.words import find_word, language_of
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.builders.statements.key_tables import is_configuration
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.context.symbol_kinds import kinds_said
from spark_tui.intent.words.doubts import Doubt, assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_LITERAL = r"""(?:'[^'\\]*'|"[^"\\]*"|`[^`$\\]*`|-?\d[\w.]*|true|false)"""
_NAME = re.compile(r"[A-Za-z]\w*(?:_|(?<=[a-z])(?=[A-Z]))\w+")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_INSIDE = frozenset((SymbolKind.PARAMETER, SymbolKind.LOCAL))
_MOST_HOMES, _LONGEST = 4, 200
"""How many lines are offered, and how long a line that is looked at may be."""


def renamed_words(context: Context) -> list[Built]:
    """The calls that rename a word: in the file that is named or in view and in the others of its language
    that have it, else in each language."""
    old, new = (context.text(slot).strip("`'\"").removesuffix("()") for slot in ("symbol", "new"))
    if not _WORD.fullmatch(old):
        return []
    homes = list(islice(_homes_of_word(context.repo, old), _MOST_FILES + 1))
    if len(homes) > _MOST_FILES:
        raise Unresolved(f"{old} stands in more than {_MOST_FILES} files")
    said = [path for path, _ in paths_named(context.repo, context.text("file")) if path in homes]
    here = said[:1] or [path for path in homes if path == context.situation.path]
    if not homes or (context.has("file") and not said):
        return []
    ways = [here] if here and said else []
    if not here or not kinds_said(context.span("symbol"), context.situation.instruction) & _INSIDE:
        spoken = list(dict.fromkeys(map(language_of, here or homes)))
        ways += [[path for path in homes if language_of(path) == one] for one in spoken]
    unique = {tuple(way): None for way in [*ways, *([] if ways else [here])] if way}
    return [
        Built(_renamed_in(way, homes, old, new), 0.95 / len(unique))
        for way in sorted(unique, key=len, reverse=True)
    ]


def _renamed_in(paths: Sequence[str], homes: Sequence[str], old: str, new: str) -> tuple[Operation, ...]:
    where = ["."] if len(homes) == len(paths) > 1 else paths
    return tuple(call("rename_word", path=path, old=old, new=new) for path in where)


def _homes_of_word(repo: Repository, word: str) -> Iterator[str]:
    for path in repo.index.all_paths:
        language = language_of(path)
        text = (repo.index.text(path) or "") if language is not None else ""
        if language is None or word not in text or word in language.keywords:
            continue
        if find_word(language, text, word).places:
            yield path


@dataclass(frozen=True, slots=True)
class SetLine:
    """A line that gives a name a literal."""

    place: str
    before: str
    name: str
    literal: str
    behind: str


_SET_NAME = re.compile(r"(?<![\w.$-])[A-Za-z_$][\w$]*(?:-\w+)*")
_IS_SET = re.compile(
    rf"((?:\s*:\s*[\w<>\[\]| ]+)?\s*:?=\s*|\s*:\s+)({_LITERAL})(\s*(?:[;,)}}]|//|/\*|#).*|\s*)"
)
"""What stands behind the name: the sign, the literal and the rest of the line."""
_DEFINE, _IS_DEFINED = re.compile(r"\s*#\s*define\s+"), re.compile(rf"(\s+)({_LITERAL})(\s*(?:/[/*].*)?)")
_MOST_FILES = 200
"""A word that more files have is hardly one name."""
_PROSE = (".md", ".rst", ".txt")


def set_literal(context: Context) -> list[Built]:
    """The calls that give a name another literal of its kind, where the file that is named, or else the one
    in view, is in another language: one for each line that sets the name."""
    named = paths_named(context.repo, context.text("file"))
    path = named[0][0] if named else "" if context.text("file") else context.situation.path
    return _with_value(context, [path])


def set_literal_elsewhere(context: Context) -> list[Built]:
    """The same in all files that have such a line, where no place is named."""
    if any(context.has(slot) for slot in ("file", "function", "class")):
        return []
    return _with_value(context, (path for path in context.repo.index.all_paths if not path.endswith(_PROSE)))


def _with_value(context: Context, paths: Iterable[str]) -> list[Built]:
    span, name = context.span("value"), plain_name(context.text("variable"))
    if span is None or not re.fullmatch(r"[\w $-]+", name) or not key(name):
        return []
    lines = [line for path in paths if path for line in _lines_setting(context.repo, path, key(name))]
    lines = [line for line in lines if line.name == name] or lines
    shown = [_as_literal(context, span, line.literal) for line in lines]
    made = [
        (line, call("replace_lines", place=line.place, text=line.before + text + line.behind))
        for line, text in zip(lines, shown, strict=True)
        if text
    ]
    return [Built((one,), 0.95 / len(made), _doubts(name, line)) for line, one in made[:_MOST_HOMES]]


def _doubts(name: str, line: SetLine) -> tuple[Doubt, ...]:
    return () if line.name == name else (assumed(f"{line.name} was assumed to be meant by {name}"),)


def _lines_setting(repo: Repository, path: str, wanted: str) -> Iterator[SetLine]:
    """The lines of a file that give a name of this key a literal."""
    text = "" if is_python(path) or is_configuration(path) else repo.index.text(path) or ""
    if not re.search(r"[\s_-]*".join(map(re.escape, wanted)), text, re.IGNORECASE):
        return
    for number, whole in enumerate(Source(text, path).lines, 1):
        line = whole.rstrip("\r\n")
        if len(line) > _LONGEST or wanted not in key(line):
            continue
        for word in _SET_NAME.finditer(line):
            sign = _IS_DEFINED if _DEFINE.fullmatch(line, 0, word.start()) else _IS_SET
            found = sign.fullmatch(line, word.end()) if key(word[0]) == wanted else None
            if found is not None:
                yield SetLine(f"{path}:{number}", line[: word.end()] + found[1], word[0], found[2], found[3])


def _as_literal(context: Context, span: Span, old: str) -> str:
    """The new value as the old one is written; empty if it is of another kind."""
    value = span.text.strip("`'\"")
    if re.search(r"[`'\"\\\n]", value):
        return ""
    if (
        context.quote(span) not in ("'", '"')
        and _NAME.fullmatch(value)
        and not _NAME.fullmatch(old.strip("`'\""))
    ):
        return ""  # the new name of it, or another name for its value
    shown = f"{old[0]}{value}{old[0]}" if old[0] in "'\"`" else value
    return shown if re.fullmatch(_LITERAL, shown) and old[0].isalpha() == shown[0].isalpha() else ""
