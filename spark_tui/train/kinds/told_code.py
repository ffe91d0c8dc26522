"""Code told by what it does, in the words of comments, docstrings and error messages of real code.

The text before the edit lacks the code that these words are about, or has only a stub of it.
"""

from __future__ import annotations

import ast
import re
from random import Random

from spark_tui.pysource.source import docstring
from spark_tui.train.kinds.base import Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes, arguments
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot
from spark_tui.train.templates.tables import table

wording = table("wording/told")
VERBS = frozenset(wording["verbs"].split())
MOST_WORDS, LEAST_WORDS = 16, 2
MOST_LINES = 6
MOST_BODY = 10
_UNFIT = re.compile(r"[`<>{}=\[\]|]|::|\bTODO\b|\bXXX\b|\bFIXME\b|noqa|pylint|type:|\bpragma|https?:|\.\.\.")
_MUST = re.compile("|".join(rf"\b{words}\b" for words in wording["must"]))


def clause(text: str) -> str:
    """The words as an imperative clause, or nothing if they are none."""
    words = " ".join(text.split()).rstrip(".:;! ")
    words = re.split(r"(?<=\w)[.;] ", words)[0]
    first, _, rest = words.partition(" ")
    verb = first.lower()
    if verb not in VERBS:
        verb = next((v for v in (verb[:-1], verb[:-2]) if v in VERBS and verb in (f"{v}s", f"{v}es")), "")
    count = len(words.split())
    if not verb or not LEAST_WORDS <= count <= MOST_WORDS or _UNFIT.search(words):
        return ""
    return f"{verb} {rest}"


def _said(window: SourceWindow, lines: range) -> str:
    return " ".join(window.lines[number].strip().lstrip("#").strip() for number in lines)


@kind("commented_code", *wording["statement"], needs=r"(?m)^\s+# ?\w", weight=60.0)
def commented_code(window: SourceWindow, rng: Random) -> Made | None:
    """Statements under a comment, told by the comment."""
    if window.invented:
        return None
    found: list[tuple[str, int, int, int, Function]] = []
    for block_statement, block in window.statements():
        place = block.index(block_statement)
        first = window.first_line(block_statement) - 1
        above = first
        while above > 0 and window.lines[above - 1].strip().startswith("#"):
            above -= 1
        owner = window.function_of(block_statement)
        if above == first or owner is None or owner is block_statement:
            continue
        told = clause(_said(window, range(above, first)))
        if not told:
            continue
        ends = [window.last_line(block_statement)]
        for later in block[place + 1 :]:
            if window.first_line(later) - 1 != ends[-1]:
                break
            ends.append(window.last_line(later))
        rest = len(block) - (block is owner.body and docstring(owner) is not None)
        if len(ends) == rest or ends[-1] - first > MOST_LINES:
            ends = ends[:1]
        if rest == 1 or ends[-1] - first > MOST_LINES:
            continue
        found.append((told, above, first, ends[-1], owner))
    if not found:
        return None
    told, above, first, last, owner = rng.choice(found)
    lines = window.lines
    before = [*lines[:above], *lines[last:]]
    after = [*lines[:above], *lines[first:last], *lines[last:]]
    slots: dict[str, Slot] = {"d": WordsSlot(told), "f": fname(owner)}
    return Made("\n".join(before) + "\n", "\n".join(after) + "\n", slots)


def _documented(window: SourceWindow) -> list[tuple[Function, str, int]]:
    """Functions whose docstring tells what they do, with the number of lines of their bodies behind it."""
    out: list[tuple[Function, str, int]] = []
    for function in window.functions if not window.invented else ():
        body = function.body[1:]
        if docstring(function) is None or not body or function.name.startswith("__"):
            continue
        words = clause(((ast.get_docstring(function) or "").splitlines() or [""])[0])
        count = window.last_line(body[-1]) - window.last_line(function.body[0])
        if words and count <= MOST_BODY and window.own_lines(body[0]):
            out.append((function, words, count))
    return out


