"""Finders for `try` statements, handlers, raises, messages, comments, log calls, and displays that stand in
the code."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.defaults import changes_constant, is_made_once
from spark_tui.codemods.places.displays import names_of_value
from spark_tui.intent.context.anchors import Anchor, Search, finder, is_same_expression, nodes, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Area
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.finders.expressions import keep_best
from spark_tui.intent.values.converters.exceptions import class_of_words
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import level, number, singular
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import walk

_TRANSLATING = ("_", "gettext", "_gettext", "ugettext", "lazy_gettext", "gettext_lazy", "gettext_noop", "N_")
_LOGGERS = ("log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER")

_ASSERT = re.compile(r"assert(?:s|ing|ions?)?(?!\w)\s*", re.IGNORECASE)
_WIDEST = ("Exception", "BaseException")


def class_name(text: str) -> str:
    """The name of an exception in a text, as in code."""
    shown = re.match(r"`?(?:except|raise)\s+([\w.]+)", text)
    plain = singular(plain_name(shown[1] if shown is not None else text))
    return plain if hasattr(builtins, plain) else class_of_words(plain) or plain


def exceptions_of(node: ast.expr | None) -> list[str]:
    """The classes that an `except` names."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []
    return [ast.unparse(part) for part in parts]


def is_caught_with(name: str, known: list[str]) -> bool:
    """Whether a builtin error is caught with others: TimeoutError is an OSError."""
    kind, others = getattr(builtins, name, None), [getattr(builtins, one, None) for one in known]
    return isinstance(kind, type) and any(isinstance(one, type) and issubclass(kind, one) for one in others)


@finder
def raise_(at: Search) -> Iterator[Anchor]:
    """The raises of an exception, or of a message; all that raise something new; or the asserts."""
    text = at.context.text(at.slot).strip("`") if at.slot else ""
    wanted = class_name(text)
    asserted = _ASSERT.match(text)
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.Assert if asserted else ast.Raise):
        raised = raised_class(node)
        if asserted:
            rest = re.sub(r"\s+", "", text[asserted.end() :])
            shown = re.sub(r"\s+", "", at.source.segment(node))
            found += [(1.0 if rest else 0.95, node)] if rest in shown else []
        elif not raised:
            continue
        elif not wanted:
            found.append((0.9, node))
        elif raised.rpartition(".")[2] == plain_name(text).rpartition(".")[2]:
            found.append((1.0, node))
        elif key(raised.rpartition(".")[2]) == key(wanted.rpartition(".")[2]):
            found.append((0.99, node))
        elif len(text) > 3 and _in_message(node, text):
            found.append((0.8, node))
    yield from keep_best(found)


def message_node(node: ast.AST) -> ast.expr | None:
    """The string in a call or assert; of one that is translated what is translated."""
    parts = node.args if isinstance(node, ast.Call) else [getattr(node, "msg", None)]
    for part in map(_translated, parts):
        if is_string(part):
            return part
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod | ast.Add):
            return part
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "format":
            return part
    return None


def _translated(node: ast.AST | None) -> ast.AST | None:
    called = called_name(node) if isinstance(node, ast.Call) else ""
    return node.args[0] if isinstance(node, ast.Call) and called in _TRANSLATING and node.args else node


def _in_message(node: ast.AST, phrase: str) -> bool:
    """Whether the words of a text stand in the message of a raise."""
    text = message_node(node.exc) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else None
    shown = re.findall(r"\w+", ast.unparse(text).lower()) if text is not None else []
    return bool(shown) and set(re.findall(r"\w+", phrase.lower())) <= set(shown)


def raised_class(node: ast.AST) -> str:
    raised = node.exc if isinstance(node, ast.Raise) else None
    if isinstance(raised, ast.Call):
        raised = raised.func
    return ast.unparse(raised) if isinstance(raised, ast.Name | ast.Attribute) else ""


@finder
def raise_in_handler(at: Search) -> Iterator[Anchor]:
    """Raises in a handler without a cause, else those from `None`; an exception that is named is the raised
    or the caught one."""
    wanted = key(class_name(at.context.text(at.slot))) if at.context.has(at.slot) else ""
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.Raise):
        caught = next(
            (ancestor for ancestor in at.source.ancestors(node) if isinstance(ancestor, ast.ExceptHandler)),
            None,
        )
        if caught is None or node.exc is None or not isinstance(node.cause, ast.Constant | None):
            continue
        names = [key(raised_class(node)), *map(key, exceptions_of(caught.type))]
        if not wanted or wanted in names:
            found.append((0.95 if node.cause is None else 0.9, node))
    yield from keep_best(found)


