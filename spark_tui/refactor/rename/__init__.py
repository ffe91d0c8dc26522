"""Rules of the family `rename`: one name becomes another, wherever the same is meant.

Comes in: an order. Goes out: edits. Must not know: how orders are worded (`rename_talk`), how names are looked up
(`rename_scopes`).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterable, Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.rename.meanings import Meaning, Meanings
from spark_tui.refactor.rename.roles import in_role, made_private, recased, replaced_text
from spark_tui.refactor.rename.talk import Talk, Wish
from spark_tui.refactor.rename.text import Span, places
from spark_tui.refactor.source import Change, Function

_BUILTINS = frozenset(dir(builtins))
_NAMES = {"assigned", "for", "with", "except", "parameter"}
_FITS: dict[str, Callable[[Meaning], bool]] = {
    "variable": lambda one: not one.is_member and bool(one.how & (_NAMES - {"parameter"}) or not one.how),
    "parameter": lambda one: "parameter" in one.how,
    "attribute": lambda one: one.is_member or "hanging" in one.how,
    "method": lambda one: "function" in one.how or (one.is_member and "attribute" in one.how),
    "function": lambda one: "function" in one.how,
    "class": lambda one: "class" in one.how,
    "constant": lambda one: "assigned" in one.how,
    "import": lambda one: bool(one.how & {"import", "alias"}),
    "key": lambda _: False,
}


def rename(order: Order) -> Iterator[Edit]:
    """What the order names becomes what it brings."""
    if order.src.tree is None:
        return
    talk = Talk(order)
    if by_role := list(_by_role(order, talk)):
        yield from by_role
        return
    both = talk.two()
    if both is not None:
        yield from _together(order, both)
        return
    for wish in talk.wishes():
        if re.search(rf"\b(?:should|must|needs? to|has to|have to) be {wish.new}$", order.said) and wish.new.endswith(
            "ed"
        ):
            return  # that is done to it
        if wish.new in sys.stdlib_module_names and not wish.strong:
            return  # that is to be used, not to be a name
        if not wish.old:
            continue
        edits = [] if wish.as_text and not wish.strong else list(renamed(order, Meanings(order.src), wish))
        edits = edits or list(_as_text(order, wish))
        yield from edits
        if edits:
            return


def _together(order: Order, wishes: list[Wish]) -> Iterator[Edit]:
    names = Meanings(order.src)
    spans: dict[Span, str] = {}
    for wish in wishes:
        found = _meant(order, names, wish)
        if not found or not all(_may_become(names, one, wish.new) for one in found):
            return
        spans.update({span: wish.new for one in found for span in one.spans})
    if spans:
        yield order.edit([(start, end, new) for (start, end), new in spans.items()], *wishes[0].used)


def _by_role(order: Order, talk: Talk) -> Iterator[Edit]:
    found = in_role(order, talk)
    if found is not None:
        yield from renamed(order, Meanings(order.src), found)


def _as_text(order: Order, wish: Wish) -> Iterator[Edit]:
    """A dotted name, or one that comes from elsewhere, is replaced where it stands, if that is wanted of all."""
    old, new = wish.said
    if not wish.everywhere or wish.scopes or old in _BUILTINS:
        return
    spans = [span for span, text in places(order.src.text, old) if not text]
    if spans and ("." in old or not Meanings(order.src).meanings(old)[:1]):
        yield order.edit(changes(spans, new), *wish.used)


_SWAPPED = re.compile(
    r"\b(?:swap|exchange|switch|flip)\s+(?:the\s+)?names?\s+(?:of\s+)?`?(\w+)`?\s+(?:and|with|&|<->)\s+`?(\w+)`?", re.I
)


def swapped(order: Order) -> Iterator[Edit]:
    """Two names that stand for each other's thing."""
    found = _SWAPPED.search(order.said)
    if found is None or order.src.tree is None:
        return
    names, talk = Meanings(order.src), Talk(order)
    spans: dict[Span, str] = {}
    for old, new in (found.groups(), found.groups()[::-1]):
        rest = [
            node
            for node in order.src.functions
            if node.name in talk.names_in(order.said) and node.name not in found.groups()
        ]
        meant = _meant(order, names, Wish(old, new, scopes=list(rest), strong=True))
        if len(meant) != 1:
            return
        spans.update(dict.fromkeys(meant[0].spans, new))
        talk.used += [node.name for node in rest]
    yield order.edit([(start, end, new) for (start, end), new in spans.items()], found[0], *talk.used)


