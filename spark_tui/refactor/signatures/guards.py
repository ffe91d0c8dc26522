"""Defaults that are made once become `None` and a guard; a method that forgot `self` gets it.

Comes in: orders. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.defaults import as_optional
from spark_tui.refactor.signatures.heads import Head, added, default_change, head
from spark_tui.refactor.signatures.parameters import heads
from spark_tui.refactor.signatures.talk import Aim, accounted, aims, as_function, functions, mended, mentions
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import (
    Change,
    Definition,
    Function,
    Source,
    body_behind_docstring,
    docstring,
    indent_of,
)

_MUTABLE_WORDS = NOISE | frozenset(
    words(
        """mutable default defaults shared created evaluated computed made once every each call calls called calling twice same list dict set remembers remember keeps grows grow items between none use instead own new state earlier
        idiom b006 w0102 dangerous avoid bug inside body fill import none guard old back shows up gets sees fresh empty value values time first leaks leak accumulates result results data previous using it there should
        definition def again memory persist persists survive survives object instance runs run start startup load loaded set_inside body try fill filled in my flake8 pylint and return again appending append two ends up day"""
    )
)
_MUTABLE = re.compile(
    r"\bmutable\b|\bB006\b|\bW0102\b|\b(?:created|evaluated|computed|made|built|called|run)\b.{0,25}\b(?:once|import|definition|load|startup)\b|\bshared\b|\bremembers?\b|\bkeeps?\b.{0,40}\bbetween\b"
    r"|\bgrows?\b|\b(?:same|old)\b.{0,30}\b(?:list|dict|set)\b|\bNone (?:idiom|default|guard|sentinel)\b|\bcalling\b.*\btwice\b|\bstate from\b|\buse (?:a )?None\b|\bbetween calls\b|\baccumulat\w+|\bleaks?\b",
    re.I,
)
_MADE = (ast.List, ast.Dict, ast.Set, ast.Call, ast.ListComp, ast.DictComp, ast.SetComp)


def mutable_default(order: Order) -> Iterator[Edit]:
    for aim, of in heads(order, least=1):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, _MUTABLE_WORDS, order.identifiers)
        if not _MUTABLE.search(text) or re.match(
            r"(?:what|which|where)\b|.*\b(?:remove|rename|global|constant|lru_cache|cache)\b", text, re.I
        ):
            continue
        made = [item.name for item in of.items if isinstance(item.default, _MADE)]
        empty = [
            item.name
            for item in of.items
            if item.default is not None and not isinstance(item.default, ast.Call) and isinstance(item.default, _MADE)
        ]
        chosen = [names[at] for at in said if names[at] in made] or (made if len(made) == 1 else empty)
        if not chosen or (said and not any(names[at] in made for at in said)):
            continue
        for name in (
            chosen
            if len(chosen) > 1 and re.search(r"\b(?:a|the) mutable (?:default|argument)\b(?! arguments)", text)
            else [""]
        ):
            changes = _guarded(order.src, of, [name] if name else chosen)
            if changes is not None:
                taken = [aim.text[one.start : one.end] for one in mentions(aim.text, chosen)]
                written = [order.src.segment(item.default) for item in of.items if item.name in chosen and item.default]
                yield aim.edit(changes, *chosen, *taken, *written, *accounted(aim.text, _MUTABLE_WORDS))


def _guarded(src: Source, of: Head, names: list[str]) -> list[Change] | None:
    body = body_behind_docstring(of.function)
    changes: list[Change] = []
    guards = ""
    first = body[0] if body else None
    own = first is not None and src.line_at(src.span(first)[0]) > src.line_at(of.listed.close)
    doc = docstring(of.function)
    if doc is not None and doc.lineno == of.function.lineno:
        return None
    indent = src.indent(of.function) + src.step
    if first is not None and own:
        indent = indent_of(src.lines[src.first_line(first)])
    elif doc is not None:
        indent = indent_of(src.lines[src.first_line(doc)])
    elif first is not None:
        return None
    for name in names:
        default = of.items[of.index(name)].default
        if default is None or (change := default_change(src, of, name, "None")) is None:
            return None
        value = src.segment(default)
        if "\n" in value or _is_guarded(of.function, name):
            return None
        changes += _with_optional(src, of, name, change)
        guards += f"{indent}if {name} is None:\n{indent}{src.step}{name} = {value}\n"
    if first is not None:
        line = src.first_line(first)
        floor = src.last_line(doc) if doc is not None else src.line_at(of.listed.close) + 1
        while line > floor and src.lines[line - 1].lstrip().startswith("#"):
            line -= 1
        at = src.starts[line]
    else:
        at = src.starts[src.last_line(doc or of.function)]
    return [*changes, (at, at, guards)]


def _with_optional(src: Source, of: Head, name: str, change: Change) -> list[Change]:
    wider = as_optional(src, of, name)
    return [(wider[0][0], change[1], wider[0][2])] if wider else [change]


def _is_guarded(function: Function, name: str) -> bool:
    return any(
        isinstance(node, ast.If) and re.match(rf"{name} is None\b|not {name}$", ast.unparse(node.test))
        for node in function.body
    )


# -- self ------------------------------------------------------------------------------------------------------------

_SELF_WORDS = NOISE | frozenset(
    words(
        """self cls missing forgot forgotten forgets lacks lack needs need needed add write put insert add first without traceback error typeerror given takes take positional argument arguments was were but has no not
        run running get getting sort repair correct when it here make works fix this fails crash crashes crashed dies got have sorted ouch build says call calling called can't ok run broken exception"""
    )
)
_ERROR = re.compile(
    r"(?:TypeError:\s*)?[`'\"]?(?:(?P<owner>\w+)\.)?(?P<name>\w+)\(\)[`'\"]? takes (?P<takes>\d+|no|from \d+ to \d+)? ?(?:positional )?arguments? but (?P<given>\d+) (?:was|were) given",
    re.I,
)
_FORGOT = re.compile(
    r"\b(?:self|cls)\b.{0,25}\b(?:missing|forgot\w*|lacks?|needed|gone)\b|\b(?:missing|forgot\w*|lacks?|needs?|add\w*|write|put|without|insert|has no|no)\b.{0,25}\b(?:self|cls)\b",
    re.I,
)