def is_log(node: ast.AST) -> bool:
    """Whether a call logs by a logger."""
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOG_LEVELS
    ):
        return False
    holder = ast.unparse(node.func.value).rpartition(".")[2]
    return holder in _LOGGERS or "log" in holder.lower()


def is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


@finder
def log(at: Search) -> Iterator[Anchor]:
    """Log calls, of the level that is named."""
    wanted = level(at.context.text(at.slot)) if at.slot and at.context.has(at.slot) else ""
    new = level(at.context.text("level")) if at.slot == "old" else ""
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.Call):
        if not is_log(node):
            continue
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        now = "warning" if node.func.attr == "warn" else node.func.attr
        if now == new:
            continue
        if not wanted or now == wanted:
            found.append((0.95, node))
        elif at.context.has(at.slot) and at.context.text(at.slot) in at.source.segment(node):
            found.append((0.9, node))
    yield from keep_best(found)


@finder
def printed(at: Search) -> Iterator[Anchor]:
    """The definition or file in which something is printed."""
    if any(is_print(node) for node in walk(at.root)):
        yield Anchor(Area(""), at.root)


@finder
def string(at: Search) -> Iterator[Anchor]:
    """Strings in which a text stands, f-strings too."""
    wanted = at.context.text(at.slot).strip("'\"")
    span = at.context.span(at.slot)
    quoted = span is not None and span.quoted
    found: list[tuple[float, ast.AST]] = []
    inner = {part for node in nodes(at.root, ast.JoinedStr) for part in walk(node) if part is not node}
    for item in nodes(at.root, ast.Constant, ast.JoinedStr):
        if item in inner or at.source.span(item)[0] < 0:
            continue
        if isinstance(item, ast.Constant) and not isinstance(item.value, str):
            continue
        text = at.source.segment(item)
        outer = at.source.parents.get(at.source.parents.get(item, item))
        is_docstring = outer is not None and docstring(outer) is at.source.parents.get(item)
        if isinstance(item, ast.Constant) and item.value == wanted and quoted:
            found.append((1.1, item))
        elif wanted in text or (is_docstring and wanted and wanted in " ".join(text.split())):
            found.append((0.6 if is_docstring else 1.0, item))
        elif wanted.lower() in text.lower():
            found.append((0.4 if is_docstring else 0.7, item))
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    others = [one for score, one in found if score == 1.0 and whole.search(at.source.segment(one))]
    for anchor in keep_best(found):
        near = at.source.function_of(anchor.node) if anchor.node is not None else None
        more = near is not None and any(at.source.function_of(other) is near for other in others)
        doubtful = more and anchor.weight > 1.0
        yield replace(anchor, doubts=("other texts there hold it too",)) if doubtful else anchor


@finder
def comment(at: Search) -> Iterator[Anchor]:
    """Comments, those with a text first. The line is in `words`."""
    wanted = at.context.text(at.slot).strip("# ").lower() if at.slot else ""
    first, last = (0, len(at.source.lines))
    if not isinstance(at.root, ast.Module):
        first, last = at.source.first_line(at.root), at.source.last_line(at.root)
    for item in at.source.comments:
        line = at.source.position(item.span[0])[0]
        if first <= line < last and (not wanted or wanted in item.text.lower()):
            place = f"{at.source.path}:{line + 1}"
            yield Anchor(
                Area(""), None, weight=1.0 if wanted else 0.9, words={"line": place, "old": item.text}
            )


@finder
def number_of(at: Search) -> Iterator[Anchor]:
    """Numbers that stand in the code, by the name that they are set to, passed as, or are."""
    text = at.context.text(at.slot)
    name = key(plain_name(text))
    given = number(text)
    wanted = parsed(given) if given else None
    found: list[tuple[float, ast.AST]] = []
    for inner in dict.fromkeys((*nodes(at.root, ast.Constant), *nodes(at.source.tree, ast.Constant))):
        if isinstance(inner.value, str | bytes | bool | None):
            continue
        names = [
            key(item) for item in _names_of_value(at.source, inner) if len(item) > 2 or key(item) == name
        ]
        if is_same_expression(wanted, inner) or name in names:
            # What a name is set to, before what is added to it.
            found.append((0.7 if isinstance(at.source.parents.get(inner), ast.AugAssign) else 1.0, inner))
        elif name and any(name in item or item in name for item in names):
            found.append((0.6, inner))
    yield from keep_best(found)


