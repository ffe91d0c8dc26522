"""By what items are sorted: how a name of theirs is read, as elsewhere in the file; of files also what is no
attribute of a path: *by modification time*, *by size*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.intent.context.described_names import best_described, content_words
from spark_tui.intent.context.lookup import key, split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.values.literals.sort_signs import negated_code
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

_JOINED = re.compile(
    r"\s*(?:,|;|\+|\b(?:then by|then|and then|and|und|dann|et|puis|y|luego)\b|然后|和|再按)\s*", re.IGNORECASE
)
_TYPES = ("int", "float", "str")
_OF_PAIRS = (("key", "keys", "name"), ("value", "values", "count", "amount", "number"))
"""What the two parts of an entry of a dictionary are called."""
_BY_TIME = ("newest", "latest", "most recent", "oldest", "earliest", "neueste", "älteste", "最新", "最旧")
_TIMES = ("created", "created_at", "published", "added", "timestamp", "date", "day", "time", "when", "at")
_CASE = re.compile(r"case|klein|groß|casse|mayúscula|大小写", re.I)
_OF_PATHS = ("glob", "rglob", "iterdir")


@dataclass(frozen=True, eq=False)
class Item:
    """What is sorted: the call or its items, and the key that it has so far."""

    context: Context
    source: Source
    node: ast.AST | None
    items: ast.expr
    old: ast.expr | None


def key_of(at: Item, words: list[str]) -> tuple[str, tuple[str, ...]]:
    """The key for the words that name it; several make a tuple."""
    if len(words) == 1 and (told := _function_of_item(at, words[0])):
        return told, ()
    parts = [item for text in words for item in _split(at, text) if item]
    name = _name(at)
    read = [_code_of_part(at, part, name) for part in parts]
    lost = next((part for part, one in zip(parts, read, strict=True) if one is None), None)
    if lost is not None:
        raise Unresolved(f"{lost!r} is nothing that the items have")
    known = [item for item in read if item is not None]
    codes = [one for one, _ in known]
    doubts = tuple(dict.fromkeys(item for _, more in known for item in more))
    if codes == [f"len({name})"]:
        return "len", doubts
    if codes == [name]:
        return "", doubts
    return f"lambda {name}: " + (codes[0] if len(codes) == 1 else f"({', '.join(codes)})"), doubts


def _is_pairs(at: Item) -> bool:
    """Whether what is sorted are the entries of a dictionary."""
    return called_name(at.items) == "items"


def _function_of_item(at: Item, text: str) -> str:
    """The function of the file that is called like the words and takes one item: `due_date`."""
    if _is_pairs(at):
        return ""
    wanted, inside = key(phrases.without_articles(text)), at.source.function_of(at.items)
    for one in at.source.functions:
        needed = len(one.args.args) - len(one.args.defaults)
        if key(one.name) == wanted and needed == 1 and at.source.class_of(one) is None and one is not inside:
            return one.name
    return ""


def _split(at: Item, text: str) -> list[str]:
    """The several keys that a text names, or it as a whole."""
    parts = [part for part in _JOINED.split(text) if part]
    known = (part.lstrip("-") for part in parts)
    return parts if all(_find_member(at, part) or key(part) in _places(at) for part in known) else [text]


def _name(at: Item) -> str:
    """The name of one item: that of the key, or of the loop or comprehension over the same items."""
    if isinstance(at.old, ast.Lambda) and at.old.args.args:
        return at.old.args.args[0].arg
    return _looped(at) or "item"


def _looped(at: Item) -> str:
    """The name of one item in a loop over the same items, or of what they are made of."""
    if isinstance(at.items, ast.ListComp | ast.GeneratorExp) and isinstance(at.items.elt, ast.Name):
        return at.items.elt.id
    shown = [ast.unparse(item) for item in (at.items, at.node) if item is not None]
    for node in walk(at.source.tree):
        goal = node.target if isinstance(node, ast.For | ast.comprehension) else None
        if isinstance(goal, ast.Name) and ast.unparse(getattr(node, "iter", goal)) in shown:
            return goal.id
    for node in walk(at.source.function_of(at.items)):
        added = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
        if isinstance(added, ast.Name) and ast.unparse(node) == f"{shown[0]}.append({added.id})":
            return added.id
    return ""


def _code_of_part(at: Item, text: str, name: str) -> tuple[str, tuple[str, ...]] | None:
    """The code that reads what is named of an item; with a sign it is the negative of that."""
    if text.startswith("-"):
        positive = _code_of_part(at, text[1:].strip(), name)
        if positive is None:
            return None
        code, more = negated_code(at.source, positive[0])
        return code, (*positive[1], *more)
    if (kind := phrases.type_code(text)) in _TYPES and not _find_member(at, text):
        return f"{kind}({_so_far(at, name)})", ()
    lower = _CASE.search(text) is not None
    plain = phrases.without_articles(text)
    places = _places(at)
    wanted = key(plain)
    wanted = wanted if wanted in places else without_s(wanted)
    if wanted in places:
        return f"{name}{places[wanted]}", ()
    if _is_pairs(at) and key(plain) == key(ast.unparse(at.items).removesuffix(".items()")):
        return f"{name}[1]", ()  # the values are called like what holds them
    if wanted in (key(name), without_s(name)) and name == _looped(at):
        return name, ()
    if (
        phrases.lookup("transforms", plain) == "len({x})"
        and file_fact(at.source, at.items, plain) is None
        and not _find_member(at, plain)
        and not _by_place(at)
    ):
        return f"len({name})", ()
    if (fact := file_fact(at.source, at.items, plain)) is not None:
        return fact.format(item=name), ()
    found = _find_member(at, plain) or (_time_of(at) if plain.lower() in _BY_TIME else None)
    if found is None:
        return (f"{name}.lower()", ()) if lower else None
    code, doubts = found
    if _is_pairs(at) and not code.startswith(("{item}[0]", "{item}[1]")):
        return None
    code = code.format(item=name)
    return (f"{code}.lower()" if lower else code), doubts


def by_time_said(at: Item) -> tuple[str, tuple[str, ...]]:
    """The key for *newest first*, where the items have a time; nothing where they are times."""
    words = re.findall(r"\w+", at.context.text("order").lower())
    found = _time_of(at) if any(word in words for word in _BY_TIME) else None
    return ("", ()) if found is None else (f"lambda {_name(at)}: {found[0].format(item=_name(at))}", found[1])


def _time_of(at: Item) -> tuple[str, tuple[str, ...]] | None:
    """The first time that items have: when they were made, else any other; of files when they changed."""
    if (changed := file_fact(at.source, at.items, "mtime")) is not None:
        return changed, ()
    found = next((one for name in _TIMES if (one := _find_member(at, name)) is not None), None)
    return (found[0], (assumed("the time was assumed to be meant"),)) if found is not None else None


def _so_far(at: Item, name: str) -> str:
    """What the key reads of an item so far, without the type that it makes of it."""
    body = _body(at)
    return at.source.segment(body) if body is not None else name


def _places(at: Item) -> dict[str, str]:
    """How the parts of items that are taken apart elsewhere, or of pairs of a dictionary, are read, by their
    names, and what is read of them."""
    out: dict[str, str] = {}
    parts: dict[str, str] = {}
    root = at.source.function_of(at.items) or at.source.tree
    text = ast.unparse(at.items)
    shown = ast.unparse(at.node) if at.node is not None else ""
    held = at.source.parents.get(at.node) if at.node is not None else None
    goals = list(map(ast.unparse, held.targets)) if isinstance(held, ast.Assign) else []
    for node in walk(root):
        taken: ast.expr | None = None
        if isinstance(node, ast.For | ast.comprehension) and ast.unparse(node.iter) in (text, shown, *goals):
            taken = node.target
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == f"{text}.append" and node.args:
            taken = node.args[0]
        for number, each in enumerate(taken.elts if isinstance(taken, ast.Tuple) else ()):
            shown_part = ast.unparse(each)
            last = each.func if isinstance(each, ast.Call) else each
            out[key(last.attr if isinstance(last, ast.Attribute) else shown_part)] = f"[{number}]"
            for inner in walk(root):
                if (
                    isinstance(inner, ast.Attribute | ast.Subscript)
                    and ast.unparse(inner.value) == shown_part
                ):
                    rest = ast.unparse(inner).removeprefix(shown_part)
                    parts.setdefault(key("".join(re.findall(r"\w+", rest))), f"[{number}]{rest}")
    sets = find_nodes(root, ast.Assign)
    values = [ast.unparse(inner.value) for inner in sets if ast.unparse(inner.targets[0]) == text]
    pairs = any(item.rstrip(")").endswith(".items(") for item in (text, *values))
    named = {word: f"[{at}]" for at, row in enumerate(_OF_PAIRS) for word in row} if pairs else {}
    return named | parts | out


def _find_member(at: Item, text: str) -> tuple[str, tuple[str, ...]] | None:
    """How an attribute or a key with these words is read: as the key so far does, or as the file does."""
    wanted = set(split_name(phrases.without_articles(text).strip("`'\"")))
    attributes, keys = _members(at)
    exact = [attribute for attribute in (*attributes, *keys) if set(split_name(attribute)) == wanted]
    near = [
        attribute
        for attribute in (*attributes, *keys)
        if wanted and (wanted <= set(split_name(attribute)) or set(split_name(attribute)) <= wanted)
    ]
    like = [] if exact or near else best_described(content_words(text), [*attributes, *keys], {})[0]
    for names, doubted in ((exact, False), (near, True), (like if len(set(like)) == 1 else [], True)):
        for name in dict.fromkeys(names):
            doubts = (assumed(f"{text} was assumed to be {name}"),) if doubted else ()
            if _by_text(at) or (name in keys and (name not in attributes or _by_key(at))):
                return f'{{item}}["{name}"]', doubts
            return f"{{item}}.{name}{'()' if name in _methods(at) else ''}", doubts
    return None


def _body(at: Item) -> ast.expr | None:
    return at.old.body if isinstance(at.old, ast.Lambda) else None


def _by_key(at: Item) -> bool:
    """Whether the key so far looks an item up by a text."""
    return any(find_nodes(_body(at), ast.Subscript))


def _by_text(at: Item) -> bool:
    """Whether the key so far is what an item has under a text."""
    body = _body(at)
    return isinstance(body, ast.Subscript) and is_text(body.slice)


def _by_place(at: Item) -> bool:
    """Whether the key so far reads an item by a number: items are tuples."""
    body = _body(at)
    index = body.slice if isinstance(body, ast.Subscript) else None
    return isinstance(index, ast.Constant) and type(index.value) is int


def _members(at: Item) -> tuple[list[str], list[str]]:
    """The attributes of the classes of the file, and the texts by which something is looked up in it."""
    attributes: list[str] = []
    keys: list[str] = []
    for node in walk(at.source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            attributes.append(node.attr)
        elif isinstance(node, ast.ClassDef):
            goals = (goal for stmt in node.body for goal in targets(stmt))
            attributes += [goal.id for goal in goals if isinstance(goal, ast.Name) and not goal.id.isupper()]
            attributes += [
                stmt.name for stmt in node.body if isinstance(stmt, Function) and len(stmt.args.args) == 1
            ]
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            keys.append(str(node.slice.value))
        elif isinstance(node, ast.Dict):
            keys += [str(item.value) for item in node.keys if isinstance(item, ast.Constant)]
    fields = [item for item in keys if item.isidentifier()]
    name = _name(at)
    read = [
        inner.attr
        for inner in find_nodes(at.source.tree, ast.Attribute)
        if isinstance(inner.value, ast.Name) and inner.value.id == name
    ]
    return list(dict.fromkeys([*attributes, *read])), list(dict.fromkeys(fields))


def _methods(at: Item) -> set[str]:
    """The methods that are called without arguments; properties are read like attributes."""
    return {
        function.name
        for function in at.source.functions
        if not any("property" in ast.unparse(decorator) for decorator in function.decorator_list)
    }


def file_fact(source: Source, items: ast.expr, text: str) -> str | None:
    """The code that asks it of an `{item}`; nothing for other words, or where the items are not found by
    looking into a folder."""
    fact = phrases.lookup("file_facts", text)
    made = next(_made_by(source, items), None) if fact is not None else None
    if made is None or fact is None:
        return None
    owner = ast.unparse(made.func.value) if isinstance(made.func, ast.Attribute) else ""
    asked = f"os.path.get{fact.removeprefix('st_')}"
    has_os = any(one.name == "os" for node in find_nodes(source.tree, ast.Import) for one in node.names)
    if owner == "os" and len(made.args) == 1:
        return f"{asked}(os.path.join({source.segment(made.args[0])}, {{item}}))"
    if owner == "glob":
        return f"{asked}({{item}})" if has_os else None
    return f"{{item}}.stat().{fact}" if called_name(made) in _OF_PATHS and owner else None


def _made_by(source: Source, items: ast.expr) -> Iterator[ast.Call]:
    """The look into a folder that gives some items, or what they are taken from."""
    root = source.function_of(items) or source.tree
    name = ast.unparse(items)
    sources: list[ast.expr] = [items]
    for node in walk(root):
        if (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and node.value
            and name in map(ast.unparse, targets(node))
        ):
            sources.append(node.value)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            added = f"{name}.append({node.target.id})"
            sources += [node.iter for one in find_nodes(node, ast.Call) if ast.unparse(one) == added]
    for one in sources:
        inner = _within(one)
        if isinstance(inner, ast.Call) and called_name(inner) in (*_OF_PATHS, "listdir"):
            yield inner


def _within(node: ast.expr) -> ast.expr:
    """What a list is made of, where it has the same items."""
    if isinstance(node, ast.Call) and called_name(node) in ("list", "sorted") and node.args:
        return _within(node.args[0])
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        first = node.generators[0]
        return _within(first.iter) if ast.unparse(node.elt) == ast.unparse(first.target) else node
    return node
