"""Finders for lists, tuples, sets and dictionaries that stand in the code. Where none has the name that is
said, the one is meant whose items look like it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.places.displays import names_of_value
from spark_tui.intent.context.anchors import Anchor, Search, elsewhere, finder, nodes, parsed
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.context.situation import Area
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.finders.expressions import keep_best
from spark_tui.intent.values.literals.composed import like_parts
from spark_tui.intent.values.literals.entry_forms import known_key
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_LEAST = 0.45
_STEM = 5
_PLAIN = "a"
"""The shape of most words: it tells little."""
_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "add_item": (ast.List, ast.Tuple, ast.Set),
    "remove_item": (ast.List, ast.Tuple, ast.Set, ast.Dict),
    "set_entry": (ast.Dict,),
}


@finder
def display(at: Search) -> Iterator[Anchor]:
    """Lists, tuples, sets and dictionaries that stand in the code, by the name that they are set to;
    where none is said by what they hold."""
    text = at.context.text(at.slot) if at.slot else ""
    name = "" if is_kind(text) else key(plain_name(text))
    found: list[tuple[float, ast.AST]] = []
    inside = nodes(at.root, *_DISPLAYS)
    every = list(dict.fromkeys((*inside, *nodes(at.source.tree, *_DISPLAYS)))) if name else inside
    every = [
        node
        for node in every
        if not isinstance(getattr(node, "ctx", None), ast.Store) and at.source.span(node)[0] >= 0
    ]
    for inner in every:
        called = {key(item) for item in names_of_value(at.source, inner)}
        if name and name in called:
            found.append((1.0, inner))
        elif name and any(_one(name) == _one(item) or (len(name) > 3 and name in item) for item in called):
            found.append((0.6, inner))
        elif name and near_words(name, names_of_value(at.source, inner)):
            found.append((0.4, inner))
    guessed = [] if found else list(find_likely_displays(at, [*every, *_read_in_function(at)]))
    plain = [] if name else [node for node in every if not isinstance(at.source.parents.get(node), ast.expr)]
    if isinstance(at.root, Function) and at.context.reading.intent == "add_item":
        plain = [node for node in plain if not _is_filled_later(node)]
    found = found or [(0.5, item) for item in plain]
    best = guessed or list(keep_best(found or _unnamed(at, [node for node in every if node in inside])))
    own = [anchor for anchor in best if anchor.node in inside]
    near = guessed or own or not isinstance(at.root, Function)
    read = [] if near else _read_in_function(at)
    for anchor in own or best:
        told = near or anchor.node in read
        yield anchor if told else replace(anchor, doubts=(*anchor.doubts, elsewhere(at.context)))


def _read_in_function(at: Search) -> list[ast.AST]:
    """The displays outside functions whose names a function reads."""
    if not isinstance(at.root, Function) or at.source.tree is None:
        return []
    read = {last_name(node) for node in nodes(at.root, ast.Name, ast.Attribute)}
    return [
        node
        for node in nodes(at.source.tree, *_DISPLAYS)
        if not read.isdisjoint(names_of_value(at.source, node)) and at.source.function_of(node) is None
    ]


def _is_filled_later(node: ast.AST) -> bool:
    """An empty list of a function: its items come when it runs."""
    return not (node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ()))


def _one(name: str) -> str:
    """A name without the ending of several: `categories` and `category` are alike."""
    return re.sub(r"ies\Z", "y", name).rstrip("s")


def _unnamed(at: Search, every: list[ast.AST]) -> list[tuple[float, ast.AST]]:
    """Displays that are named by one of their items (*treat 205 like 204*), or the only one of a function."""
    wanted = at.context.text(at.slot).strip("`'\"").lower()
    other_words = {text.lower() for text in re.findall(r"\w+", at.context.beside_slots())}
    found: list[tuple[float, ast.AST]] = []
    plain = []
    for node in every:
        parts = [*filter(None, node.keys)] if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        texts = {ast.unparse(part).strip("'\"").lower() for part in parts}
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or not parts:
            continue
        if not any(isinstance(part, ast.Starred) for part in parts):
            plain.append(node)
        if wanted in texts or (not wanted and other_words & texts):
            found.append((0.9, node))
    if not found and len(plain) == 1 and isinstance(at.root, Function):
        found = [(0.3, plain[0])]
    return found


def is_kind(text: str) -> bool:
    """Whether a text only says of which kind a display is: *the list*."""
    return any(phrases.is_said("display_kinds", item) for item in (text, phrases.without_articles(text)))


def find_likely_displays(at: Search, every: Sequence[ast.AST]) -> Iterator[Anchor]:
    """The displays that are likeliest meant; nothing where none is likely."""
    kinds = _KINDS.get(at.context.reading.intent)
    if kinds is None:
        return
    intent = at.context.reading.intent
    new = at.context.text("key" if intent == "set_entry" else "value").strip("`'\"")
    spoken = {word for word in split_name(at.context.beside_slots()) if len(word) > 2}
    telling = _shape(new) != _PLAIN or at.context.placed
    values = " ".join(item.text for item in at.context.reading.slots.get("value", ()))
    scored: list[tuple[float, ast.AST, str, bool]] = []
    for inner in every:
        names = names_of_value(at.source, inner)[-1:]
        if not isinstance(inner, kinds) or not names or isinstance(at.source.parents.get(inner), ast.Compare):
            continue
        named = any(_same_stem(word, other) for word in split_name(names[0]) for other in spoken)
        texts = [ast.unparse(item).strip("'\"") for item in _items(inner)]
        held = intent != "add_item" and new.lower() in map(str.lower, texts)
        held = held or (intent == "set_entry" and known_key(new, texts) is not None)
        alike = _similar_share(new, _items(inner)) if intent != "remove_item" else 0.0
        formed = (
            isinstance(inner, ast.Dict)
            and like_parts(at.source, values, None, inner.values, repr) is not None
        )
        alike = 1.0 if formed else alike
        score = held + (0.5 if telling else 0.3) * alike + 0.4 * (named and (held or alike > 0))
        score += 0.1 * (names[0].isupper() and score > 0) + 0.5 * formed
        scored.append((score, inner, names[0], named))
    top = max((score for score, *_ in scored), default=0.0)
    for score, node, name, named in scored:
        if score == top >= _LEAST:
            doubts = (
                () if named and score >= 1.0 else (Doubt(f"{name} was assumed to be meant", DoubtKind.MEANT),)
            )
            # A number, or a word like others, may stand anywhere.
            if named or intent != "remove_item" or (telling and not new[:1].isdigit()):
                yield Anchor(Area(""), node, weight=0.8, doubts=doubts)


def _same_stem(word: str, other: str) -> bool:
    """Whether two words are forms of one: `skip` and `skipped`, `category` and `categories`."""
    length = min(len(word), len(other), _STEM)
    return length > 2 and word[:length] == other[:length] and (length > 3 or word == other)


def _items(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return list(getattr(node, "elts", []))


def _similar_share(new: str, items: Sequence[ast.expr]) -> float:
    """The share of items that look like a new one."""
    number = isinstance(parsed(new), ast.Constant) and not new[:1].isalpha()
    shown = [item for item in items if isinstance(item, ast.Constant)]
    shape = (number, _shape(new))
    same = [item for item in shown if (not isinstance(item.value, str), _shape(str(item.value))) == shape]
    return len(same) / len(items) if items else 0.0


def _shape(text: str) -> str:
    """What a text looks like: how it begins, which signs it has, and its case. `/var/www` is like `/etc`."""
    case = "A" if text.isupper() else "Aa" if text[:1].isupper() else "a"
    signs = "".join(dict.fromkeys(re.findall(r"[^\w\s]", text)))
    return f"{'' if text[:1].isalnum() else text[:1]}{case}{signs}{'9' if text.isdigit() else ''}"


def near_words(name: str, called: Sequence[str]) -> bool:
    """Whether a name is a word of what something is called, perhaps with a typing error."""
    words = [word for item in called for word in split_name(item)]
    return len(name) > 3 and any(len(word) > 3 and edit_distance(name, word, 1) <= 1 for word in words)