def _names_of_value(source: Source, node: ast.AST) -> list[str]:
    """What an expression is set to, passed as, or the default of."""
    return [*names_of_value(source, node), *default_name(source, node)]


def default_name(source: Source, node: ast.AST) -> list[str]:
    """The parameter of which an expression is the default."""
    outer = source.parents.get(node)
    function = source.parents[outer] if isinstance(outer, ast.arguments) else None
    given = defaults(function) if isinstance(function, Function | ast.Lambda) else {}
    return [name for name, default in given.items() if default is node]


@finder
def flag(at: Search) -> Iterator[Anchor]:
    """True and False in the code, by the name that they are set to or passed as."""
    name = key(plain_name(at.context.text(at.slot)))
    found: list[tuple[float, ast.AST]] = []
    inside = nodes(at.root, ast.Constant)
    for inner in dict.fromkeys((*inside, *nodes(at.source.tree, ast.Constant))):
        if not isinstance(inner.value, bool):
            continue
        names = [key(item) for item in _names_of_value(at.source, inner)]
        near = 1.0 if inner in inside else 0.8
        if name in names:
            found.append((near, inner))
        elif name and any(name in item or (item in name and len(item) > 2) for item in names):
            found.append((near * 0.6, inner))
    yield from keep_best(found)


@finder
def coroutine_call(at: Search) -> Iterator[Anchor]:
    """Calls in async functions that are not awaited, of what is named."""
    from spark_tui.intent.finders.expressions import call_score

    text = at.context.text(at.slot)
    name = plain_name(text)
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.Call):
        inside = at.source.function_of(node)
        if not isinstance(inside, ast.AsyncFunctionDef) or isinstance(at.source.parents.get(node), ast.Await):
            continue
        score = call_score(node, parsed(text), name) if text else 0.5
        if score:
            found.append((score, node))
    yield from keep_best(found)


@finder
def hinted(at: Search) -> Iterator[Anchor]:
    """The functions with a default that is made once, of the parameter that is named if one is."""
    wanted = key(plain_name(at.context.text(at.slot))) if at.context.has(at.slot) else ""
    for node in nodes(at.root, ast.FunctionDef, ast.AsyncFunctionDef):
        assert isinstance(node, Function)
        for name, default in reversed(defaults(node).items()):
            shared = is_made_once(default, named=bool(wanted)) or changes_constant(at.source, node, name)
            if wanted in ("", key(name)) and shared:
                yield Anchor(Area(""), node, words={"parameter": name})


@finder
def handler(at: Search) -> Iterator[Anchor]:
    """The handlers, or those that catch what is named: a class, or whatever comes."""
    text = at.context.text(at.slot) if at.slot else ""
    wanted = class_name(text) if text else ""
    bare = wanted == "except" or any(phrases.is_said("catch_all", item) for item in re.findall(r"\w+", text))
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.ExceptHandler):
        caught = exceptions_of(node.type)
        last = [item.rpartition(".")[2] for item in caught]
        if not wanted:
            found.append((0.9, node))
        elif key(wanted.rpartition(".")[2]) in map(key, last):
            found.append((1.0, node))
        elif (bare or wanted in _WIDEST) and (not caught or (bare and set(last) & set(_WIDEST))):
            found.append((0.8 if not caught else 0.7, node))
        elif not _is_class(wanted):
            found.append((0.5, node))
    yield from keep_best(found)


def _is_class(name: str) -> bool:
    """Whether a text can be the name of a class: other words tell nothing of what is caught."""
    last = name.rpartition(".")[2]
    return hasattr(builtins, last) or (last.isidentifier() and last != last.lower())


@finder
def try_(at: Search) -> Iterator[Anchor]:
    """The `try` statements, those first in which something is done with what the message names."""
    situation = at.context.situation
    said = set(re.findall(r"\w+", situation.whole or situation.instruction))
    found = nodes(at.root, ast.Try)
    held = [said.intersection(*[map(_spelled, walk(ast.Module(node.body, [])))]) for node in found]
    every = set[str].intersection(*held) if held else set()
    yield from keep_best(
        [(0.95 if words - every else 0.9, node) for node, words in zip(found, held, strict=True)]
    )


def _spelled(node: ast.AST) -> str:
    """The name that a node is spelled with, if it is one."""
    return next(
        (text for kind in ("id", "attr", "name") if isinstance(text := getattr(node, kind, None), str)), ""
    )
