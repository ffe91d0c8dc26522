"""Which of several keys sorts downwards: *by -age*, *by age, largest first, then by name*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import classes_hinted, is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.kinds_of_words import kind_said
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


def with_signs(context: Context) -> Context:
    """The reading with a sign in front of each key that its words turn, and the order of a single key that
    was read as part of it."""
    slots, text = context.reading.slots, context.situation.instruction
    keys, orders = slots.get("key", ()), slots.get("order", ())
    if not keys or any(span.start < 0 for span in (*keys, *orders)):
        return context
    apart = len(keys) > 1 and _begins_again(text[keys[-2].end : keys[-1].start])
    between = [one for one in orders if keys[0].end <= one.start and (apart or one.start < keys[-1].start)]
    signed: list[Span] = []
    told: tuple[Span, ...] = ()
    for key in keys:
        shown = _shown_order(context, key)
        own = [one for one in between if one.start >= key.end]
        own = [one for one in own if not _begins_again(text[key.end : one.start])]
        down = any(kind_said("sort_orders", one.text) == "down" for one in own)
        if shown is not None and len(keys) == 1 and not orders:
            told, key = (shown,), _from(key, shown.end - key.start)
        elif shown is not None:
            down = kind_said("sort_orders", shown.text) == "down"
            key = _from(key, shown.end - key.start)
        down |= _negated().search(text[: key.start]) is not None
        signed.append(replace(key, text=f"-{key.text}") if down and key.text[:1] != "-" else key)
    left = tuple(one for one in orders if one not in between) or told
    changed = {**slots, "key": tuple(signed), "order": left}
    changed = {slot: spans for slot, spans in changed.items() if spans}
    if changed == slots:
        return context
    return Context(replace(context.reading, slots=changed), context.situation, context.names)


def _begins_again(text: str) -> bool:
    """Whether an order behind some words says nothing of what stands in front: *by name, then by age*."""
    return not set(re.findall(r"\w+", text.lower())).isdisjoint(phrases.words("more"))


def is_signed(context: Context) -> bool:
    """Whether a key has a sign."""
    return any(span.text.strip("`'\" ").startswith("-") for span in context.reading.slots.get("key", ()))


def is_negative(new: ast.AST | None, old: ast.Lambda) -> bool:
    """Whether a key is the negative of another."""
    body = new.body if isinstance(new, ast.Lambda) else None
    if not (isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.USub)):
        return False
    return ast.dump(old.body) == ast.dump(body.operand)


def negated_code(source: Source, code: str) -> tuple[str, tuple[str, ...]]:
    """The code with a sign, and a doubt where what is named is a text somewhere in the file."""
    name = _named(parsed(code))
    if name and any(_tells_text(node, name) for node in walk(source.tree)):
        return f"-{code}", (assumed(f"{name} was assumed to be a number, but is a text somewhere"),)
    return f"-{code}", ()


def _tells_text(node: ast.AST, name: str) -> bool:
    """Whether a part of the code says that what has a name is a text: by a type, a value or a method."""
    match node:
        case ast.arg(arg=named, annotation=hint) if hint is not None:
            return named == name and classes_hinted(hint) == {"str"}
        case ast.AnnAssign(target=target, annotation=hint):
            return _named(target) == name and classes_hinted(hint) == {"str"}
        case ast.Assign(targets=[target], value=value):
            return _named(target) == name and is_text(value)
        case ast.keyword(arg=named, value=value):
            return named == name and is_text(value)
        case ast.Attribute(value=held, attr=method):
            of_text = hasattr(str, method) and not any(hasattr(kind, method) for kind in (int, list, dict))
            return of_text and _named(held) == name
    return False


def _named(node: ast.AST | None) -> str:
    """The name, attribute or key that a part of the code reads or sets."""
    match node:
        case (
            ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name)))
        ):
            return name
    return ""


def _shown_order(context: Context, key: Span) -> Span | None:
    """The word for an order with which a key begins, unless that is a part of a name of the file."""
    found = _orders().match(key.text)
    words = re.findall(r"\w+", key.text)
    if found is None or len(words) < 2:
        return None
    name = re.compile(rf"(?<![^\W_]){'_?'.join(map(re.escape, words))}(?![^\W_])", re.IGNORECASE)
    if any(name.search(source.text) for _, source, _ in context.trees()):
        return None
    return Span(key.start, key.start + found.end(1), found[1])


def _from(span: Span, at: int) -> Span:
    rest = span.text[at:]
    start = at + len(rest) - len(rest.lstrip())
    return replace(span, start=span.start + start, text=rest.lstrip())


@lru_cache(maxsize=1)
def _orders() -> re.Pattern[str]:
    table = phrases.table()["sort_orders"]
    known = "|".join(
        re.escape(one) for kind in ("down", "up") for one in sorted(table[kind], key=len, reverse=True)
    )
    return re.compile(rf"({known})\s+(?=\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _negated() -> re.Pattern[str]:
    known = "|".join(map(re.escape, phrases.words("negated_keys")))
    return re.compile(rf"(?<!\w)(?:{known})\s+[`'\"]?\Z", re.IGNORECASE)