def missing_self(order: Order) -> Iterator[Edit]:
    error = _ERROR.search(order.instruction)
    if error is None and not _FORGOT.search(order.said):
        return
    for aim in _without_self(order, error):
        function = as_function(aim.node)
        of = head(order.src, function)
        if of is None:
            continue
        first = "cls" if any(ast.unparse(one) == "classmethod" for one in function.decorator_list) else "self"
        used = [
            *((error[0], "typeerror", *words(error[0])) if error else ()),
            *accounted(order.said, _SELF_WORDS),
            "self",
            "cls",
        ]
        yield aim.edit([added(order.src.text, of.listed, 0, first)], *used)


def _without_self(order: Order, error: re.Match[str] | None) -> list[Aim]:
    def fits(node: Definition) -> bool:
        function = as_function(node)
        decorators = {ast.unparse(one) for one in function.decorator_list}
        places = [*function.args.posonlyargs, *function.args.args]
        first = places[0].arg if places else ""
        inside = isinstance(order.src.parents.get(node), ast.ClassDef)
        named = error is None or (node.name == error["name"] and _counts(error))
        return (
            inside and "staticmethod" not in decorators and first not in ("self", "cls", "mcs", "_", "__self") and named
        )

    found = aims(order, functions(order), fits)
    if error is not None and error["owner"] and len(found) > 1:
        kept = [
            aim for aim in found if (owner := order.src.class_of(aim.node)) is not None and owner.name == error["owner"]
        ]
        found = kept or found
    return found if len(found) == 1 or error is not None else []


def _counts(error: re.Match[str]) -> bool:
    """Whether the numbers are those of a forgotten `self`."""
    takes, given = error["takes"] or "", int(error["given"])
    least = [int(one) for one in re.findall(r"\d+", takes)] or [0]
    return given == least[-1] + 1


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"mutable|b006|w0102|once|import|shared|remember|between|grow|same|old\b|none|twice|state|accumul|leak",
            re.I,
        ),
        mutable_default,
    ),
    Rule(re.compile(r"self|cls|takes .*positional|takes .* but", re.I | re.S), missing_self),
)
