"""Fixes of calls that do not fit the signature of what is called, and of texts joined with numbers."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from itertools import product

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.fixes.names import add_self, alike
from spark_tui.intent.fixes.seen_error import SeenError, functions_named, quoted_names
from spark_tui.intent.words.doubts import made_up
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.syntax.walking import walk

_MADE = ("__init__", "__new__")
_MOST = 4
_QUOTING = re.compile(r"AssertionError|assert\b")


def functions(at: SeenError, name: str) -> list[tuple[Source, Function]]:
    """The functions that a message calls by their dotted name; of a class what makes its objects."""
    return functions_named(at, name) or [
        pair for made in _MADE for pair in functions_named(at, f"{name}.{made}")
    ]


def _calls(at: SeenError, name: str) -> list[ast.Call]:
    """The calls of a function on the line: by its name, else all."""
    words = [part for part in name.split(".") if part != "<locals>"]
    named = {words[-1]} | ({words[-2], "super"} if words[-1] in _MADE and len(words) > 1 else set())
    found = at.nodes(ast.Call)
    by_name = [node for node in found if last_name(node.func) in named or last_name(node.func) in _MADE]
    # What a test quotes, or says of another call, was raised elsewhere.
    elsewhere = at.exact and (_QUOTING.match(at.text) or is_test_file(at.source.path))
    return by_name or ([] if elsewhere else found)


def _positional(function: Function, source: Source) -> list[str]:
    """The names of the parameters that a call fills by position."""
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    kinds = {ast.unparse(decorator) for decorator in function.decorator_list}
    return names[1:] if source.class_of(function) is not None and "staticmethod" not in kinds else names


def unknown_keyword(at: SeenError) -> Iterator[Built]:
    """A keyword that a function does not take: spelled as one that it takes, left out, or added to it."""
    name, function = at.groups["name"], at.groups.get("function", "")
    known = (
        [parameter.arg for _, one in functions(at, function) for parameter in parameters(one)]
        if function
        else []
    )
    for frame in at.frames():
        pairs = [
            (node, keyword)
            for node in (_calls(frame, function) if function else frame.nodes(ast.Call))
            for keyword in node.keywords
            if keyword.arg == name
        ]
        for node, each in pairs[:2]:
            low = frame.source.span(each.value)[0] - len(name) - 1
            low = frame.source.text.rfind(name, 0, low + len(name) + 1)
            pool = [*known, *_keywords_used(at, last_name(node.func)), *_keywords_used(at, "")]
            for near, ratio in alike(name, pool):
                yield frame.spliced(low, low + len(name), near, 0.95 * ratio)
            yield from _without(frame, node, each, 0.4)
        if pairs:
            break
    for source, one in functions(at, function)[:1] if known else ():
        target = f"{source.path}::{source.qualname(one)}"
        made = call("add_parameter", target=target, name=name, default="None")
        yield Built((made,), 0.3, ("the parameter does nothing yet",))


def _keywords_used(at: SeenError, called: str) -> list[str]:
    """The other keywords with which something is called; without a name all of the file."""
    index, name, out = at.context.repo.index, at.groups.get("name"), []
    for path in index.files_with(called) if called else [at.source.path]:
        for call_node in index.scopes(path).calls:
            if called in ("", last_name(call_node.func)):
                out += [keyword.arg for keyword in call_node.keywords if keyword.arg and keyword.arg != name]
    return out


def missing_argument(at: SeenError) -> Iterator[Built]:
    """An argument that a call lacks: a name that is there and fits, or a default of the parameter."""
    function = at.groups.get("function", "")
    missing = quoted_names(at.groups.get("names", ""))
    targets = functions(at, function) if function else []
    for node in _calls(at, function)[:2]:
        yield from _inserted(at, node, missing, targets)
    for source, one in targets[:1]:
        for name in missing[:1]:
            target = f"{source.path}::{source.qualname(one)}"
            made = call("set_default", target=target, name=name, default="None")
            yield Built((made,), 0.35, (made_up("the default was made up"),))


def _inserted(
    at: SeenError, node: ast.Call, missing: list[str], targets: list[tuple[Source, Function]]
) -> Iterator[Built]:
    """The call with one more argument, for each place and each name that may be meant."""
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return
    source = at.source
    given = [source.segment(arg) for arg in node.args]
    orders = [_positional(one, where) for where, one in targets] or [[*["?"] * len(given), *missing[:1]]]
    siblings = _siblings(at, last_name(node.func), len(given) + 1)
    found: dict[tuple[int, str], float] = {}
    unused = _unused(at, node)
    for order, (place, text) in product(
        orders[:2], product(range(len(given) + 1), _available(at, node, siblings, unused))
    ):
        if text in given or place >= len(order) + (not targets):
            continue
        full = [*given[:place], text, *given[place:]]
        fit = sum(_name_similarity(one, name) for one, name in zip(full, order, strict=False)) / len(full)
        score = 0.35 + 0.45 * fit
        likely = 0.3 if text[:1].isalpha() or text[:1] == "_" else 0.1
        score += likely * any(sibling[place] == text for sibling in siblings)
        score += 0.35 * (text in unused)
        found[place, text] = max(found.get((place, text), 0.0), score)
    best = sorted(found.items(), key=lambda item: (-item[1], -item[0][0]))
    for (place, text), score in best[:_MOST]:
        if place < len(given):
            low = source.span(node.args[place])[0]
            yield at.spliced(low, low, f"{text}, ", min(score, 1.0))
        elif given:
            low = source.span(node.args[-1])[1]
            yield at.spliced(low, low, f", {text}", min(score, 1.0))
        else:
            low = source.text.index("(", source.span(node.func)[1]) + 1
            gap = ", " if node.keywords else ""
            yield at.spliced(low, low, f"{text}{gap}", min(score, 1.0))


def _name_similarity(text: str, name: str) -> float:
    """How well an argument fits the name of a parameter."""
    last = text.rpartition(".")[2].strip("_")
    if last == name.strip("_"):
        return 1.0
    return 0.5 if last and (last in name or name in last) and last.isidentifier() else 0.0


def _siblings(at: SeenError, called: str, count: int) -> list[list[str]]:
    """The arguments of other calls of the same name, of so many."""
    out = []
    for path in at.context.repo.index.files_with(called) if called else ():
        source = at.context.source(path)
        for call_node in at.context.repo.index.scopes(path).calls:
            if last_name(call_node.func) == called and len(call_node.args) == count:
                out.append([source.segment(arg) for arg in call_node.args])
    return out


def _available(at: SeenError, node: ast.Call, siblings: list[list[str]], unused: set[str]) -> list[str]:
    """What can stand as an argument: names that are known there, and what other calls have."""
    inside = at.source.function_of(node)
    visible = at.context.visible(at.source.path, inside)
    bound = {*visible.inner.values(), *at.context.repo.index.scopes(at.source.path).module.bound, "self"}
    elsewhere = dict.fromkeys(text for sibling in siblings for text in sibling)
    known = [text for text in elsewhere if _names(text) <= bound | set(dir(builtins))]
    found = dict.fromkeys([*visible.parameters, *visible.inner.values(), *known, *sorted(unused)])
    return [parameter for parameter in found if parameter != "cls"]


def _names(text: str) -> set[str]:
    tree = parse_value(text)
    if tree is None:
        return {text}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _unused(at: SeenError, node: ast.Call) -> set[str]:
    """Names that nothing uses, as if the call was to: parameters, locals, and constants and imports of the
    file."""
    scopes, inside = at.context.repo.index.scopes(at.source.path), at.source.function_of(node)
    own = {scopes.module, scopes.scope_of.get(inside) if inside is not None else None}
    found = {variable.name for variable in scopes.variables if variable.scope in own and not variable.loads}
    defined = {definition.name for definition in at.source.definitions}
    return {text for text in found - defined - {"self", "cls"} if not text.startswith("__")}


def surplus_argument(at: SeenError) -> Iterator[Built]:
    """An argument too many: left out; or the method that was called lacks `self`."""
    function = at.groups.get("function", "")
    takes, given = at.groups.get("takes", ""), at.groups.get("given", "")
    if takes.isdecimal() and given.isdecimal() and int(given) < int(takes):
        yield from missing_argument(at)
        return
    targets = functions(at, function) if function else []
    lacking = [pair for pair in targets[:2] if pair[0].class_of(pair[1]) and not _takes_object(pair[1])]
    for source, one in lacking:
        yield from add_self(at.within(source.path, one), one, 0.95)
        target = f"{source.path}::{source.qualname(one)}"
        yield Built((call("add_decorator", target=target, decorator="staticmethod"),), 0.3)
    if lacking:
        return  # the calls are right
    wanted = {len(_positional(one, source)): _positional(one, source) for source, one in targets}
    for node in _calls(at, function)[:2]:
        texts = [at.source.segment(arg) for arg in node.args]
        siblings = _siblings(at, last_name(node.func), len(texts) - 1)
        scored = []
        for number, text in enumerate(texts):
            left = [*texts[:number], *texts[number + 1 :]]
            order = wanted.get(len(left), next(iter(wanted.values()), []))
            fit = sum(_name_similarity(one, name) for one, name in zip(left, order, strict=False)) / max(
                len(left), 1
            )
            score = 0.5 + 0.25 * fit + 0.1 * (texts.count(text) > 1) + 0.1 * (number == len(texts) - 1)
            score += 0.15 * (left in siblings)
            scored.append((score, number))
        for score, number in sorted(scored, key=lambda item: (-item[0], -item[1]))[:3]:
            yield from _without(at, node, node.args[number], min(score, 1.0))


def _takes_object(function: Function) -> bool:
    kinds = {ast.unparse(decorator).rpartition(".")[2] for decorator in function.decorator_list}
    first = next(iter(parameters(function)), None)
    return bool(kinds & {"staticmethod", "classmethod"}) or (
        first is not None and first.arg in ("self", "cls", "mcs", "mcls")
    )


def _without(at: SeenError, node: ast.Call, gone: ast.expr | ast.keyword, weight: float) -> Iterator[Built]:
    """The call without one of its arguments."""
    source = at.source
    parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    spans = sorted(source.span(part) for part in parts)
    low, high = source.span(gone)
    number = spans.index((low, high))
    if number + 1 < len(spans):
        yield at.spliced(low, spans[number + 1][0], "", weight)
    elif number:
        yield at.spliced(spans[number - 1][1], high, "", weight)
    else:
        yield at.spliced(low, high, "", weight)


def joined_text(at: SeenError) -> Iterator[Built]:
    """`"text" + number` with the number as text."""
    right_only = "can only concatenate str" in at.text  # and so the text stands on the left
    for node in at.nodes(ast.BinOp):
        if not isinstance(node.op, ast.Add):
            continue
        sides = [(node.right, node.left), *([] if right_only else [(node.left, node.right)])]
        for number, text in sides:
            kinds = _compared_with(at.source, number)
            if _is_text(text) and not (_is_text(number) or isinstance(number, ast.BinOp) or str in kinds):
                yield at.swap(number, f"str({at.source.segment(number)})", 0.95 if kinds else 0.85)


def _compared_with(source: Source, node: ast.expr) -> set[type]:
    """The types of what a file compares an expression with, or sets it to."""
    shown, pairs = ast.unparse(node), list[tuple[ast.expr, ast.expr]]()
    for inner in walk(source.tree) if source.tree is not None else ():
        if isinstance(inner, ast.Compare):
            pairs.append((inner.left, inner.comparators[0]))
        elif isinstance(inner, ast.Assign):
            pairs += [(target, inner.value) for target in inner.targets]
    same = [other for one, other in pairs if ast.unparse(one) == shown and isinstance(other, ast.Constant)]
    return {type(other.value) for other in same} & {int, float, str}


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "str"
    return is_string(node)
