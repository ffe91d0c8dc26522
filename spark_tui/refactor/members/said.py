"""What orders about members of classes are made of: words, expressions, places.

Comes in: an order, a class. Goes out: attributes that are said, code that is said, pieces that are accounted
for. Must not know: which edits there are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.members.classes import Held
from spark_tui.refactor.order import Order, _parts
from spark_tui.refactor.saying import words

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "imho imo hm hmm btw u create add adds give gives need needs method methods dunder special magic class classes implement implements define defines write support supports should make makes so that can could call calling use uses using from by on with based comparing compares compare compared two objects instances object instance checks check show shows print prints printing printed when if they're their them fields attributes attribute field member members all every each both same only just have has proper nice useful readable want wants able is are equal considered too also missing misses lacks there's no there default simple small little short basic own its it's doesn't lets let's i'd forgot ask something means mean in its it returns return returning which do does end bottom start file behind after below just put include including of",
    )
)
"""Words that say that a member is wanted, and nothing about it."""
HINT = re.compile(
    r"\(?\b(?:(?:around|near|on|at|in|by|from|about)\s+)?(?:lines?|ln)\.?\s*#?\d+(?:\s+or so)?\)?|\(L\d+\)|\b(?:at|near|in|to)\s+the\s+(?:end|top|bottom|start|beginning)\s+of\s+(?:the|this)\s+(?:file|class)\b",
    re.I,
)
_ANCHOR = re.compile(r"\(?\b(?:just |right )?(?:after|below|under|behind|following)\s+`([^`]+)`\)?", re.I)
_TOLD = re.compile(
    r"(?:\s+[-–(]\s*|[,;.]\s+)(?:[Ii]|[Ii]t|[Ww]e|[Tt]hey|[Yy]ou|u|[Tt]hat)\s(?:(?!and\b|add\b|gives?\b|needs?\b|wants?\b|should\b|makes?\b|returns?\b|is\b|sets?\b|called\b|takes?\b|holds?\b)[a-z']+(?:\s|(?=\)?$)))+\)?$"
)
_LATER = re.compile(
    r"[,;.]?\s*(?:i(?:'ll| will)? (?:fill|write|do|implement) (?:it|that|this|the rest)(?: in)?(?: later)?|for now|as discussed|to start with)\b",
    re.I,
)


def asides(order: Order) -> tuple[str, list[str]]:
    """What is said without places of the file and the like, and these."""
    off: list[str] = []

    def drop(found: re.Match[str]) -> str:
        off.append(found[0])
        return " "

    text = HINT.sub(drop, order.said)
    text = re.sub(r"\s+", " ", text).strip(" ,;:.!?")
    return re.sub(r"\s+", " ", _TOLD.sub(drop, _LATER.sub(drop, text))).strip(" ,;:.!?"), off


def anchor(order: Order, held: Held) -> ast.stmt | None:
    """The statement behind which something is wanted, where one is quoted."""
    found = _ANCHOR.search(order.said)
    if found is None:
        return None
    at = [
        node
        for node in order.src.statements
        if order.src.segment(node).split("\n")[0].strip() == found[1].strip()
    ]
    own = [node for node in at if held.node in order.src.ancestors(node)]
    return own[0] if len(own) == 1 else None


def anchored(order: Order) -> list[str]:
    return [found[0] for found in _ANCHOR.finditer(order.said)]


def attributes_said(held: Held, text: str, but: Collection[str] = ()) -> list[str]:
    """Those of the class, in the order in which they are named; in words too."""
    spoken = [(found.start(), found[0]) for found in re.finditer(r"[^\W\d]\w*", text)]
    low = [word.lower() for _, word in spoken]
    places: dict[str, int] = {}
    for name in held.attributes:
        for at, word in spoken:
            if word not in but and (
                word == name or (word.lower() == name.lower() and word.lower() not in but)
            ):
                places.setdefault(name, at)
        parts = _parts(name)
        if name not in places and len(parts) > 1:
            for at in range(len(low)):
                if low[at : at + len(parts)] == parts:
                    places.setdefault(name, spoken[at][0])
    return sorted(places, key=lambda name: places[name])


def accounted(
    order: Order, text: str, off: Iterable[str], vocabulary: Collection[str], *more: str
) -> list[str]:
    """Pieces of the order that say nothing further."""
    spoken = [word for word in words(text) if word in vocabulary or "'" in word]
    return [*off, *more, *anchored(order), *spoken]


def own_code(held: Held, text: str, known: Collection[str] = ()) -> str | None:
    """An expression as it stands in a method: attributes that are said bare hang from `self`."""
    code = text.strip().strip("`").strip()
    try:
        tree = parse_code(code, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    there = set(re.findall(r"^(?:import|from) .*|^\s*(?:def|class) \w+|^\w+ =", held.src.text, re.M))
    outside = {word for line in there for word in re.findall(r"[^\W\d]\w*", line)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - bound
    members = [name for name in names if name in held.attributes or name in held.methods]
    if names - set(members) - set(known) - {"self"} - outside - set(dir(builtins)):
        return None
    for name in members:
        if name not in known:
            call = "()" if name in held.methods and not held.is_property(name) else ""
            bare = rf"(?<![\w.'\"]){re.escape(name)}(?![\w'\"]|\s*=[^=])"
            code = re.sub(rf"{bare}(?!\()", f"self.{name}{call}", code)
            code = re.sub(rf"{bare}(?=\()", f"self.{name}", code)
    return code


def without_class(held: Held, text: str) -> str:
    """What is said, with the class and the quoted place taken out."""
    spoken = rf"{re.escape(held.name)}|" + r"[ -]".join(map(re.escape, _parts(held.name)))
    out = _ANCHOR.sub(" ", text)
    out = re.sub(
        rf"\s*,?\s*\b(?:to|on|in|for|of|from|inside|into)\s+(?:(?:the|class|a|an|all|every|each)\s+)*[`'\"]?(?:{spoken})s?[`'\"]?(?:'s)?(?:\s+(?:class|objects?|instances?))?(?![\w.])",
        " ",
        out,
        flags=re.I,
    )
    if len(_parts(held.name)) > 1:
        out = re.sub(
            rf"\b(?:the\s+)?(?:class\s+)?[`'\"]?(?:{spoken})[`'\"]?(?:\s+class)?(?![\w.])",
            " ",
            out,
            flags=re.I,
        )
    return re.sub(r"\s+", " ", re.sub(r"(?<=\w)'(?:ll|d|re|ve)\b", "", out)).strip()