@kind("documented_function", *wording["function"], needs='"""', weight=30.0)
def documented_function(window: SourceWindow, rng: Random) -> Made | None:
    """A whole function or method, told by the first line of its docstring."""
    found = [item for item in _documented(window) if not item[0].decorator_list]
    if not found:
        return None
    function, told, _ = rng.choice(found)
    owner = window.owner(function)
    siblings = owner.body if owner is not None else window.tree.body
    if len(siblings) < 2 or (owner is not None and siblings[-1] is not function and rng.random() < 0.5):
        return None
    first, last = window.first_line(function) - 1, window.last_line(function)
    inside = function.body[0]
    lines = window.lines
    whole = [*lines[first : window.first_line(inside) - 1], *lines[window.last_line(inside) : last]]
    while last < len(lines) and not lines[last].strip():
        last += 1
    head = lines[:first]
    if last == len(lines):
        while head and not head[-1].strip():
            head.pop()
    before = "\n".join([*head, *lines[last:]]) + "\n"
    shown = lines[window.last_line(function) : last]
    after = "\n".join([*lines[:first], *whole, *shown, *lines[last:]]) + "\n"
    names = ", ".join(item.arg for item in arguments(function))
    slots: dict[str, Slot] = {
        "d": WordsSlot(told),
        "n": NameSlot(function.name),
        "a": ExactSlot(f"({names})"),
        "c": NameSlot(owner.name if owner is not None else ""),
    }
    return Made(before, after, slots, tuple(wording["function" if owner is None else "method"]))


@kind("stubbed_body", *wording["body"], needs='"""', weight=15.0)
def stubbed_body(window: SourceWindow, rng: Random) -> Made | None:
    """The body of a function that is only a stub, told by its docstring."""
    found = _documented(window)
    if not found:
        return None
    function, told, _ = rng.choice(found)
    body = function.body[1:]
    stub = rng.choice(["pass", "...", "raise NotImplementedError", "pass  # TODO", "return None"])
    first, last = window.first_line(body[0]) - 1, window.last_line(body[-1])
    lines = window.lines
    before = [*lines[:first], window.indent(body[0]) + stub, *lines[last:]]
    slots: dict[str, Slot] = {"d": WordsSlot(told), "n": NameSlot(function.name)}
    return Made("\n".join(before) + "\n", window.text, slots)


@kind("told_check", *wording["check"], needs=r"raise \w+\(", weight=25.0)
def told_check(window: SourceWindow, rng: Random) -> Made | None:
    """A check that raises, told by its message."""
    found = []
    for statement, block in window.statements() if not window.invented else ():
        if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
            continue
        raised = statement.body[0]
        owner = window.function_of(statement)
        if owner is None or not isinstance(raised, ast.Raise) or not isinstance(raised.exc, ast.Call):
            continue
        call = raised.exc
        text = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
        if not isinstance(text, str) or not isinstance(call.func, ast.Name) or len(block) < 2:
            continue
        count = len(text.split())
        if 3 <= count <= MOST_WORDS and "\n" not in text and window.own_lines(statement):
            found.append((statement, owner, call.func.id, text))
    if not found:
        return None
    statement, owner, error, text = rng.choice(found)
    start, end = window.line_span(window.first_line(statement), window.last_line(statement))
    told = text.rstrip(".")
    phrases = wording["check"]
    if not _MUST.search(told):
        phrases = [phrase for phrase in phrases if "{m}" not in phrase]
    slots: dict[str, Slot] = {
        "m": WordsSlot(told[:1].lower() + told[1:]),
        "q": ExactSlot(text, quoted=True),
        "e": CodeSlot(error) if rng.random() < 0.3 else NameSlot(error),
        "f": fname(owner),
    }
    return Made(apply_changes(window.text, [(start, end, "")]), window.text, slots, tuple(phrases))
