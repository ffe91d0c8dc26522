"""A test for a function, from a call and what it is to give or to raise.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.docs.said import Said, name_words
from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, parse

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "test tests testing tested untested pytest unit unittest case coverage cover covers covered assert asserts asserting check checks verify add write create new says say that raises raise raising throws error errors exception fail fails "
        "fail failing equals equal expected expect expects gives give returns return returned is should be has have with we need want one for a fn regression small simple pytest.raises == -> yields evaluates",
    )
)
_TEST = re.compile(
    r"\b(?:tests?\b|test_|(?:untested|pytest|coverage|assert(?:s|ing)?|expect(?:s|ed)?|cover)\b)", re.I
)
_ERROR = re.compile(
    r"(?<![\w.])(?P<error>[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning)|StopIteration)\b"
)


def calls_in(src: Source, text: str) -> list[tuple[str, int, int, str]]:
    """Function, place and source of each call of a function of the file that a text spells."""
    out = []
    for function in src.functions:
        if src.function_of(function) is not None or src.class_of(function) is not None:
            continue
        for found in re.finditer(rf"(?<![\w.]){re.escape(function.name)}\(", text):
            depth = 0
            for at in range(found.end() - 1, len(text)):
                depth += (text[at] in "([{") - (text[at] in ")]}")
                if depth == 0:
                    break
            code = text[found.start() : at + 1]
            if depth == 0 and parse(code) is not None:
                out.append((function.name, found.start(), at + 1, code))
    return out


def value_told(before: str, behind: str) -> str | None:
    """The value that is told behind a call, else in front of it."""
    for text, pattern in (
        (
            behind,
            r"^[`'\"]?[\s,]*(?:should |must |has to |will |to )?(?:(?:is|equals?|equal to|be|gives?|returns?|yields?|evaluates to)\b|==|->|=>|:|=)?\s*(?:be |equal |return )?[`]?(?P<value>[^`]+?)[`]?[\s.!?]*$",
        ),
        (
            before,
            r"(?:expected?|expects?|assert|gives?|get) [`]?(?P<value>[^`\s]+|\"[^\"]*\"|'[^']*')[`]? (?:from|of|for|by)\s*[`]?$",
        ),
    ):
        found = re.search(pattern, text)
        if found:
            value = found["value"].strip().strip("`").rstrip(",;")
            try:
                tree = parse_code(value, mode="eval")
            except (SyntaxError, ValueError):
                tree = None
            if tree is not None and not isinstance(tree.body, ast.Name | ast.Attribute | ast.Compare):
                return value
    return None


_PAIR = re.compile(
    r"(?P<given>\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)?|\[[^\]]*\]|\{[^}]*\})`?,? (?:->|=>|==|gives?|giving|returns?|returning|becomes?|is|should (?:give|return|be|become)|to) ?`?(?P<value>\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)?|True|False|None|\[[^\]]*\]|\{[^}]*\})`?$"
)


def _pair(order: Order) -> tuple[str, int, int, str] | None:
    """A call of the one function that is named, from what goes in; the place is that of what is told to go
    in."""
    found = _PAIR.search(order.said)
    if not found or parse(found["given"]) is None:
        return None
    named = [
        one
        for one in order.src.functions
        if re.search(rf"(?<![\w.]){re.escape(one.name)}\b", order.said[: found.start()])
    ]
    named = [one for one in named if order.src.class_of(one) is None and order.src.function_of(one) is None]
    if len(named) != 1 or not named[0].args.args or len(named[0].args.args) - len(named[0].args.defaults) > 1:
        return None
    return named[0].name, found.start(), found.end("given"), f"{named[0].name}({found['given']})"


def _rule(order: Order) -> Iterator[Edit]:
    src = order.src
    if (
        src.headers
        or src.tree is None
        or not _TEST.search(order.said)
        or re.search(r"\bdoc ?tests?\b", order.said, re.I)
    ):
        return
    said = Said(order, VOCABULARY)
    calls = calls_in(src, order.said)
    given = [one for one in calls if not one[3].endswith("()")] or calls
    if not given:
        pair = _pair(order)
        if pair is None:
            return
        given, spoken = [pair], pair[3]
    else:
        spoken = ""
    if len({one[3] for one in given}) != 1:
        return
    name, start, end, call = given[-1]
    error = _ERROR.search(order.said)
    used = [spoken, *said.understood, name, call, f"test_{name}", *name_words(name)]
    if error:
        title = f"test_{name}_raises"
        lines = [f"def {title}():", f"    with pytest.raises({error['error']}):", f"        {call}"]
        used.append(error[0])
    else:
        value = value_told(order.said[:start], order.said[end:])
        if value is None:
            return
        title = f"test_{name}"
        lines = [
            f"def {title}():",
            f"    assert {call} {'is' if value in ('None', 'True', 'False') else '=='} {value}",
        ]
        used.append(value)
    if re.search(rf"\bdef {title}\b", src.text) or "unittest" in src.text:
        return
    body = src.text.rstrip("\n")
    text = body + "\n\n\n" + "\n".join(lines) + "\n"
    said.place()
    used += said.understood
    imported = leading_import(src, bool(error))
    if imported is not None:
        yield order.edit_text(text[: imported[0]] + imported[2] + text[imported[1] :], *used)
    yield order.edit_text(text, *used)


def leading_import(src: Source, wanted: bool) -> tuple[int, int, str] | None:
    """`import pytest`, where the file has imports at its top and this one not."""
    has = any(isinstance(node, ast.Import | ast.ImportFrom) for node in src.tree.body) if src.tree else False
    return with_import(src, "import pytest") if wanted and has else None


RULES: tuple[Rule, ...] = (Rule(_TEST, _rule),)
