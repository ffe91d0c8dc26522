# ruff: noqa: E501 - tables of forms read better unbroken
"""Statements that an answer brought, made as a further remark wants them: logged, raised, ignored, with one before.

Comes in: the text in which an answer stands, one clause of a message. Goes out: texts that may be wanted. Must not
know: engines, ids, what was asked at first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.refactor.source import Change
from spark_tui.steers.stands import Stands, one

Rule = Callable[[Stands, re.Match[str]], Iterator[str]]


def imported(text: Stands, module: str) -> list[Change]:
    """What makes a module known, where it is not."""
    src = text.src
    found = [node for node in src.statements if isinstance(node, (ast.Import, ast.ImportFrom)) and not node.col_offset]
    plain = [node for node in found if isinstance(node, ast.Import)]
    if any(alias.name == module and alias.asname is None for node in plain for alias in node.names):
        return []
    line = f"import {module}\n"
    behind = next((node for node in plain if node.names[0].name > module), None)
    if behind is not None:
        at = src.starts[src.first_line(behind)]
    elif found:
        at = src.starts[src.last_line((plain or found)[-1])]
        if not plain:
            at = src.starts[src.first_line(found[0])]
    else:
        first = src.statements[0] if src.statements else None
        is_told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and not first.col_offset
        at = src.starts[src.last_line(first)] if is_told and first is not None else 0
        line = f"\n{line}" if is_told else f"{line}\n"
    return [(at, at, line)]


def _prints(text: Stands) -> list[ast.Expr]:
    return [
        node
        for node in text.statements
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and text.src.segment(node.value.func) == "print"
    ]


def _worded(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*say "bad line"*, *with the message "bad line"*: in what is raised or printed now."""
    found: list[ast.Call] = [
        node.exc for node in text.statements if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    ]
    bare = [node.exc for node in text.statements if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name)]
    if not found and len(bare) == 1:
        at = text.src.span(bare[0])[1]
        yield text.changed([(at, at, f"({match['m']})")])
    if not found:
        found = [node.value for node in _prints(text) if isinstance(node.value, ast.Call)]
    if len(found) != 1 or len(found[0].args) > 1 or found[0].keywords:
        return
    call = found[0]
    yield text.changed([(text.src.span(call.func)[1], text.src.span(call)[1], f"({match['m']})")])


