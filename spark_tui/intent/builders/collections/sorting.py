"""Calls that sort by another key or the other way round."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.collections.ordered_queries import ordered_queries
from spark_tui.intent.builders.collections.sort_direction import (
    names_only_direction,
    of_ages,
    order_said,
    reversed_behind,
    turned_behind,
)
from spark_tui.intent.builders.transforms.transformed import strip_brackets, transform_value
from spark_tui.intent.building.building import Built, build_at, builder, call, place
from spark_tui.intent.building.rewritten import is_meant, replace_code
from spark_tui.intent.context.anchors import Anchor, parsed, weighted
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.literals.sort_keys import Item, by_time_said, key_of
from spark_tui.intent.values.literals.sort_signs import is_negative, is_signed, with_signs
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_BY = re.compile(r"(?:by|nach|par|por)\s+", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:then|after that|dann|danach|puis|ensuite|luego|después)\b.*", re.IGNORECASE)
"""Words for what is compared last."""


@builder("sort_by")
def sort_by(context: Context) -> Iterator[Built]:
    context = with_signs(_with_key(context))
    order = order_said(context)
    if not order and not context.has("key") and context.has("variable"):
        every = transform_value(context, _sorted, literals=False)
        yield from (built for built in every if not _is_dropped(context, built))
        return
    if not order and not context.has("key"):
        # What comes first now, where it is told, should not.
        told = phrases.any_stands_in(phrases.words("first_only"), context.beside_slots().lower())
        if not (told and context.named and any(True for _, _, root in context.trees() for _ in _sorts(root))):
            raise Unresolved("the instruction gives neither the key nor the order")
        order = "turned"
    found: list[Anchor] = []
    reason: Unresolved | None = None
    done = 0
    for area, source, root in context.trees():
        spots = list(_of_variable(context, source, root))
        spots = spots or list(_sorts(root)) or list(_unsorted(source, root))
        for node, items, new in spots:
            if not is_meant(context, source.segment(items)) and len(spots) > 1:
                continue
            anchor = Anchor(area, node, 0.95 * area.weight, area.doubts)
            try:
                text, doubts = _changed(context, source, anchor, items, order, new)
                doubts += tuple(_of_others(context, source, items))
            except Unresolved as error:
                reason = reason or error
                continue
            done += text == source.segment(node)
            if text != source.segment(node):
                found.append(replace(anchor, words={"new": text}, doubts=(*anchor.doubts, *doubts)))
    if not found and not done and (queries := list(ordered_queries(context, descending=order == "down"))):
        yield from queries
        return
    if not found:
        raise reason or Unresolved(
            "it is already sorted that way" if done else "nothing is sorted there", bool(done)
        )
    for item in weighted(context, found):
        assert isinstance(item.node, ast.expr)
        source = context.source(item.path)
        stmt = source.statement(item.node)
        names = [node.id for node in find_nodes(stmt, ast.Name)]
        if isinstance(stmt, ast.Return) and names.count(source.segment(item.node)) > 1:
            code = f"{source.segment(item.node)} = {item.words['new']}"
            spot = place(context, replace(item, node=stmt))
            made = call("insert_statements", place=spot, code=code, side="before")
        else:
            made = replace_code(context, item, item.words["new"])
        turned = reversed_behind(context, source, item.node)
        gone = [call("delete_statements", place=place(context, replace(item, node=turned)))] if turned else []
        yield build_at(item, *gone, made)


def _with_key(context: Context) -> Context:
    """The reading with its key where that was taken for what is sorted: *by year*."""
    slots, span = context.reading.slots, context.span("variable")
    named = _BY.match(span.text) if span is not None and not context.has("key") else None
    if span is None or named is None:
        return context
    shorter = replace(span, start=span.start + named.end(), text=span.text[named.end() :])
    slots = {**{slot: known for slot, known in slots.items() if slot != "variable"}, "key": (shorter,)}
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


def _sorted(text: str) -> str:
    return text if text.startswith("sorted(") else f"sorted({strip_brackets(text)})"


def _is_dropped(context: Context, built: Built) -> bool:
    """Whether nothing is done with what is sorted: the call is a statement."""
    spot, old = getattr(built.calls[0], "place", None), getattr(built.calls[0], "old", "")
    if spot is None or not spot.path:
        return False
    source = context.source(spot.path)
    return any(
        isinstance(stmt, ast.Expr) and stmt.lineno == spot.first and source.segment(stmt) == old
        for stmt in source.statements
    )


def _of_others(context: Context, source: Source, items: ast.expr) -> Iterator[str]:
    """That something else of the file is named than what is sorted there."""
    name = context.text("variable").strip("`'\"")
    if context.visible(source.path, items).knows(name) and not is_meant(context, source.segment(items)):
        inside = source.function_of(items)
        if inside is None or name != inside.name:
            yield f"{source.segment(items)} is sorted there, not {name}"


def _sorts(root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """What is sorted: the call, and the items."""
    for node in walk(root):
        name = called_name(node)
        if not isinstance(node, ast.Call) or name not in ("sorted", "sort"):
            continue
        if name == "sorted" and node.args:
            yield node, node.args[0], False
        elif isinstance(node.func, ast.Attribute) and not node.args:
            yield node, node.func.value, False


def _of_variable(
    context: Context, source: Source, root: ast.AST
) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """Where a function returns the variable that is named, which it sorts nowhere."""
    wanted = key(context.text("variable").strip("`'\""))
    for node in walk(root) if wanted else ():
        if not isinstance(node, ast.Name) or key(name := node.id) != wanted:
            continue
        inside = source.function_of(node)
        if not isinstance(source.statement(node), ast.Return) or inside is None:
            continue
        called = source.parents.get(node)
        measured = isinstance(called, ast.Call) and ast.unparse(called.func) in ("len", "sum", "max", "min")
        if not any(name in ast.unparse(items) for _, items, _ in _sorts(inside)) and not measured:
            yield node, node, True


def _unsorted(source: Source, root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """What a function returns as a list, or else what its loops go through: it is not sorted so far."""
    inside = root if isinstance(root, Function) else None
    for node in walk(inside):
        value = node.value if isinstance(node, ast.Return) and source.function_of(node) is inside else None
        if isinstance(value, ast.Name | ast.ListComp | ast.Attribute) and not _is_one(inside, value):
            yield value, value, True
            return
    for node in find_nodes(inside, ast.For):
        yield node.iter, node.iter, True


def _is_one(inside: ast.AST | None, node: ast.expr) -> bool:
    """Whether what is returned begins as a number or dictionary, or is one of what a loop goes through."""
    if any(ast.unparse(loop.target) == ast.unparse(node) for loop in find_nodes(inside, ast.For)):
        return True
    sets = find_nodes(inside, ast.Assign)
    values = [inner.value for inner in sets if ast.unparse(inner.targets[0]) == ast.unparse(node)]
    made = ("dict", "defaultdict", "OrderedDict", "Counter")
    mapped = any(isinstance(one, ast.Dict | ast.DictComp) or called_name(one) in made for one in values)
    numbers = (one for one in values if isinstance(one, ast.Constant))
    return mapped or any(isinstance(one.value, int | float) for one in numbers)


def _changed(
    context: Context, source: Source, anchor: Anchor, items: ast.expr, order: str, new: bool
) -> tuple[str, tuple[str, ...]]:
    """The call with another key or the other way round."""
    node = anchor.node
    assert isinstance(node, ast.expr)
    called = node if isinstance(node, ast.Call) and not new else None
    named = {keyword.arg: keyword.value for keyword in called.keywords} if called is not None else {}
    old = named.get("key")
    down = ast.unparse(named["reverse"]) == "True" if "reverse" in named else False
    down ^= reversed_behind(context, source, node) is not None
    by, doubts = _key(context, source, anchor, items, old)
    if old is not None and not context.has("key") and not names_only_direction(context):
        if says("tied", "tied", context.beside_slots()):
            raise Unresolved("it is not clear by what those that are equal are sorted")
        doubts = (*doubts, f"it stays sorted by {source.segment(old)}")
    if not by and not names_only_direction(context) and source.segment(items).endswith(".items()"):
        doubts = (*doubts, "it stays sorted by the keys, not by the values")
    body = old.body if isinstance(old, ast.Lambda) else None
    negated = body if isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.USub) else None
    signed = is_signed(context)
    if signed and down and isinstance(old, ast.Lambda) and is_negative(parsed(by), old):
        return source.segment(node), doubts
    if signed:
        down = False
    elif negated is not None and context.has("key"):
        down = down or not order
    elif negated is not None:
        # Without the sign it is the other way round.
        head = by[: len(by) - len(source.segment(negated))]
        by, down = head + source.segment(negated.operand), not down
    order = of_ages(order, context.situation.instruction, by)
    if order:
        down = not down if order == "turned" else order == "down"
        down = down and not signed  # the sign says so already
    given = [source.segment(arg) for arg in (called.args if called is not None else [items])]
    rest = [f"{name}={source.segment(one)}" for name, one in named.items() if name not in ("key", "reverse")]
    given += rest + ([f"key={by}"] if by else []) + (["reverse=True"] if down else [])
    callee = source.segment(called.func) if called is not None else "sorted"
    fresh = ("it was not sorted until now",) if new else ()
    return f"{callee}({', '.join(given)})", (*doubts, *fresh)


def _key(
    context: Context, source: Source, anchor: Anchor, items: ast.expr, old: ast.expr | None
) -> tuple[str, tuple[str, ...]]:
    """The key as code: as it is, or what is named, read as the items are read elsewhere."""
    if not context.has("key"):
        by_time = by_time_said(Item(context, source, anchor.node, items, old))
        return (source.segment(old), ()) if old is not None else by_time
    spans = context.reading.slots["key"]
    words = [span.text.strip().strip("`'\"") for span in spans]
    whole = words[0].removeprefix("key=").strip()
    tree = parsed(whole)
    item_of = Item(context, source, anchor.node, items, old)
    if isinstance(old, ast.Lambda) and _is_tied(context, old):
        read = key_of(item_of, [text.removesuffix("()") for text in words])
        last = _AFTER.search(context.situation.instruction, spans[-1].end)
        first = last is not None and bool(_named_parts(old, last[0]))
        return _beside(source, old, *read, first=first)
    bare = whole.removesuffix("()")
    if bare != whole and bare.isidentifier() and not _is_code(context, anchor, bare):
        return key_of(item_of, [bare])
    pairs = called_name(items) == "items" and whole in {one.name for one in source.functions}
    if isinstance(tree, ast.Lambda | ast.Call) or (
        not pairs and isinstance(tree, ast.Attribute | ast.Name) and _is_code(context, anchor, whole)
    ):
        return whole, ()
    item = old.args.args[0].arg if isinstance(old, ast.Lambda) and old.args.args else ""
    names = names_in(tree)
    if not isinstance(tree, ast.Name) and item and item in names:
        return f"lambda {item}: {whole}", ()
    return key_of(item_of, words)


def _is_tied(context: Context, old: ast.Lambda) -> bool:
    """Whether the old key stays beside the one that is named: it is said, or the words name what it reads."""
    beside = context.beside_slots()
    if says("tied", "instead", beside):
        return False
    return says("tied", "tied", beside) or bool(_named_parts(old, beside))


def _named_parts(old: ast.Lambda, text: str) -> set[str]:
    """The words of a text that name what a key reads."""
    read = {str(node.value) for node in find_nodes(old.body, ast.Constant)}
    read |= {node.attr for node in find_nodes(old.body, ast.Attribute)}
    named = {without_s(key(word)) for word in re.findall(r"\w+", text)}
    return named & {without_s(key(word)) for word in read}


def _beside(
    source: Source, old: ast.Lambda, code: str, doubts: tuple[str, ...], *, first: bool
) -> tuple[str, tuple[str, ...]]:
    """A key by which those are sorted that are equal by the old one; `first`: the other way round."""
    new = parsed(code)
    if not isinstance(new, ast.Lambda):
        raise Unresolved("it is not clear by what those that are equal are sorted")
    parts = [source.segment(part) for part in _parts(old)]
    shown = (ast.get_source_segment(code, part) or "" for part in _parts(new))
    more = [text for text in shown if text not in parts]
    head = source.text[source.span(old)[0] : source.span(old.body)[0]].rstrip(" (")
    node = source.parents.get(source.parents.get(old, old))
    options = node.keywords if isinstance(node, ast.Call) else []
    down = any(item.arg == "reverse" and ast.unparse(item.value) == "True" for item in options)
    down = down or turned_behind(source, node) is not None
    turned = tuple(f"{one} is sorted downwards as well" for one in more if down)
    every = [*more, *parts] if first else [*parts, *more]
    return f"{head} ({', '.join(every)})", (*doubts, *turned)


def _parts(key_node: ast.Lambda) -> list[ast.expr]:
    return key_node.body.elts if isinstance(key_node.body, ast.Tuple) else [key_node.body]


def _is_code(context: Context, anchor: Anchor, text: str) -> bool:
    """Whether a text is a function by itself: `len`, `str.lower`."""
    if text in ("len", "abs", "str.lower", "str.casefold", "str.upper", "int", "float"):
        return True
    source = context.source(anchor.path)
    return any(function.name == text and source.class_of(function) is None for function in source.functions)
