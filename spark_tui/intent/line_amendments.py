"""Follow-ups that change what was written, line by line, where no call is known that wrote it."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spark_tui.intent import phrases
from spark_tui.intent.followup_table import table
from spark_tui.intent.left_out import Place, places
from spark_tui.intent.names import names_of, words_of
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Candidate, Situation
from spark_tui.intent.values import literal
from spark_tui.intent.written_lines import Change, Lines, Token, calls_for, changes

_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Stop\w*)\Z")
_STATEMENT = re.compile(
    r"(?P<indent>\s*)(?P<verb>raise|return|pass|continue|break)\b(?P<rest>.*)\Z", re.DOTALL
)
_LITERALS = frozenset(("None", "True", "False"))
_PLACES = ("function", "class", "file", "parameter", "variable", "anchor")
_SECOND = 0.4
"""How likely the second of several things is meant."""

Way = tuple[float, Mapping[Change, Lines | None]]


@dataclass(frozen=True)
class _Edit:
    """A reading that amends, and the lines that it is about."""

    reading: Reading
    situation: Situation
    changes: Sequence[Change]


def amended_lines(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to change the lines of the earlier edit, for the repository before it."""
    before = situation.before
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    found = changes(situation) if way is not None else []
    if way is None or before is None or not found:
        return []
    out = []
    for weight, otherwise in way(_Edit(reading, situation, found)):
        calls = calls_for(found, otherwise, before)
        if calls and otherwise:
            out.append(Candidate(calls, reading, weight=weight, from_before=True))
    return out


def leaves_nothing(reading: Reading, situation: Situation) -> bool:
    """Whether nothing of an edit stays without the place that a reading names; so it is where it names
    none."""
    found = changes(situation)
    edit = _Edit(reading, situation, found)
    if not any(reading.slots.get(slot) for slot in _PLACES):
        return True
    where = _where(edit)
    if where or len(found) < 1:
        return bool(found) and all(_is_in(one, where, situation) for one in found)
    return not _touching(edit)


# -- another value -----------------------------------------------------------------------------------------


def _exchanged(edit: _Edit) -> Iterator[Way]:
    """Another name, value, exception, message or type in the place of one that was written."""
    given = edit.reading.slots.get(str(table()["given"][edit.reading.intent]), ())
    if not given:
        return
    old = [_bare(span.text) for span in edit.reading.slots.get("old", ())]
    kind = edit.reading.intent.removeprefix("amend.")
    written = {one: list(one.written()) for one in edit.changes}
    groups: dict[str, float] = {}
    for tokens in written.values():
        for token in tokens:
            fits = _fit(kind, token, given[-1], old)
            if fits > 0:
                groups[token.text] = max(groups.get(token.text, 0.0), fits)
    ranked = sorted(groups.items(), key=lambda each: -each[1])[:3]
    for at, (text, fits) in enumerate(ranked):
        new = _spelled(text, given[-1], old, kind)
        if new is None or new == text:
            continue
        otherwise: dict[Change, Lines | None] = {}
        for change, tokens in written.items():
            places = [one for one in tokens if one.text == text]
            if places:
                otherwise[change] = _with(change, places, new)
        yield fits * _SECOND**at, otherwise


def _bare(text: str) -> str:
    return text.strip().strip("`'\"")


def _inner(text: str) -> str:
    """The text of a string literal."""
    return re.sub(r"\A\w{0,2}(\"\"\"|'''|\"|')([\s\S]*)\1\Z", r"\2", text)


def _is_string(text: str) -> bool:
    return text[-1:] in "'\"" and len(text) > 1


def _is_literal(text: str) -> bool:
    return text[:1].isdigit() or text in _LITERALS or _is_string(text)


def _fit(kind: str, token: Token, given: Span, old: Sequence[str]) -> float:
    """How likely a token is what something else is given for."""
    text = token.text
    if old:
        said = text in old or _inner(text) in old
        return 1.0 if said else 0.6 if _is_string(text) and any(one in text for one in old if one) else 0.0
    name = text.isidentifier() and not keyword.iskeyword(text)
    if kind == "name":
        own = text not in ("self", "cls") and not hasattr(builtins, text)  # not a name of Python
        return 0.9 if name and own and not _ERROR.match(text) else 0.0
    if kind == "exception":
        return 0.9 if _ERROR.match(text) or (name and token.before in ("raise", "except")) else 0.0
    if kind == "message":
        return 0.9 if _is_string(text) else 0.0
    if kind == "type":
        return 0.8 if name and token.before in (":", ">", "[", "|") else 0.0
    if not _is_literal(text):
        return 0.25 if name and kind == "value" and token.before in ("=", "return") else 0.0
    number = phrases.number(given.text) is not None and not given.quoted
    alike = number == text[:1].isdigit() or given.quoted == _is_string(text)
    return 0.9 if alike else 0.4


