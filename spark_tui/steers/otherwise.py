"""A message that wants the same done in another way: *use a Counter there*, *no, raise a KeyError*, *just
clamp it*.

Comes in: the text in which an answer stands, a message. Goes out: the text that is wanted. Must not know:
engines, ids.

A way is found by its words, and made on the tree: on what the answer brought, else on what it took the place
of. Where ways disagree, or what the message spells out is not in what comes, nothing is made.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Function
from spark_tui.steers import otherwise_dispatch as dispatch
from spark_tui.steers import otherwise_more as more
from spark_tui.steers import otherwise_named as named
from spark_tui.steers import otherwise_tries as tries
from spark_tui.steers.corrected import applied, touch
from spark_tui.steers.deeds_said import DEEDS
from spark_tui.steers.otherwise_base import Base, Form, Make, Way, tidied, way
from spark_tui.steers.otherwise_deeds import deeds
from spark_tui.steers.otherwise_families import FAMILIES
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.stands import Stands
from spark_tui.steers.tree_forms import is_expression, places, replaced

raises = False
"""Whether a way that stumbles says so: tests want to see it."""
_MOST_LEFT = 6
_DOING = re.compile(
    r"(?:pop|push|close|open|set|put|call|add|remove|delete|rename|swap|sort|move|write|store|send|convert|count|toggle|wrap|split|negate|load|fill|cache|append|insert|import|extract|inline|create|build|compute|round|strip|lower|upper|replace|reset|clear|update|start|limit|merge|join|filter|shift|copy|retry|sleep|wait)(?:s|e?d|ing)?",
    re.I,
)
"""Verbs of what is not done by the way."""


def otherwise(stands: Stands, message: str) -> str | None:
    """The text that is wanted, where one way says which."""
    if stands.src.tree is None or stands.was.tree is None:
        return None
    said = Said(message)
    for wants in dict.fromkeys((said.orders, said.everything)):
        asked = [one for one in WAYS if one.is_asked(said, wants)]
        asked = [
            one for one in asked if one.against or one.restores or not _names_code(stands, one.asked, wants)
        ]
        found: dict[str, list[Way]] = {}
        for restores in (False, True):
            ways = [one for one in asked if one.restores is restores] if not found else []
            if restores and re.search(DEEDS, said.orders, re.I):
                continue  # Something else is to be done in it.
            made: dict[str, list[Way]] = {}
            for one in ways:
                for text in _made(stands, said, one):
                    made.setdefault(text, []).append(one)
            makers = [one for several in made.values() for one in several]
            found |= {
                text: several
                for text, several in made.items()
                if _accounted(stands, said, makers, text)
                and (restores or _says_constants(stands, said, text))
            }
        if found:
            return _chosen(found)
    return None


def _chosen(found: dict[str, list[Way]]) -> str | None:
    """What most ways make; of the forms of one way, what takes the place of more."""
    if len({one.asked.pattern for several in found.values() for one in several}) == 1:
        return min(found, key=len)
    most = max(map(len, found.values()))
    best = [text for text, several in found.items() if len(several) == most]
    return best[0] if len(best) == 1 else None


def _names_code(stands: Stands, asked: re.Pattern[str], text: str) -> bool:
    """Whether the words of a way are only the names of functions: *a mean of nothing* where there is a
    `mean`."""
    names = {node.name for node in stands.src.functions if node not in stands.made}
    return all(match[0] in names for match in asked.finditer(text))


def _accounted(stands: Stands, said: Said, ways: list[Way], text: str) -> bool:
    """Whether little is left of what the message wants: no verb of another deed, and few words."""
    lines = set(stands.was.lines) ^ set(text.split("\n")) | {
        line for line in stands.src.lines if "def " in line
    }
    shown = {
        part.lower()
        for line in lines
        for word in re.findall(r"\w+", line)
        for part in (word, *word.split("_"))
    }
    rest = said.orders
    for one in ways:
        rest = one.asked.sub(" ", rest)
    left = [word for word in words(rest) if word not in FILLERS | shown and not word.isdigit()]
    return len(left) <= _MOST_LEFT and not any(_DOING.fullmatch(word) for word in left)


def _made(stands: Stands, said: Said, one: Way) -> list[str]:
    """What a way makes, on the first base on which it makes something."""
    new = Base(stands.src, tuple(stands.places), stands, True)
    old = Base(stands.was, tuple(_replaced(stands)), stands, False)
    for closely in (True, False):
        order = [new] if one.only_new else [new, old] if said.besides or closely else [old, new]
        for base in order:
            out = []
            for make in one.makes:
                for text in _texts(base, said, make, closely):
                    text = tidied(stands, text if base.new or one.whole else _with_the_rest(stands, text))
                    if _fulfils(stands, said, text):
                        out.append(text)
            if out:
                return list(dict.fromkeys(out))
    return []


def _texts(base: Base, said: Said, make: Form | Make, closely: bool) -> list[str]:
    """What is made in one manner. Where it stumbles over what is said or shown that is nothing."""
    try:
        if isinstance(make, Form):
            return list(_of_form(base, said, make, closely))
        return list(make(base, said)) if closely else []
    except Exception:
        if raises:
            raise
        return []


def _with_the_rest(stands: Stands, text: str) -> str:
    """What was made of the text as it was, with the hunks that stand elsewhere."""
    made = [
        WindowHunk(one.first, one.last, one.new) for one in between(stands.was.lines, text.split("\n")[:-1])
    ]
    rest = [one for one in stands.hunks if not any(touch(one, other) for other in made)]
    lines = applied(stands.lines, sorted([*made, *rest], key=lambda one: (one.first, one.last)))
    return "".join(f"{line}\n" for line in lines)


def _fulfils(stands: Stands, said: Said, text: str) -> bool:
    if text == stands.src.text or not stands.holds(text):
        return False
    spread = re.sub(r"\s", "", text).replace("'", '"')
    return all(re.sub(r"\s", "", one).replace("'", '"').strip('"`') in spread for one in said.exact)


def _says_constants(stands: Stands, said: Said, text: str) -> bool:
    """Whether None, True and False that are wanted are in the lines that come."""
    now = text.split("\n")[:-1]
    came = "\n".join(
        line for was in (stands.src, stands.was) for one in between(was.lines, now) for line in one.new
    )
    return all(re.search(rf"\b{one}\b", came) for one in re.findall(r"\b(?:None|True|False)\b", said.orders))


def _replaced(stands: Stands) -> Iterator[tuple[int, int]]:
    for hunk in stands.hunks:
        yield (hunk.first, hunk.last) if hunk.first < hunk.last else (max(0, hunk.first - 1), hunk.first + 1)


def _of_form(base: Base, said: Said, form: Form, closely: bool) -> Iterator[str]:
    """What becomes of the one place of a form; close is what the answer touched itself."""
    src = base.src
    first, put = form.parts[0]
    if "SAID" in put:
        spelled = said.exact
        if len(spelled) != 1:
            return
        put = put.replace("SAID", spelled[0])
    found = [one for one in places(src, first) if (base.touches if closely else base.near)(*one.nodes)]
    made = []
    for place in found:
        none = (
            isinstance(place.holes.get("_v"), ast.Constant)
            and src.segment(place.nodes[0])
            and getattr(place.holes["_v"], "value", "") is None
        )
        changes = [replaced(src, place, put.replace(".get(_k, _v)", ".get(_k)") if none else put)]
        around: Function | ast.ClassDef | None = src.function_of(place.nodes[0])
        if around is not None and src.class_of(around) is not None:
            around = src.class_of(around)
        for other, instead in form.parts[1:]:
            where = [
                one
                for one in places(src, other, place.holes)
                if around is None or around in src.ancestors(one.nodes[0])
            ]
            where = [one for one in where if not any(node in place.nodes for node in one.nodes)]
            changes += (
                [replaced(src, one, instead) for one in where]
                if is_expression(other)
                else [replaced(src, one, instead) for one in where[:1]]
                if len(where) == 1
                else [None]
            )
            if not where:
                changes.append(None)
        if all(change is not None for change in changes):
            made += list(base.made([change for change in changes if change is not None], *form.imports))
    if len(set(made)) == 1:
        yield made[0]


def _of_families() -> tuple[Way, ...]:
    out = []
    for family in FAMILIES:
        for kind in family:
            if kind.words:
                forms = [
                    Form(tuple(zip(other.forms, kind.forms, strict=True)), kind.imports)
                    for other in family
                    if other is not kind
                ]
                out.append(way(kind.words, *forms))
    return tuple(out)


WAYS: tuple[Way, ...] = (
    *_of_families(),
    way(
        r"\bcontinue\b",
        Form((("if _t:\n    continue\n__b", "if NOT(_t):\n    __b"),)),
        against=r"\bcontinue\b",
    ),
    way(DEEDS, deeds, only_new=True),
    way(tries.TRY, tries.tried, only_new=True),
    way(tries.CHECK, tries.checked, only_new=True),
    way(dispatch.MATCH, dispatch.matched),
    way(dispatch.DICT, dispatch.looked_up),
    way(dispatch.CHAIN, dispatch.chained),
    way(more.CLAMP, more.clamped, only_new=True),
    way(more.CACHE, more.cached, whole=True),
    way(named.CONSTANT, named.as_constant, only_new=True),
    way(named.PARAMETER, named.as_parameter, only_new=True),
    way(r"\bdata ?class\b", more.by_order("make {c} a dataclass")),
    way(r"\bifs?\b|\belif\b|\bearly returns?\b", more.spread, only_new=True),
    way(r"\bloop\b", more.undone("loop"), only_new=True, restores=True),
    way(r"\btry\b", more.undone("try"), only_new=True, restores=True),
    way(r"\bif\b(?! \w+ \w)|\belif\b|\bif ?/ ?else\b", more.undone("if"), only_new=True, restores=True),
    way(r"\bmatch\b", more.undone("match"), only_new=True, restores=True),
    way(r"\bcomprehension\b", more.undone("comprehension"), only_new=True, restores=True),
    way(r"\bf[- ]?strings?\b", more.by_order("use an f-string in {f}")),
    way(r"\bpathlib\b", more.by_order("use pathlib in {f}")),
    way(
        r"\bearly return\b|\bguard clause\b|\breturn early\b",
        more.by_order("use early returns in {f}", "use a guard clause in {f}"),
    ),
    way(r"\benumerate\b", more.by_order("use enumerate in {f}")),
    way(r"\bjoin\b", more.by_order("use join in {f}")),
    way(r"\bzip\b", more.by_order("use zip in {f}")),
    way(r"\bnamed ?tuple\b", more.by_order("make {c} a NamedTuple")),
)
