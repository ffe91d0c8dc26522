"""Calls that add a test: of the example that is shown, else a skeleton to fill in."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, builder, call, found, word
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import not_said
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function

_LITERAL = re.compile(
    r"\"[^\"\n]*\"|'[^'\n]*'(?!\w)|\[[^\]\n]*\]|\{[^}\n]*\}"
    r"|(?<![\w.])-?\d+(?:\.\d+)?(?!\w)|\b(?:True|False|None)\b"
)
_RAISES = re.compile(
    r"\b(?i:raise|throw|fail|wirft|werfen|lève|lever|lanza)(?i:\w*)\W+(?i:(?:with|an?|einen|une?|un)\s+){0,2}"
    r"[`'\"]?(?P<error>[A-Z]\w*)"
)
_LONGEST = 200
_LEFT_TO_FILL_IN = not_said("the example is left to be filled in")


@dataclass(frozen=True)
class _Example:
    """A call that an instruction shows, and where it ends there."""

    code: str
    end: int


@builder("add_test")
def add_test(context: Context) -> Iterator[Built]:
    context = _with_called(context)
    spots = found(context, "definition", "function or class")
    tested = [one for one in spots if not getattr(one.node, "name", "").startswith("test_")]
    if not tested:
        raise Unresolved("only a test has that name")
    for anchor in tested[:3]:
        error = _error_said(context, anchor)
        shown, result = _example_of(context, anchor, error)
        target = word(context, "definition", anchor)
        made = call("add_test", target=target, call=shown, result=result, error=error if shown else "")
        if not shown and _says_more(context) and _is_there(context, made):
            raise Unresolved("what the test shows has to be written")
        yield build_at(anchor, made, doubts=() if shown else (_LEFT_TO_FILL_IN,))


def _says_more(context: Context) -> bool:
    """Whether words behind what is tested say what the test shows: *that it respects the limit*."""
    ends = [span.end for slot in ("function", "class") if (span := context.span(slot)) is not None]
    return bool(ends) and re.search(r"\w", context.situation.instruction[max(ends) :]) is not None


def _is_there(context: Context, made: Operation) -> bool:
    """Whether the file of the tests has a test of that name."""
    plan = made.plan(context.repo)
    return isinstance(plan, Refused) and plan.why == "nothing"


def _with_called(context: Context) -> Context:
    """The reading with the function and the class of the call that is shown, where none is named."""
    example = _shown(context, "") if context.has("call") else None
    tree = parsed(example.code) if example is not None else None
    if example is None or not isinstance(tree, ast.Call):
        return context
    owner = tree.func.value if isinstance(tree.func, ast.Attribute) else None
    slots = dict(context.reading.slots)
    names = {"function": called_name(tree), "class": called_name(owner)}
    if context.has("function") and context.text("function").strip("`()") != names["function"]:
        return context
    for slot, name in names.items():
        if name and not context.has(slot):
            start = example.end - len(example.code) + example.code.rindex(name)
            slots[slot] = (Span(start, start + len(name), name),)
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


def _error_said(context: Context, anchor: Anchor) -> str:
    """The error that the message says a call raises."""
    for said in _RAISES.finditer(context.situation.instruction):
        known = getattr(builtins, said["error"], None)
        if isinstance(known, type) and issubclass(known, BaseException):
            return said["error"]
        if said["error"] in context.repo.index.scopes(anchor.path).module.bound:
            return said["error"]
    return ""


def _example_of(context: Context, anchor: Anchor, error: str) -> tuple[str, str]:
    """A call of a definition, and what it gives unless it raises an error: `add(1, 2)` and `3`."""
    node, source = anchor.node, context.source(anchor.path)
    name = getattr(node, "name", "")
    example = _shown(context, name, bare=bool(error) or context.has("result"))
    if example is None:
        value = _read_value(context, anchor, context.text("call"))
        value = "" if isinstance(parsed(value), ast.Call) else value
        alone = isinstance(node, Function) and source.class_of(node) is None and len(node.args.args) == 1
        result = _read_value(context, anchor, context.text("result"))
        return (f"{name}({value})", result) if alone and value and result else ("", "")
    tree = parsed(example.code)
    if isinstance(node, Function) and source.class_of(node) is not None and _is_bare(tree):
        return "", ""  # the object whose method it is is not shown
    if error:
        return example.code, ""
    if context.has("result"):
        result = _read_value(context, anchor, context.text("result"))
        return (example.code, result) if result else ("", "")
    literal = _LITERAL.search(context.situation.instruction, example.end)
    shown = literal is not None and parsed(literal[0]) is not None
    return example.code, literal[0] if literal is not None and shown else ""


def _is_bare(tree: ast.expr | None) -> bool:
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)


def _shown(context: Context, name: str, bare: bool = False) -> _Example | None:
    """The first call of a function that is shown whole, with the object that it is called on; one without
    arguments only if it may be `bare`."""
    span, text = context.span("call"), context.situation.instruction
    told = parsed(span.text) if span is not None else None
    if span is not None and isinstance(told, ast.Call) and name in ("", called_name(told)):
        return _Example(span.text.strip().strip("`"), span.end)
    for begun in re.finditer(r"(?<![\w.)])[A-Za-z_][\w.]*\(", text) if name else ():
        ends = [at.end() for at in re.compile(r"\)").finditer(text, begun.end(), begun.start() + _LONGEST)]
        for end in reversed(ends):
            tree = parsed(text[begun.start() : end])
            if (
                isinstance(tree, ast.Call)
                and called_name(tree) == name
                and (bare or tree.args or tree.keywords)
            ):
                return _Example(text[begun.start() : end], end)
    return None


_PROPER = re.compile(r"[A-ZÄÖÜÉ][^\W\d_A-Z]{2,}")


def _read_value(context: Context, anchor: Anchor, text: str) -> str:
    """The code of a value: a literal, or one in words; a word as a text only if it is a proper name: others
    may say what holds."""
    plain = text.strip().strip("`")
    for code in (plain, phrases.value(plain) or ""):
        tree = parsed(code)
        if tree is not None and not isinstance(tree, ast.Name | ast.Attribute):
            return code
    quote = quote_of(context.source(anchor.path))
    span = context.span("result")
    is_text = (span is not None and span.quoted and span.text == text) or _PROPER.fullmatch(plain)
    return f"{quote}{plain}{quote}" if is_text else ""
