"""Methods whose body is plain from their name and what the class holds: `is_empty`, `remove(student)`, `clear`.

Comes in: an order. Goes out: edits. Must not know: methods whose body is said (others write these).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.literals import as_number
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import VOCABULARY, accounted, asides
from spark_tui.refactor.naming import parts, singular
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.source import Change

_NAMED = re.compile(
    r"(?:\b(?:method|function|func|helper)s?\s+(?:called\s+|named\s+)?[`'\"]?(?P<a>[^\W\d]\w*)[`'\"]?(?P<args1>\([^()]*\))?[`'\"]?)"
    r"|[`'\"]?\b(?!(?:an?|the|new|another|small|simple|extra|one)\b)(?P<b>[^\W\d]\w*)[`'\"]?(?P<args2>\([^()]*\))?[`'\"]?\s+(?:method|function)\b"
    r"|[`'\"]?\b(?P<c>[^\W\d]\w*)(?P<args3>\([^()]*\))[`'\"]?"
    r"|\b(?:add|create|write|needs?|give|gets?|implement|wants?|ha(?:s|ve))\s+(?:(?:an?|the|me|it|also|to|too)\s+)*[`'\"]?(?P<d>[^\W\d]\w*_\w+|clear|reset|size|remove|count|pop|push)\b(?P<args4>\([^()]*\))?[`'\"]?",
    re.I,
)
_TAKES = re.compile(
    r"\s*,?\s*(?:(?:that|which)\s+)?(?:takes?|taking|with|accept(?:s|ing)|of)\s+(?:an?\s+|the\s+|one\s+)?(?:parameter\s+|argument\s+)?[`'\"]?(?P<arg>[^\W\d]\w*)[`'\"]?(?:\s+(?:parameter|argument))?(?=\s*(?:$|[,.;]|to\b|in\b|on\b))",
    re.I,
)
_NO_BODY = re.compile(
    r"\bempty (?:method|function|body|stub)\b|\bstub\b|\bplaceholder\b|\bnothing\b|\bpass\b|\blater\b|\babstract\b|\bstatic\b|\bclass ?method\b",
    re.I,
)
_WORDS = VOCABULARY | frozenset(
    [
        "add",
        "create",
        "write",
        "needs",
        "need",
        "give",
        "gets",
        "get",
        "implement",
        "wants",
        "want",
        "has",
        "have",
        "method",
        "methods",
        "function",
        "func",
        "helper",
        "called",
        "named",
        "a",
        "an",
        "the",
        "to",
        "in",
        "on",
        "for",
        "of",
        "too",
        "also",
        "class",
        "should",
        "could",
        "with",
        "takes",
        "take",
        "taking",
    ]
)
_ADD = frozenset(["add", "append", "put", "insert", "push", "enqueue", "register", "collect", "store"])
_REMOVE = frozenset(["remove", "delete", "drop", "discard", "unregister", "forget"])
_HAS = frozenset(["has", "contains", "includes", "holds"])
_SIZE = frozenset(["size", "count", "length", "total"])
_MORE = frozenset(["increment", "inc", "increase", "raise", "bump"])
_LESS = frozenset(["decrement", "dec", "decrease", "lower", "reduce"])


def from_name(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    found = _found(text)
    if found is None:
        return
    name, args = found
    for held in classes_meant(order, text):
        edit = _written(order, held, name, args, text, off)
        if edit is not None:
            yield edit


def is_plain(held: Held, text: str) -> bool:
    """Whether a method is named whose body its name says."""
    found = _found(text)
    return found is not None and body_of(held, *found) is not None


def _found(text: str) -> tuple[str, list[str]] | None:
    if _NO_BODY.search(text):
        return None
    for match in _NAMED.finditer(text):
        name = match["a"] or match["b"] or match["c"] or match["d"]
        if name.lower() in (
            "a",
            "an",
            "the",
            "new",
            "method",
            "function",
            "that",
            "which",
            "to",
            "for",
            "this",
            "small",
            "simple",
            "class",
            "static",
        ):
            continue
        said = match["args1"] or match["args2"] or match["args3"] or match["args4"]
        args = [one.strip() for one in (said or "()")[1:-1].split(",") if one.strip() and one.strip() != "self"]
        takes = _TAKES.match(text[match.end() :])
        if takes is not None and not args and takes["arg"].lower() not in ("a", "the", "it"):
            args = [takes["arg"]]
        return name, args
    return None


def _written(order: Order, held: Held, name: str, args: list[str], text: str, off: list[str]) -> Edit | None:
    if name in held.methods or name in held.attributes or held.is_enum:
        return None
    made = body_of(held, name, args)
    if made is None:
        return None
    own, body = made
    if re.search(r"\bproperty\b", text, re.I):
        return None
    typed = _typed(held)
    lines = [f"def {name}({', '.join(['self', *own])}){_hint(body, typed)}:", *(f"    {line}" for line in body)]
    changes = _beside(held, body, lines) or held.with_method(lines)
    if changes is None:
        return None
    plural = f"{held.name}s {' '.join(_parts(held.name))}s"
    return order.edit(
        changes, *accounted(order, text, off, _WORDS, name, *args, *own, held.name, plural, " ".join(_parts(held.name)))
    )


def _beside(held: Held, body: list[str], lines: list[str]) -> list[Change] | None:
    """What takes a thing out stands behind what puts it in."""
    found = re.fullmatch(r"self\.(\w+)\.(?:remove|discard)\(\w+\)", body[-1])
    if found is None or len(body) > 1:
        return None
    puts = [
        one
        for one in held.methods.values()
        if re.fullmatch(rf"self\.{found[1]}\.(?:append|add)\(.*\)", held.src.segment(one.body[-1]))
        and one.name != "__init__"
    ]
    if len(puts) != 1 or puts[0] is held.node.body[-1]:
        return None
    end = held.src.starts[held.src.last_line(puts[0])]
    return [(end, end, "\n" + "".join(f"{held.inner}{line}\n" for line in lines))]


def _typed(held: Held) -> bool:
    """Whether its methods say what they return."""
    found = [one for one in held.methods.values() if one.name != "__init__"]
    return bool(found) and all(one.returns is not None for one in found)


def _hint(body: list[str], typed: bool) -> str:
    if not typed:
        return ""
    line = body[-1]
    if not line.startswith("return "):
        return " -> None"
    return (
        " -> int"
        if line.startswith("return len(")
        else " -> bool"
        if line.startswith("return not ") or " in self." in line
        else ""
    )


def body_of(held: Held, name: str, args: list[str]) -> tuple[list[str], list[str]] | None:
    """Parameters and lines, where the name says them."""
    said = parts(name)
    if not said:
        return None
    verb, rest = said[0], said[1:]
    names = [arg.split(":")[0].split("=")[0].strip() for arg in args]
    many = _many(held, rest, names)
    if said in (["is", "empty"], ["empty"], ["isempty"]) and not args and (only := _many(held, [], [])):
        return [], [f"return not self.{only}"]
    if len(args) > 1:
        return None
    if not args:
        without = _without_arguments(held, said, verb, rest)
        if without is not None:
            return [], without
    return _with_argument(held, verb, rest, args, names, many)


def _without_arguments(held: Held, said: list[str], verb: str, rest: list[str]) -> list[str] | None:
    only = _many(held, rest, [])
    one = _attribute(held, rest)
    if verb in ("clear", "empty") and only is not None:
        return [f"self.{only}.clear()"] if _empties(held, only) else None
    if verb in _SIZE and not rest and only is not None and verb != "total":
        return [f"return len(self.{only})"]
    if (verb in ("count", "num", "number") and rest and only is not None) or (
        said[-1] in ("count", "size") and len(said) > 1 and (only := _many(held, said[:-1], [])) is not None
    ):
        return [f"return len(self.{only})"]
    if verb in ("reset",) and rest and one is not None and (first := held.first_value(one)) is not None:
        return [f"self.{one} = {first}"]
    if verb == "get" and one is not None:
        return [f"return self.{one}"]
    if verb in ("toggle", "flip", "switch") and one is not None and held.first_value(one) in ("True", "False"):
        return [f"self.{one} = not self.{one}"]
    if verb in _MORE | _LESS and one is not None and _is_number(held, one):
        return [f"self.{one} {'+' if verb in _MORE else '-'}= 1"]
    if (
        verb == "is"
        and one is not None
        and held.first_value(one) in ("True", "False")
        and "_".join(said) not in held.attributes
    ):
        return [f"return self.{one}"]
    return None


def _with_argument(
    held: Held, verb: str, rest: list[str], args: list[str], names: list[str], many: str | None
) -> tuple[list[str], list[str]] | None:
    if verb in _ADD | _REMOVE | _HAS and many is not None:
        kind = (held.first_value(many) or "").split("(")[0]
        thing = names[0] if names else _one_of(many)
        own = args or ([thing] if thing else [])
        if not thing or not own or thing == "self":
            return None
        is_dict, is_set = kind.startswith(("{", "dict")), kind.startswith("set")
        if verb in _HAS:
            return own, [f"return {thing} in self.{many}"]
        if is_dict:
            return (own, [f"del self.{many}[{thing}]"]) if verb in _REMOVE and args else None
        if verb in _REMOVE:
            return own, [f"self.{many}.{'discard' if is_set and verb == 'discard' else 'remove'}({thing})"]
        return own, [f"self.{many}.{'add' if is_set else 'append'}({thing})"]
    one = _attribute(held, rest)
    if one is None or not args:
        return None
    if verb == "set":
        return args, [f"self.{one} = {names[0]}"]
    if verb in _ADD | _MORE | {"gain", "earn"} and _is_number(held, one):
        return args, [f"self.{one} += {names[0]}"]
    if verb in _REMOVE | _LESS | {"subtract", "lose", "spend"} and _is_number(held, one):
        return args, [f"self.{one} -= {names[0]}"]
    return None


def _many(held: Held, rest: list[str], names: list[str]) -> str | None:
    """The attribute that holds several things and is meant: by its name, by that of one thing, or the only one."""
    there = held.containers
    if rest:
        wanted = [singular(one) for one in rest]
        found = [one for one in there if [singular(part) for part in parts(one)] == wanted]
        return found[0] if len(found) == 1 else None
    for name in names:
        found = [one for one in there if singular(one) == name or singular(parts(one)[-1]) == parts(name)[-1]]
        if len(found) == 1:
            return found[0]
    listed = [one for one in there if not (held.first_value(one) or "[").startswith(("{", "dict", "set", "("))]
    return there[0] if len(there) == 1 else listed[0] if len(listed) == 1 else None


def _attribute(held: Held, rest: list[str]) -> str | None:
    if not rest:
        return None
    wanted = ["_".join(rest), f"_{'_'.join(rest)}", f"is_{'_'.join(rest)}"]
    return next((one for one in wanted if one in held.attributes), None)


def _one_of(many: str) -> str:
    one = singular(parts(many)[-1])
    return one if one != parts(many)[-1] and one.isidentifier() else "item"


def _empties(held: Held, many: str) -> bool:
    first = held.first_value(many)
    return first is None or not first.startswith(("(", "tuple"))


def _is_number(held: Held, name: str) -> bool:
    first = held.first_value(name)
    return first is not None and as_number(first) is not None


BODIES = re.compile(
    r"\b(?:add|create|write|needs?|give|gets?|implement|wants?|ha(?:s|ve)|method|function|missing|lacks?)\b", re.I
)
