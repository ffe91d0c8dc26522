"""An attribute goes, with the parameter that brought it, the arguments that gave it, and what showed it.

Comes in: an order. Goes out: edits; none where something else is made of the attribute. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import accounted, asides
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.signatures.heads import call_list, head, listed, removed
from spark_tui.refactor.signatures.parameters import remove_at
from spark_tui.refactor.source import Change, Function, Source
from spark_tui.refactor.values.layout import brackets, elements, take_out

_GO = re.compile(
    r"\b(?:remove|drop|delete|get rid of|rid of|kill|lose|throw (?:out|away)|ditch|scrap|no (?:longer|more)|don'?t (?:need|have|want|use)|do not (?:need|have|want)|doesn'?t (?:need|have)|does not (?:need|have)|not (?:need|use)ed|unused|never used|away with|is (?:gone|obsolete|superfluous|useless)|can go|should go|has to go|must go)\b",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:method|function|import|print|log|decorator|docstring|comment|line|lines|from (?:the )?(?:list|dict|output|message|text|string|report|print)|check|if|when|default|hint|annotation|type|rename|call|calls to|spaces?|in (?:the )?(?:list|dict|message|output))\b(?!\s*$)",
    re.I,
)
_WORDS = frozenset(
    [
        "remove",
        "drop",
        "delete",
        "get",
        "rid",
        "of",
        "kill",
        "lose",
        "throw",
        "out",
        "away",
        "ditch",
        "scrap",
        "no",
        "longer",
        "more",
        "don't",
        "dont",
        "do",
        "not",
        "need",
        "needed",
        "have",
        "want",
        "use",
        "used",
        "doesn't",
        "doesnt",
        "does",
        "unused",
        "never",
        "with",
        "without",
        "is",
        "gone",
        "obsolete",
        "superfluous",
        "useless",
        "can",
        "go",
        "should",
        "has",
        "to",
        "must",
        "attribute",
        "attr",
        "field",
        "member",
        "property",
        "variable",
        "parameter",
        "argument",
        "and",
        "its",
        "it",
        "the",
        "uses",
        "usages",
        "everywhere",
        "all",
        "completely",
        "entirely",
        "we",
        "any",
        "anymore",
        "class",
        "from",
        "in",
        "of",
        "object",
        "objects",
        "instance",
        "every",
        "each",
        "too",
        "also",
        "places",
        "where",
        "they",
        "there",
        "isn't",
    ]
)


def remove_attribute(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    if (
        not _GO.search(text)
        or re.search(r"\bwith(?:out)? (?!it\b)", text.replace("away with", ""))
        or _OTHER.search(text)
        or order.functions(text)
        or order.src.tree is None
    ):
        return
    there = [Held(order.src, node) for node in order.src.classes]
    named = classes_meant(order, text)
    spoken = [word.strip("`'\".,") for word in text.replace("self.", "").split()]
    for held in there:
        names = [
            one
            for one in held.attributes
            if one in spoken or (len(_parts(one)) > 1 and " ".join(_parts(one)) in text.lower())
        ]
        role = re.search(r"\b(?:attribute|attr|field|member)\b|self\.", text) is not None
        if len(names) != 1 or (
            len(there) > 1
            and held.node not in [one.node for one in named]
            and not role
            and _elsewhere(order.src, held, names[0])
        ):
            continue
        if any(names[0] in other.attributes for other in there if other is not held) and held.node not in [
            one.node for one in named
        ]:
            continue
        if not role and held.node not in [one.node for one in named] and _elsewhere(order.src, held, names[0]):
            continue
        changes = _without(order.src, held, names[0])
        if changes:
            plural = f"{held.name}s {' '.join(_parts(held.name))} {' '.join(_parts(held.name))}s"
            try:
                yield order.edit(_merged(changes), *accounted(order, text, off, _WORDS, names[0], held.name, plural))
            except ValueError:
                return


def _merged(changes: list[Change]) -> list[Change]:
    """What lies inside another one that takes out is left out."""
    out: list[Change] = []
    for one in sorted(set(changes), key=lambda change: (change[0], -change[1])):
        if out and one[0] < out[-1][1]:
            if one[1] <= out[-1][1] and not out[-1][2]:
                continue
            raise ValueError("changes overlap")
        out.append(one)
    return out


def _elsewhere(src: Source, held: Held, name: str) -> bool:
    """Whether the name means something outside of the class as well."""
    inside = set(ast.walk(held.node))
    for node in src.nodes:
        if node in inside:
            continue
        if isinstance(node, ast.Name) and node.id == name:
            return True
        if (
            isinstance(node, ast.arg | ast.FunctionDef | ast.ClassDef)
            and getattr(node, "arg", getattr(node, "name", "")) == name
        ):
            return True
    return False


def _without(src: Source, held: Held, name: str) -> list[Change] | None:
    changes: list[Change] = []
    init = held.init
    if held.has_fields:
        field = next((one for one in held.fields if getattr(one.target, "id", "") == name), None)
        if field is None or len(held.node.body) < 2:
            return None
        changes.append((*src.line_span(src.first_line(field), src.last_line(field)), ""))
        given = _constructed(src, held, name)
        if given is None:
            return None
        changes += given
    elif init is None:
        return None
    brought: set[str] = set()
    for node in src.nodes:
        if not isinstance(node, ast.Attribute) or node.attr != name:
            continue
        if any(node in ast.walk(item) for item in held.fields) or _of_another(src, held, node):
            continue
        own = src.function_of(node) is init and init is not None
        made = _taken(src, node, own)
        if made is None:
            return None
        changes += made[0]
        brought |= made[1]
    if init is not None and not held.has_fields:
        for one in brought:
            gone = _parameter(src, init, one, name)
            if gone is None:
                return None
            changes += gone
    return changes


def _of_another(src: Source, held: Held, node: ast.Attribute) -> bool:
    """Whether `self` is one of another class."""
    if getattr(node.value, "id", "") != "self":
        return False
    around = next((one for one in src.ancestors(node) if isinstance(one, ast.ClassDef)), None)
    return around is not held.node


def _taken(src: Source, node: ast.Attribute, own: bool) -> tuple[list[Change], set[str]] | None:
    """The place without the attribute, and the names that were only there for it."""
    parent = src.parents.get(node)
    statement = src.statement(node)
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign) and (
        node in getattr(parent, "targets", []) or node is getattr(parent, "target", None)
    ):
        if isinstance(parent, ast.Assign) and len(parent.targets) > 1:
            return None
        if len(src.block(parent)) < 2:
            return None
        if parent.value is not None and any(isinstance(one, ast.Call) for one in ast.walk(parent.value)) and not own:
            return None
        names = (
            {one.id for one in ast.walk(parent.value) if isinstance(one, ast.Name)}
            if own and parent.value is not None
            else set()
        )
        if any(isinstance(one, ast.Await | ast.Yield) for one in ast.walk(parent)):
            return None
        return [(*src.line_span(src.first_line(parent), src.last_line(parent)), "")], names
    if isinstance(statement, ast.AugAssign | ast.Assign) and any(
        isinstance(one, ast.Attribute) and one.attr == node.attr
        for target in getattr(statement, "targets", [getattr(statement, "target", None)])
        if target is not None
        for one in [target]
    ):
        return [], set()
    if isinstance(parent, ast.FormattedValue):
        return _from_text(src, parent)
    if (
        isinstance(parent, ast.Tuple)
        and isinstance(formatted := src.parents.get(parent), ast.BinOp)
        and isinstance(formatted.op, ast.Mod)
        and isinstance(formatted.left, ast.Constant)
    ):
        return _from_percent(src, formatted, parent, node)
    if isinstance(parent, ast.Dict) and node in parent.values and (span := brackets(src, parent)) is not None:
        return take_out(src, span, elements(src, parent), parent.values.index(node)), set()
    if (
        isinstance(parent, ast.List | ast.Tuple)
        and isinstance(parent.ctx, ast.Load)
        and len(parent.elts) > 2
        and (span := brackets(src, parent)) is not None
    ):
        return take_out(src, span, elements(src, parent), parent.elts.index(node)), set()
    if (
        isinstance(parent, ast.Call)
        and getattr(parent.func, "id", "") == "print"
        and node in parent.args
        and len(parent.args) > 1
    ):
        pieces = call_list(src, parent)
        return ([removed(src.text, pieces, parent.args.index(node))], set()) if pieces is not None else None
    return None


def _from_text(src: Source, part: ast.FormattedValue) -> tuple[list[Change], set[str]] | None:
    """Out of an f-string, with the small words that led to it."""
    whole = src.parents.get(part)
    if (
        not isinstance(whole, ast.JoinedStr)
        or len([one for one in whole.values if isinstance(one, ast.FormattedValue)]) < 2
    ):
        return None
    text = src.segment(whole)
    start, end = src.span(whole)
    attribute = src.span(part.value)
    open_at, close_at = src.text.rfind("{", start, attribute[0]), src.text.find("}", attribute[1]) + 1
    if "\n" in text or open_at < 0 or close_at <= 0:
        return None
    span = _led(src.text, src.text.rfind("}", start, open_at) + 1 or start + 2, open_at, close_at, end - 1)
    return ([(*span, "")], set()) if span is not None else None


def _led(text: str, low: int, start: int, end: int, high: int) -> tuple[int, int] | None:
    """What goes with a placeholder: the brackets around it, or the short words between it and the one before it."""
    before, behind = text[low:start], text[end:high]
    if (opened := re.search(r"\s*\($", before)) is not None and behind.startswith(")"):
        return low + opened.start(), end + 1
    if (label := re.search(r"(?:^|(?<=[,;|]))\s*[\w ]+[:=]\s*$", before)) is not None:
        comma = re.match(r"\s*[,;|]", behind)
        if comma is not None and not before[: label.start()].strip():
            return low + label.start(), end + comma.end()
        lead = re.search(r"\s*[,;|]\s*$", before[: label.start()])
        return low + (lead.start() if lead else label.start()), end
    led = re.search(r"\s*[,;|/-]?\s*\b(?:from|in|at|of|with|by|on|for|to|and|near|aged?)?\s*$", before)
    if led is None or (
        led.start() == 0 and low > 0 and text[low - 1] not in "}\"'" and not before.strip() and led[0] == ""
    ):
        return None
    if not before.strip() and not before:
        gap = re.match(r"\s*[,;:|/-]?\s*", behind)
        return start, end + (gap.end() if gap else 0)
    rest = before[: led.start()]
    return (
        (low + led.start(), end)
        if not rest.strip() or led[0].strip() or behind[:1] in ("", ",", ".", ";", ")")
        else None
    )


def _from_percent(
    src: Source, whole: ast.BinOp, given: ast.Tuple, node: ast.Attribute
) -> tuple[list[Change], set[str]] | None:
    at = given.elts.index(node)
    start, end = src.span(whole.left)
    places = list(re.finditer(r"%(?!%)[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]", src.text[start:end]))
    span = brackets(src, given)
    if len(places) != len(given.elts) or span is None or len(given.elts) < 3:
        return None
    low = start + (places[at - 1].end() if at else 1)
    high = start + places[at + 1].start() if at + 1 < len(places) else end - 1
    led = _led(src.text, low, start + places[at].start(), start + places[at].end(), high)
    return ([(*led, ""), *take_out(src, span, elements(src, given), at)], set()) if led is not None else None


def _parameter(src: Source, init: Function, one: str, name: str) -> list[Change] | None:
    """The parameter goes where nothing else reads it."""
    of = head(src, init)
    at = of.index(one) if of is not None else -1
    if of is None or at < 0:
        return []
    reads = [node for item in init.body for node in ast.walk(item) if isinstance(node, ast.Name) and node.id == one]
    kept = [node for node in reads if not _only_sets(src, node, name)]
    return [] if kept else remove_at(src, of, at)


def _only_sets(src: Source, node: ast.Name, name: str) -> bool:
    statement = src.statement(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return isinstance(target, ast.Attribute) and target.attr == name


def _constructed(src: Source, held: Held, name: str) -> list[Change] | None:
    names = [getattr(one.target, "id", "") for one in held.fields]
    at = names.index(name)
    out: list[Change] = []
    for node in src.nodes:
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != held.name:
            continue
        pieces = listed(src.text, src.text.find("(", src.span(node.func)[1]))
        if pieces is None or any(isinstance(one, ast.Starred) for one in node.args):
            return None
        keyword = next((place for place, word in enumerate(node.keywords) if word.arg == name), None)
        if keyword is not None:
            out.append(removed(src.text, pieces, len(node.args) + keyword))
        elif at < len(node.args):
            out.append(removed(src.text, pieces, at))
    return out


GONE = re.compile(
    r"\b(?:remov|drop|delet|rid|kill|lose|throw|ditch|scrap|longer|more|need|use|used|unused|have|away|without|gone|go|obsolete|want)",
    re.I,
)