def _first(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*print "no such lock" before you return*, *log it first*: above the statement that was put in."""
    target: type[ast.stmt] | None = None
    way = (match["way"] or "").lower()
    for word, kind in (
        ("return", ast.Return),
        ("rais", ast.Raise),
        ("throw", ast.Raise),
        ("continu", ast.Continue),
        ("break", ast.Break),
    ):
        if word in way:
            target = kind
    places = [
        node for node in text.statements if isinstance(node, target or (ast.Return, ast.Raise, ast.Continue, ast.Break))
    ]
    if len(places) != 1:
        return
    said, verb = match["said"].strip(), match["verb"].lower()
    if said[:1] == "`":
        said = said[1:-1]
    elif said[:1] not in "\"'":
        return
    logger = next(iter(re.findall(r"^(\w+) = logging\.getLogger", text.src.text, re.M)), "logging")
    code = f"print({said})" if verb in ("print", "show", "say") else f"{logger}.info({said})"
    at = text.src.starts[text.src.first_line(places[0])]
    changes: list[Change] = [(at, at, f"{text.src.indent(places[0])}{code}\n")]
    if code.startswith("logging."):
        changes += imported(text, "logging")
    yield text.changed(changes)


def _printed_too(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*print it too*: what is returned now."""
    node = one(item for item in text.statements if isinstance(item, ast.Return))
    if not isinstance(node, ast.Return) or node.value is None:
        return
    if any(isinstance(item, (ast.Call, ast.Await, ast.Yield)) for item in ast.walk(node.value)):
        return
    at = text.src.starts[text.src.first_line(node)]
    yield text.changed([(at, at, f"{text.src.indent(node)}print({text.src.segment(node.value)})\n")])


def _from(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*count from 1*, *start it at 1*: where something is counted now."""
    call = one(
        item for item in text.new(ast.Call) if isinstance(item, ast.Call) and text.src.segment(item.func) == "enumerate"
    )
    if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
        number = {"one": "1", "zero": "0"}.get(match["n"].lower(), match["n"])
        if number != "0":
            at = text.src.span(call)[1] - 1
            yield text.changed([(at, at, f", {number}")])


def _rounded(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*always round up*: where something is rounded now."""
    call = one(
        item
        for item in text.new(ast.Call)
        if isinstance(item, ast.Call) and text.src.segment(item.func) in ("round", "int", "math.floor", "math.ceil")
    )
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return
    up = match["way"].lower() in ("up", "ceil", "ceiling")
    bare = re.search(rf"^from math import .*\b{'ceil' if up else 'floor'}\b", text.src.text, re.M)
    name = ("" if bare else "math.") + ("ceil" if up else "floor")
    if text.src.segment(call.func) != name:
        yield text.changed([(*text.src.span(call.func), name), *([] if bare else imported(text, "math"))])


def _digits(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*two decimals*: where something is shown or rounded to some number of them now."""
    number = {"no": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4"}.get(
        match["n"].lower(), match["n"]
    )
    found = [
        (found.start(1) + low, found.end(1) + low)
        for low, high in _strings(text)
        for found in re.finditer(r"(?:%|:[^{}]*?)\.(\d)f", text.src.text[low:high])
    ]
    for call in text.new(ast.Call):
        if isinstance(call, ast.Call) and text.src.segment(call.func) == "round" and len(call.args) == 2:
            found.append(text.src.span(call.args[1]))
    if len(found) == 1:
        yield text.changed([(*found[0], number)])


def _strings(text: Stands) -> Iterator[tuple[int, int]]:
    for node in text.new((ast.JoinedStr, ast.Constant)):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            parent = text.src.parents.get(node)
            if not isinstance(parent, (ast.JoinedStr, ast.FormattedValue)):
                yield text.src.span(node)


def _sorted_by(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*by hall and then by start time*: where it is sorted by the first of them now."""
    node = one(
        item
        for item in text.src.nodes
        if isinstance(item, ast.Lambda)
        and isinstance(item.body, (ast.Attribute, ast.Subscript))
        and isinstance(text.src.parents.get(item), ast.keyword)
        and text.brought(item)
    )
    if not isinstance(node, ast.Lambda) or not isinstance(node.body, (ast.Attribute, ast.Subscript)):
        return
    stood = text.src.segment(node.body)
    whose = text.src.segment(node.body.value)
    first = node.body.attr if isinstance(node.body, ast.Attribute) else getattr(node.body.slice, "value", None)
    if match["a"] and match["a"].strip("`") != first:
        return
    for name in (match["b"].strip("`"), match["b"].strip("`").split()[0], match["b"].strip("`").replace(" ", "_")):
        quoted = isinstance(node.body, ast.Subscript)
        held = rf"[\"']{re.escape(name)}[\"']" if quoted else rf"\b{re.escape(name)}\b"
        if name != first and re.search(held, text.src.text):
            other = f'{whose}["{name}"]' if quoted else f"{whose}.{name}"
            yield text.changed([(*text.src.span(node.body), f"({stood}, {other})")])
            return


def _form(form: str) -> re.Pattern[str]:
    return re.compile(form, re.I)


_AND = r"(?:and |but |also |please |just |then |rather |even )*"
_SAID = r"(?P<said>\"[^\"]+\"|'[^']+'|`[^`]+`)"
RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_form(r"(?:and |but |with |let it |make it |it should |should |have it |rather )*(?:say(?:ing)?|(?:(?:the |a )?(?:error )?(?:message|text)(?: should (?:be|say|read)| is|:)?)|with|reads?) (?P<m>\"[^\"]+\"|'[^']+')(?: (?:as (?:the )?message|as text|in it))?"), _worded),
    (_form(rf"{_AND}(?P<verb>print|log|show|say) {_SAID} (?:first|(?:right |just )?before (?P<way>(?:it |you |we |the |that |this )?\w+(?: \w+)?))"), _first),
    (_form(rf"{_AND}(?P<way>)(?:first |before (?:that|it),? )(?P<verb>print|log|show|say) {_SAID}"), _first),
    (_form(rf"{_AND}(?:print (?:it|that|the \w+|this)(?: too| as well| also)|keep (?:the print(?:ing)?|printing it)(?: too| as well)?|still print it)"), _printed_too),
    (_form(rf"{_AND}(?:(?:start|count|begin|number)(?:ing|s)?(?: it| them| counting| the \w+| numbering)? )?(?:at|from|with) (?P<n>\d+|one|zero)"), _from),
    (_form(rf"{_AND}(?:always )?(?:round(?:ed|ing)?(?: it| that)? )?(?:always )?(?P<way>up|down)(?: always)?|{_AND}(?:use )?(?:math\.)?(?P<w2>ceil|floor)"), _rounded),
    (_form(rf"{_AND}(?:to |with |use |round (?:it )?to |show )*(?P<n>\d|no|zero|one|two|three|four) (?:decimals?|digits?|decimal places|places|decimal)"), _digits),
    (_form(rf"{_AND}(?:sort )?(?:by (?P<a>`?\w+`?),? )?(?:and |and then |then |then also )(?:by )?(?:the )?(?P<b>`?\w+`?(?: \w+)?)(?: in (?:a|case of a) tie)?"), _sorted_by),
)  # fmt: skip