def _spelled(text: str, given: Span, old: Sequence[str], kind: str) -> str | None:
    """What stands in the place of a token."""
    plain = given.text.strip().strip("`")
    if kind in ("name", "exception", "type"):
        plain = (phrases.type_code(plain) or plain) if kind == "type" else _bare(plain)
        return plain if re.fullmatch(r"[\w.\[\], |]+", plain) else None
    if _is_string(text):
        inner = _inner(text)
        part = next((one for one in old if one in inner and one != inner), None)
        value = phrases.number(plain) if kind == "value" and not given.quoted and not old else None
        if value is not None or (plain in _LITERALS and not given.quoted):
            return value or plain
        new = inner.replace(part, _bare(plain)) if part else _bare(plain)
        at = text.index(inner) if inner else len(text) // 2
        return text[:at] + new + text[at + len(inner) :]
    value = phrases.value(plain)
    if value is not None and not given.quoted:
        return value
    code = re.fullmatch(r"[\w.]+(?:\([^()]*\))?|-?\d[\w.]*|[\[({].*[\])}]", plain)
    return plain if code and not given.quoted else literal(_bare(plain))


def _with(change: Change, written: Iterable[Token], new: str) -> Lines:
    text = change.text
    for token in sorted(written, key=lambda one: -one.start):
        text = text[: token.start] + new + text[token.end :]
    return tuple(text.splitlines())


# -- fewer places ------------------------------------------------------------------------------------------


def _spans(edit: _Edit) -> tuple[Span, ...]:
    return tuple(span for slot in _PLACES for span in edit.reading.slots.get(slot, ()))


def _where(edit: _Edit) -> list[Place]:
    """The places that are named, in the files with the earlier answer."""
    told = replace(edit.situation, repo=edit.situation.behind)
    return places(_spans(edit), told, names_of(told.repo, told.path))


def _touching(edit: _Edit) -> list[Change]:
    """The changes in the places that are named, or with their words."""
    spans = _spans(edit)
    if not spans:
        return []
    where = _where(edit)
    inside = [one for one in edit.changes if _is_in(one, where, edit.situation)]
    if inside and len(inside) < len(edit.changes):
        return inside
    said = {word for span in spans for word in words_of(span.text) if len(word) > 2}
    own = [one for one in edit.changes if said & {word for line in one.new for word in words_of(line)}]
    return own if len(own) < len(edit.changes) else []


def _is_in(change: Change, where: Sequence[Place], situation: Situation) -> bool:
    starts = [0]
    for line in (situation.behind.index.text(change.path) or "").splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    at = starts[min(change.at, len(starts) - 1)]
    return any(path == change.path and (high < 0 or low <= at < high) for path, low, high in where)


def _fewer(edit: _Edit) -> Iterator[Way]:
    """Without what was done in a place."""
    gone = _touching(edit)
    if gone:
        yield 0.9, dict.fromkeys(gone)


def _only(edit: _Edit) -> Iterator[Way]:
    """Nothing but what was done in a place."""
    kept = _touching(edit)
    if kept:
        yield 0.9, dict.fromkeys(one for one in edit.changes if one not in kept)


# -- another statement -------------------------------------------------------------------------------------


def _instead(edit: _Edit) -> Iterator[Way]:
    """A return in the place of a raise that was written, or the other way round."""
    returns = edit.reading.intent == "amend.return_instead"
    wanted = ("raise",) if returns else ("return", "pass", "continue", "break", "raise")
    for change in edit.changes:
        was = {line.strip() for line in change.old}
        for at, line in enumerate(change.new):
            found = _STATEMENT.match(line)
            if found is None or found["verb"] not in wanted or line.strip() in was:
                continue
            last = _end(change.new, at)
            new = _return(edit) if returns else _raise(edit, found)
            if new is not None:
                yield 0.9, {change: (*change.new[:at], found["indent"] + new, *change.new[last:])}
            return


def _end(lines: Lines, at: int) -> int:
    """Where a statement ends that begins in a line: behind its last bracket."""
    depth = 0
    for last in range(at, len(lines)):
        depth += sum(lines[last].count(one) for one in "([{") - sum(lines[last].count(one) for one in ")]}")
        if depth <= 0:
            return last + 1
    return len(lines)


def _return(edit: _Edit) -> str | None:
    result = edit.reading.text("result").strip("`")
    if not result:
        return "return"
    shown = phrases.value(result) or result
    try:
        compile(shown, "", "eval")
    except (SyntaxError, ValueError):
        return None
    return f"return {shown}"


def _raise(edit: _Edit, found: re.Match[str]) -> str | None:
    given, message = edit.reading.text("exception").strip("`"), edit.reading.text("message")
    was = re.match(r"\s+([\w.]+)(\(.*\))?", found["rest"]) if found["verb"] == "raise" else None
    if found["verb"] == "raise" and not (given or message):
        return None
    if given and not re.fullmatch(r"[\w.]+(?:\(.*\))?", given):
        return None
    name = given or (was[1] if was else "ValueError")
    if "(" in name:
        return f"raise {name}"
    said = literal(_bare(message)) if message else ""
    arguments = f"({said})" if said else (was[2] or "") if was else ""
    return f"raise {name}{arguments}"


_WAYS: Mapping[str, Callable[[_Edit], Iterator[Way]]] = {
    **dict.fromkeys(("name", "value", "exception", "message", "type"), _exchanged),
    "except": _fewer,
    "only_here": _only,
    "return_instead": _instead,
    "raise_instead": _instead,
}
