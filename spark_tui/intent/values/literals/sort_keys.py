"""By what items are sorted: how a name of theirs is read, as elsewhere in the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.described_names import best_described, content_words
from spark_tui.intent.context.lookup import key, without_s, words_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import kind_said, says
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk

_JOINED = re.compile(
    r"\s*(?:,|;|\+|\b(?:then by|then|and then|and|und|dann|et|puis|y|luego)\b|然后|和|再按)\s*", re.IGNORECASE
)
_TYPES = ("int", "float", "str")
_CASE = re.compile(r"case|klein|groß|casse|mayúscula|大小写", re.I)


@dataclass(frozen=True, eq=False)
class Item:
    """What is sorted: the call or its items, and the key that it has so far."""

    context: Context
    source: Source
    node: ast.AST | None
    items: ast.expr
    old: ast.expr | None


def key_of(at: Item, said: list[str]) -> tuple[str, tuple[str, ...]]:
    """The key for the words that name it; several make a tuple."""
    parts = [one for text in said for one in _split(at, text) if one]
    name = _name(at)
    read = [_read(at, one, name) for one in parts]
    lost = next((part for part, one in zip(parts, read, strict=True) if one is None), None)
    if lost is not None:
        raise Unresolved(f"{lost!r} is nothing that the items have")
    known = [one for one in read if one is not None]
    codes = [one for one, _ in known]
    doubts = tuple(dict.fromkeys(each for _, more in known for each in more))
    if codes == [f"len({name})"]:
        return "len", doubts
    if codes == [f"{name}.lower()"]:
        return "str.lower", doubts
    if codes in [[f"{kind}({name})"] for kind in _TYPES]:
        return codes[0].partition("(")[0], doubts
    if codes == [name]:
        return "", doubts
    return f"lambda {name}: " + (codes[0] if len(codes) == 1 else f"({', '.join(codes)})"), doubts


def key_in_order(at: Item, order: str) -> str:
    """The word of an order that names by what is sorted: *biggest amounts on top*."""
    places = _places(at)
    said = [one for one in re.findall(r"\w+", order) if key(one) in places or without_s(one) in places]
    return said[0] if len(said) == 1 else ""


def _split(at: Item, text: str) -> list[str]:
    """The several keys that a text names, or it as a whole."""
    parts = [one for one in _JOINED.split(text) if one]
    return parts if all(_find(at, one) or key(one) in _places(at) for one in parts) else [text]


def _name(at: Item) -> str:
    """The name of one item: that of the key, or of the loop or comprehension over the same items."""
    if isinstance(at.old, ast.Lambda) and at.old.args.args:
        return at.old.args.args[0].arg
    return _looped(at) or "item"


def _looped(at: Item) -> str:
    """The name of one item in a loop over the same items."""
    shown = [ast.unparse(one) for one in (at.items, at.node) if one is not None]
    for one in walk(at.source.tree):
        goal = one.target if isinstance(one, ast.For | ast.comprehension) else None
        if isinstance(goal, ast.Name) and ast.unparse(getattr(one, "iter", goal)) in shown:
            return goal.id
    return ""


def _read(at: Item, said: str, name: str) -> tuple[str, tuple[str, ...]] | None:
    """The code that reads what is named of an item."""
    if (kind := phrases.type_code(said)) in _TYPES and not _find(at, said):
        return f"{kind}({_so_far(at, name)})", ()
    lower = _CASE.search(said) is not None
    plain = phrases.without_articles(said)
    places = _places(at)
    wanted = key(plain)
    wanted = wanted if wanted in places else without_s(wanted)
    if wanted in places:
        return f"{name}[{places[wanted]}]", ()
    if wanted in (key(name), without_s(name)) and name == _looped(at):
        return name, ()
    if phrases.lookup("transforms", plain) == "len({x})" and not _find(at, plain) and not _by_place(at):
        return f"len({name})", ()
    found = _find(at, plain)
    if found is None:
        return (f"{name}.lower()", ()) if lower else None
    code, doubts = found
    member, code = code.rpartition(".")[2], code.format(item=name)
    if _puts_first(at) and _is_flag(at, member):
        return f"not {code}", doubts
    return (f"{code}.lower()" if lower else code), doubts


def _so_far(at: Item, name: str) -> str:
    """What the key reads of an item so far, without the type that it makes of it."""
    body = at.old.body if isinstance(at.old, ast.Lambda) else None
    if isinstance(body, ast.Call) and ast.unparse(body.func) in _TYPES and len(body.args) == 1:
        body = body.args[0]
    return at.source.segment(body) if body is not None else name


def _places(at: Item) -> dict[str, int]:
    """The places of items that are taken apart elsewhere, or of pairs of a dictionary, by their names."""
    out: dict[str, int] = {}
    root = at.source.function_of(at.items) or at.source.tree
    text = ast.unparse(at.items)
    shown = ast.unparse(at.node) if at.node is not None else ""
    held = at.source.parents.get(at.node) if at.node is not None else None
    goals = list(map(ast.unparse, held.targets)) if isinstance(held, ast.Assign) else []
    for one in walk(root):
        target = one.target if isinstance(one, ast.For | ast.comprehension) else None
        looped = ast.unparse(one.iter) if isinstance(one, ast.For | ast.comprehension) else ""
        if isinstance(target, ast.Tuple) and looped in (text, shown, *goals):
            out |= {key(ast.unparse(each)): number for number, each in enumerate(target.elts)}
        added = (
            one.args[0]
            if isinstance(one, ast.Call) and ast.unparse(one.func) == f"{text}.append" and one.args
            else None
        )
        if isinstance(added, ast.Tuple):
            names = [
                each.attr if isinstance(each, ast.Attribute) else ast.unparse(each) for each in added.elts
            ]
            out |= {key(each): number for number, each in enumerate(names)}
    sets = [one for one in walk(root) if isinstance(one, ast.Assign)] if root is not None else []
    values = [ast.unparse(one.value) for one in sets if ast.unparse(one.targets[0]) == text]
    if any("execute(" in one for one in (text, *values)):
        out |= {key(one): number for number, one in enumerate(_columns(root)) if key(one) not in out}
    if any(one.rstrip(")").endswith(".items(") for one in (text, *values)):
        out |= {
            key(word): number
            for number, row in enumerate(
                (("key", "keys", "name"), ("value", "values", "count", "amount", "number"))
            )
            for word in row
            if key(word) not in out
        }
    return out


def _find(at: Item, said: str) -> tuple[str, tuple[str, ...]] | None:
    """How an attribute or a key with these words is read: as the key so far does, or as the file does."""
    wanted = set(words_of(phrases.without_articles(said).strip("`'\"")))
    attributes, keys = _members(at)
    exact = [one for one in (*attributes, *keys) if set(words_of(one)) == wanted]
    near = [
        one
        for one in (*attributes, *keys)
        if wanted and (wanted <= set(words_of(one)) or set(words_of(one)) <= wanted)
    ]
    like = [] if exact or near else best_described(content_words(said), [*attributes, *keys], {})[0]
    for names, doubted in ((exact, False), (near, True), (like if len(set(like)) == 1 else [], True)):
        for one in dict.fromkeys(names):
            doubts = (f"{said} was assumed to be {one}",) if doubted else ()
            as_key = one in keys and (one not in attributes or _by_key(at))
            if as_key:
                return f'{{item}}["{one}"]', doubts
            return f"{{item}}.{one}{'()' if one in _methods(at) else ''}", doubts
    return None


def _puts_first(at: Item) -> bool:
    """Whether what the key names is to come first: *rush jobs on top*."""
    said = at.context.text("order") or at.context.beside_slots()
    return says("sort_places", "top", said) and not kind_said("sort_orders", said)


def _is_flag(at: Item, name: str) -> bool:
    """Whether an attribute is true or false wherever the file sets it, or its parameter by default."""
    values: list[ast.expr | None] = []
    for one in walk(at.source.tree):
        if isinstance(one, Function):
            values += [default_of(one, each.arg) for each in parameters(one) if each.arg == name]
        elif isinstance(one, ast.AnnAssign | ast.Assign):
            goals = one.targets if isinstance(one, ast.Assign) else [one.target]
            known = any(ast.unparse(goal) in (name, f"self.{name}") for goal in goals)
            values += [one.value] if known and not isinstance(one.value, ast.Name) else []
    told = [one for one in values if one is not None]
    return bool(told) and all(isinstance(one, ast.Constant) and isinstance(one.value, bool) for one in told)


def _by_key(at: Item) -> bool:
    """Whether the key so far looks an item up by a text."""
    body = at.old.body if isinstance(at.old, ast.Lambda) else None
    return body is not None and any(isinstance(one, ast.Subscript) for one in walk(body))


def _by_place(at: Item) -> bool:
    """Whether the key so far reads an item by a number: items are tuples."""
    body = at.old.body if isinstance(at.old, ast.Lambda) else None
    return (
        isinstance(body, ast.Subscript)
        and isinstance(body.slice, ast.Constant)
        and body.slice.value in range(99)
    )


def _columns(root: ast.AST | None) -> Iterator[str]:
    """The columns that the first SQL statement of a place selects."""
    for one in walk(root):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            found = re.match(r"\s*select\s+(\w+(?:\s*,\s*\w+)+)\s+from\b", one.value, re.IGNORECASE)
            if found is not None:
                yield from re.split(r"\s*,\s*", found[1])
                return


def _members(at: Item) -> tuple[list[str], list[str]]:
    """The attributes of the classes of the file, and the texts by which something is looked up in it."""
    attributes: list[str] = []
    keys: list[str] = []
    for one in walk(at.source.tree):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
            attributes.append(one.attr)
        elif isinstance(one, ast.ClassDef):
            attributes += [
                each.target.id
                for each in one.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
            attributes += [
                each.name for each in one.body if isinstance(each, Function) and len(each.args.args) == 1
            ]
        elif isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant):
            keys.append(str(one.slice.value))
        elif isinstance(one, ast.Dict):
            keys += [str(each.value) for each in one.keys if isinstance(each, ast.Constant)]
    fields = [one for one in keys if one.isidentifier()]
    name = _name(at)
    read = (
        [
            one.attr
            for one in walk(at.source.tree)
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == name
        ]
        if at.source.tree is not None
        else []
    )
    return list(dict.fromkeys([*attributes, *read])), list(dict.fromkeys(fields))


def _methods(at: Item) -> set[str]:
    """The methods that are called without arguments; properties are read like attributes."""
    return {
        one.name
        for one in at.source.definitions
        if isinstance(one, Function)
        and not any("property" in ast.unparse(each) for each in one.decorator_list)
    }