def private(order: Order) -> Iterator[Edit]:
    """A name gets a leading underscore, or loses it."""
    if order.src.tree is None:
        return
    talk = Talk(order)
    wish = made_private(order, talk)
    if wish is not None:
        yield from renamed(order, Meanings(order.src), wish)


def cased(order: Order) -> Iterator[Edit]:
    """Names are spelled in another case."""
    if order.src.tree is None:
        return
    talk, names = Talk(order), Meanings(order.src)
    found = recased(order, talk, names)
    if found is None:
        return
    wishes, used = found
    spans: dict[Span, str] = {}
    for wish in wishes:
        meant = _meant(order, names, wish)
        if not meant or not all(_may_become(names, one, wish.new) for one in meant):
            return
        spans.update({span: wish.new for one in meant for span in one.spans})
    if spans:
        yield order.edit([(start, end, new) for (start, end), new in spans.items()], *used)


def literals_replaced(order: Order) -> Iterator[Edit]:
    """A number or a piece of text becomes another, in all its places."""
    found = replaced_text(order)
    if found is None:
        return
    old, new, used = found
    if re.fullmatch(r"[\d.]+", old):
        spans = [span for span, text in places(order.src.text, old) if not text]
    else:
        spans = [one.span() for one in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", order.src.text)]
    first, last = order.scope()
    spans = [span for span in spans if first <= order.src.line_at(span[0]) < last]
    if spans:
        yield order.edit(changes(spans, new), *used)


def renamed(order: Order, names: Meanings, wish: Wish) -> Iterator[Edit]:
    found = _meant(order, names, wish)
    if not found and (keys := _keys(order, wish)):
        yield order.edit(changes(keys, wish.new), *wish.used)
        return
    if not found or not all(_may_become(names, one, wish.new) for one in found):
        return
    groups = [found]
    if len(found) > 1 and not wish.everywhere and len({one.is_member for one in found}) > 1:
        groups += [[one for one in found if one.is_member is member] for member in (False, True)]
    for group in groups:
        spans = {span for one in group for span in one.spans}
        if wish.text_too:
            spans |= {span for span, text in places(order.src.text, wish.old) if text}
        yield order.edit(changes(spans, wish.new), *wish.used)


def _keys(order: Order, wish: Wish) -> list[Span]:
    """Strings that are the whole name: keys of dictionaries, columns."""
    if not ("key" in wish.roles or wish.strong or wish.everywhere) or wish.roles - {"key"}:
        return []
    spans = [one.span(2) for one in re.finditer(rf"(['\"])({re.escape(wish.old)})\1", order.src.text)]
    taken = re.search(rf"(['\"]){re.escape(wish.new)}\1", order.src.text)
    lines = [(order.src.first_line(node), order.src.last_line(node)) for node in wish.scopes]
    inside = [span for span in spans if any(a <= order.src.line_at(span[0]) < b for a, b in lines)]
    return [] if taken else inside if wish.scopes else spans


def changes(spans: Iterable[Span], new: str) -> list[Change]:
    return [(start, end, new) for start, end in sorted(set(spans))]


def _meant(order: Order, names: Meanings, wish: Wish) -> list[Meaning]:
    """Of what the old name means, what the order is about."""
    found = [one for one in names.meanings(wish.old) if _can_be_renamed(one, wish)]
    if wish.receiver:
        found = [one for one in found if one.is_member or "hanging" in one.how]
        family = names.family_of(wish.receiver)
        found = [one for one in found if getattr(one.owner, "name", "") in family] if family else found
    for role in sorted(wish.roles):
        fit = [one for one in found if _FITS[role](one)]
        if not fit and (role == "key" or not _could_be(found, role)):
            return []
        found = fit or found
    if wish.scopes:
        inside = [one for one in found if any(_is_in(order, one, scope) for scope in wish.scopes)]
        around = [one for one in found if any(_is_around(order, one, scope) for scope in wish.scopes)]
        found = inside or around or [one for one in found if any(_holds(order, one, scope) for scope in wish.scopes)]
    if len(found) > 1 and not wish.everywhere:
        spot = order.numbered[0] if order.numbered else order.here
        if spot is not None:
            near = [one for one in found if any(spot[0] <= order.src.line_at(at) < spot[1] for at, _ in one.spans)]
            found = near or found
    if any(one.how - {"hanging"} for one in found):
        found = [one for one in found if one.how - {"hanging"}]
    return found


def _could_be(found: list[Meaning], role: str) -> bool:
    """People say variable for parameter, and function for method; an attribute is something else."""
    if role in ("attribute", "method"):
        return False
    return role not in ("parameter", "variable") or any(not one.is_member for one in found)


def _can_be_renamed(one: Meaning, wish: Wish) -> bool:
    if one.name.startswith("__") and one.name.endswith("__"):
        return False
    if "import" in one.how:
        return False
    if not one.how or one.how == {"hanging"}:
        return wish.strong and one.name not in _BUILTINS and (not one.how or bool(wish.receiver))
    return True


def _is_in(order: Order, one: Meaning, scope: ast.AST) -> bool:
    """Whether it belongs to a definition, or to what stands in it."""
    return one.owner is not None and (one.owner is scope or scope in order.src.ancestors(one.owner))


def _is_around(order: Order, one: Meaning, scope: ast.AST) -> bool:
    """Whether it is a member of the class in which a definition stands, and used there."""
    return one.is_member and any(one.owner is node for node in order.src.ancestors(scope)) and _holds(order, one, scope)


def _holds(order: Order, one: Meaning, scope: ast.AST) -> bool:
    """Whether a name of the module is made by the definition or only used in it."""
    first, last = order.src.first_line(scope), order.src.last_line(scope)
    return any(first <= order.src.line_at(start) < last for start, _ in one.spans)


def _may_become(names: Meanings, one: Meaning, new: str) -> bool:
    """Whether the new name means nothing yet where the old one stands."""
    for other in names.meanings(new):
        if other.is_member != one.is_member or other.how == {"hanging"}:
            continue
        if one.is_member or other.owner is one.owner:
            if not one.is_member or other.owner is one.owner:
                return False
        elif other.owner is None or one.owner is None:
            around = other.owner or one.owner
            spans = one.spans if other.owner is not None else other.spans
            if any(_inside(names, span, around) for span in spans):
                return False
    return True


def _inside(names: Meanings, span: Span, node: ast.AST | None) -> bool:
    if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
        return False
    start, end = names.src.span(node)
    return start <= span[0] < end


RULES: tuple[Rule, ...] = (
    Rule(_SWAPPED, swapped),
    Rule(
        re.compile(
            r"->|=>|→|\bs/|na[me]{2}|\bcall|\binstead\b|\brather\b|\bnot\b|\breplac|\bto\b|\binto\b|\bbecome|\bshould\b|\bmust\b|\bis\b|\bit's\b|\buse\b|\bwith\b|\bby\b|\bfor\b|\bsays\b|\bnow\b|\bmake\b|\bevery|\btakes?\b|\bover\b|\bprefer",
            re.I,
        ),
        rename,
    ),
    Rule(
        re.compile(
            r"\bprivate\b|\bprivati[sz]e|underscore|\binternal\b|\bpublic\b|\bexported\b|implementation detail|\boutside\b|\bno ?(?:body|[- ]?one) else\b",
            re.I,
        ),
        private,
    ),
    Rule(
        re.compile(r"\b(?:snake|camel|pascal|upper|lower)[ _-]?case|\bcapital (?:letters|case)|\ball caps\b", re.I),
        cased,
    ),
    Rule(
        re.compile(r"\b(?:replace|change|swap|turn|switch|substitute|use|instead|update)\b|->|=>", re.I),
        literals_replaced,
    ),
)
