"""Calls that put a default where a value is missing or empty."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.intent.builders.transforms.letter_case import known_texts
from spark_tui.intent.builders.transforms.transformed import transform_value
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, is_same_code, is_same_expression, parsed, weighted
from spark_tui.intent.context.lookup import key, plain_name, split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_NUMBERS = ("int", "float", "Decimal")
_EMPTY = ("[]", "{}", "''", "None")
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


_CONTAINERS = ("dict", "list", "set", "defaultdict", "Counter", "deque", "OrderedDict")


@builder("value_if_empty")
def value_if_empty(context: Context) -> Iterator[Built]:
    span = context.span("default")
    if span is None:
        raise Unresolved("the instruction gives no default")
    area = context.areas[0] if context.areas else Area("")
    options = _named_default(context) or filled(context, "{default:value}", Anchor(area, area.node)) or []
    if options and _has_default(context, options[0].text):
        raise Unresolved("it already has that default", nothing=True)
    spots = _lookups(context)
    given = list(_given_already(context, options[0].text)) if options else []
    if given:
        yield from given
        return
    if options and spots:
        made = [_looked_up(context, anchor, options[0].text) for anchor in spots]
        alike = {context.source(spot.path).segment(spot.node) for spot in spots if spot.node is not None}
        if len(made) > 1 and len(alike) == 1 and context.has("function"):
            every = tuple(one for item in made for one in item.calls)
            yield Built(every, 0.9, (f"all {len(made)} places are changed",))
        yield from made
        return
    empty = any(map(phrases.mentions, ("empty_text", "no_value"), 2 * (context.beside_slots(),)))
    for option in options[:2]:
        is_none = _is_only_none(option.text, context.beside_slots())
        for built in transform_value(context, partial(_or_else, option.text, empty, is_none)):
            old, new = (parsed(str(getattr(built.calls[0], part, ""))) for part in ("old", "new"))
            constant = isinstance(old, ast.Name) and old.id.isupper()
            if constant or isinstance(old, ast.Constant | ast.JoinedStr) or called_name(old) in _CONTAINERS:
                continue  # it is always the same, or never empty
            doubts = (*built.doubts, *option.doubts)
            if is_none and isinstance(new, ast.BoolOp) and not isinstance(old, ast.BoolOp):
                doubts += (assumed(f"0 becomes {option.text}, like None"),)
            if isinstance(old, ast.Subscript) and not is_text(old.slice) and _is_key(old.slice):
                doubts += (assumed(f"{ast.unparse(old.value)} was assumed to be a dictionary"),)
            yield replace(built, weight=built.weight * option.weight, doubts=doubts)


def _is_only_none(default: str, words: str) -> bool:
    """Whether a number is to stand for None, while 0 is a number as well."""
    given = parsed(default.removeprefix("-"))
    number = isinstance(given, ast.Constant) and isinstance(given.value, int | float) and given.value
    others = phrases.mentions("empty_text", words) or re.search(r"(?i)\b(?:zero|falsy|or|0)\b", words)
    return bool(number) and re.search(r"\bNone\b", words) is not None and not others


def _named_default(context: Context) -> list[Option]:
    """The constant that is called as the default of what is named, where the words are only *the default*."""
    if phrases.without_articles(context.text("default")).lower() not in phrases.words("defaults"):
        return []
    paths = {area.path for area, _, _ in context.trees()}
    names = {name for path in paths for name in context.repo.index.scopes(path).module.bound}
    wanted = key(plain_name(context.text("variable")))
    found = [name for name in names if key(name) in (f"default{wanted}", f"{wanted}default")]
    return [Option(found[0])] if len(found) == 1 else []


def _has_default(context: Context, default: str) -> bool:
    """Whether the default stands after an `or` with what is named already."""
    wanted, given = key(plain_name(context.text("variable"))), parsed(default)
    return any(
        isinstance(node.op, ast.Or)
        and is_same_expression(node.values[-1], given)
        and any(key(ast.unparse(each).rpartition(".")[2]) == wanted for each in node.values[:-1])
        for _, _, node in context.find(ast.BoolOp)
    )


def _given_already(context: Context, default: str) -> Iterator[Built]:
    """Lookups of the key that is named which have a default: another one, a text where it is a text."""
    variable_text = context.text("variable").strip("`'\"")
    spots = []
    for area, _, node in context.find(ast.Call):
        if called_name(node) not in ("get", "getenv") or len(node.args) != 2:
            continue
        looked_up = ast.literal_eval(node.args[0]) if is_text(node.args[0]) else ""
        words = {word.lower() for word in split_name(str(looked_up))}
        if looked_up == variable_text or {word.lower() for word in split_name(variable_text)} < words:
            spots.append(Anchor(area, node.args[1], 0.9))
    for anchor in weighted(context, spots):
        old = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
        quote = old[:1] if is_text(anchor.node) and re.fullmatch(r"[\d.]+", default) else ""
        yield build_at(anchor, replace_code(context, anchor, quote + default + quote))


def _lookups(context: Context) -> list[Anchor]:
    """The lookups by a key that are named: as they are, by what is looked up or in what, or as the only one
    where a key may be missing."""
    variable_text = context.text("variable").strip("`").rstrip("[(")
    told = context.situation.instruction
    unknown = phrases.mentions("unknown_key", told)
    missing = unknown or phrases.mentions("missing", told)
    denied = "|".join(map(re.escape, phrases.words("denying")))
    lacking = re.search(rf"\b(?:{denied})\s+(?:\w+\s+)?{re.escape(variable_text)}\b", told, re.I) is not None
    spoken = {without_s(word) for word in split_name(told)}
    wanted = {without_s(word) for word in split_name(plain_name(variable_text))}
    found: list[tuple[float, Anchor]] = []
    for area, source, node in context.find(ast.Subscript):
        if not _may_miss(source, node):
            continue
        shown = {without_s(word) for word in split_name(re.sub(r"\W+", "_", ast.unparse(node)))}
        known = context.visible(source.path, node).name(plain_name(variable_text)) is not None
        # Of several owners the one that is named: *parcels without kg*.
        owned = without_s(ast.unparse(node.value)) in spoken - wanted
        if is_same_code(source.segment(node), variable_text):
            score = 1.0
        elif wanted and key(variable_text) == key(ast.unparse(node.value)):
            score = 0.9 if missing else 0.0
        elif wanted and wanted <= shown:
            # Of a name that is known there its own value may be what is missing.
            score = 0.9 if unknown or (missing and not known) or (lacking and owned) else 0.0
        else:
            score = 0.5 if missing and not known else 0.0
        found.append((score + 0.05 * bool(owned and score), Anchor(area, node, score)))
    grown = [one.node for _, one in found if one.node is not None and _is_grown(context, one)]
    found = [item for item in found if item[1].node in grown or not _is_any(item[1].node, grown)]
    top = max((score for score, _ in found), default=0.0)
    best = [one for score, one in found if score == top > 0]
    return weighted(context, best) if top > 0.5 or len(best) == 1 else []


def _is_grown(context: Context, anchor: Anchor) -> bool:
    """Whether a lookup is what `+=` adds to: it is there after that."""
    outer = context.source(anchor.path).parents.get(anchor.node) if anchor.node is not None else None
    return isinstance(outer, ast.AugAssign) and outer.target is anchor.node


def _is_any(node: ast.AST | None, grown: list[ast.AST]) -> bool:
    return any(isinstance(one, ast.Subscript) and is_same_expression(one, node) for one in grown)


def _may_miss(source: Source, node: ast.Subscript) -> bool:
    """Whether a subscript is read, and by a key that may not be there."""
    outer = source.parents.get(node)
    read = isinstance(node.ctx, ast.Load) or (isinstance(outer, ast.AugAssign) and outer.target is node)
    number = isinstance(node.slice, ast.Slice | ast.UnaryOp | ast.Tuple) or (
        isinstance(node.slice, ast.Constant) and not is_text(node.slice)
    )
    hint = isinstance(outer, ast.AnnAssign | ast.arg | ast.FunctionDef | ast.AsyncFunctionDef | ast.Subscript)
    walked = any(
        isinstance(one, ast.For)
        and is_same_expression(one.target, node.slice)
        and is_same_expression(node.value, _base(one.iter))
        for one in source.ancestors(node)
    )
    return read and not number and not hint and not walked and source.span(node)[0] >= 0


def _base(node: ast.expr) -> ast.expr:
    """What a loop goes through: `d` of `sorted(d)` and `d.keys()`."""
    if not isinstance(node, ast.Call):
        return node
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value
    return _base(node.args[0]) if node.args else node


def _looked_up(context: Context, anchor: Anchor, default: str) -> Built:
    """`d[k]` as `d.get(k, default)`; of `d[k] += 1` the whole statement."""
    node, source = anchor.node, context.source(anchor.path)
    assert isinstance(node, ast.Subscript)
    owner, name = source.segment(node.value), source.segment(node.slice)
    given, kept = parsed(default), known_texts(source, node.value, node)
    if isinstance(given, ast.Constant) and kept and given.value in kept:
        default = f"{owner}[{default}]"  # of another key what stands there
    new, doubts = f"{owner}.get({name}{'' if default == 'None' else f', {default}'})", anchor.doubts
    outer = source.parents.get(node)
    if isinstance(outer, ast.AugAssign) and outer.target is node:
        sign = _SIGNS.get(type(outer.op))
        if sign is None:
            raise Unresolved("it is unclear what to do with the value")
        spot = place(context, replace(anchor, node=outer))
        code = f"{source.segment(node)} = {new} {sign} {source.segment(outer.value)}"
        return Built((call("replace_statements", place=spot, code=code),), anchor.weight, doubts)
    made = replace_code(context, anchor, new)
    if (guard := _raising_guard(source, node)) is not None:
        # It would never be asked: what raises goes away.
        gone = call("delete_statements", place=place(context, replace(anchor, node=guard)))
        return Built((made, gone), anchor.weight, doubts)
    return Built((made,), anchor.weight, doubts)


def _raising_guard(source: Source, node: ast.Subscript) -> ast.If | None:
    """`if k not in d: raise …` in front of `d[k]`."""
    inside = source.function_of(node)
    for guard in find_nodes(inside, ast.If) if inside is not None else ():
        test = guard.test
        asks = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn)
        if not asks or guard.orelse or len(guard.body) != 1 or not isinstance(guard.body[0], ast.Raise):
            continue
        assert isinstance(test, ast.Compare)
        alone = len(test.ops) == 1 and is_same_expression(test.left, node.slice)
        if alone and is_same_expression(test.comparators[0], node.value) and guard.lineno < node.lineno:
            return guard
    return None


def _is_key(node: ast.expr) -> bool:
    return is_text(node) or isinstance(node, ast.Name | ast.Attribute | ast.JoinedStr)


def _or_else(default: str, empty: bool, is_none: bool, text: str) -> str:
    """A value or the default: where it is missing, and where it is `empty` if the words say that; only where
    it `is_none`, which 0 is not."""
    tree = parsed(text)
    if isinstance(tree, ast.Subscript) and _is_key(tree.slice):
        # A key that is missing raises.
        owner, name = ast.get_source_segment(text, tree.value), ast.get_source_segment(text, tree.slice)
        return f"{owner}.get({name}) or {default}" if empty else f"{owner}.get({name}, {default})"
    if called_name(tree) == "get" and isinstance(tree, ast.Call) and len(tree.args) == 1 and not empty:
        return f"{text[: text.rindex(')')]}, {default})"
    if isinstance(tree, ast.List | ast.Dict | ast.Constant) and ast.unparse(tree) in _EMPTY:
        return default
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or):
        return (
            f"{' or '.join(ast.get_source_segment(text, one) or '' for one in tree.values[:-1])} or {default}"
        )
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) in _NUMBERS and len(tree.args) == 1:
        # Of an empty text no number can be made.
        inner = ast.get_source_segment(text, tree.args[0]) or ""
        return f"{ast.unparse(tree.func)}({_or_else(default, empty, is_none, inner)})"
    needed = _needed(tree)
    if needed is None:
        twice = is_none and tree is not None and not has_effects(tree)
        return f"{default} if {text} is None else {text}" if twice else f"{text} or {default}"
    extreme = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)
    inner = text.strip()
    bare = inner[1:-1] if inner.startswith("(") and is_same_expression(parsed(inner[1:-1]), tree) else inner
    return f"{bare[:-1]}, default={default})" if extreme else f"{bare} if {needed} else {default}"


def _needed(tree: ast.expr | None) -> str | None:
    """What must not be empty so that there is a value: of `sum(x) / len(x)` and `max(x)` it is `x`."""
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) in ("max", "min", "random.choice"):
        return ast.unparse(tree.args[0]) if len(tree.args) == 1 and not tree.keywords else None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div | ast.FloorDiv | ast.Mod):
        below = tree.right
        if isinstance(below, ast.Call) and ast.unparse(below.func) == "len" and len(below.args) == 1:
            return ast.unparse(below.args[0])
        return ast.unparse(below) if isinstance(below, ast.Name | ast.Attribute) else None
    ended = isinstance(tree, ast.Subscript) and ast.unparse(tree.slice) in ("0", "-1")
    return ast.unparse(tree.value) if isinstance(tree, ast.Subscript) and ended else None
