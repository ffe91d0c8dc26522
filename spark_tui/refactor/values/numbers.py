"""Set a value that the order calls by its name or its role: *timeout -> 30*, *double the retries*, *debug off*.

Comes in: an `Order`. Goes out: edits of one constant each, or of two where two are asked for. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Change, Function, Source
from spark_tui.refactor.values.about import COMPUTED, is_about
from spark_tui.refactor.values.asked import ITEM, Asked, Item, asked
from spark_tui.refactor.values.relative import Relative, relative
from spark_tui.refactor.values.slots import Slot, defaults, slot_of, slots, stem
from spark_tui.refactor.values.written import in_manner_of, is_factor, unit_of, written

_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "change set make use bump raise increase increased lower reduce decrease decreased update switch adjust extend put go take default defaults defaulting value values constant number setting settings allow allowed up down "
        "want wants need needs get gets read reads equal equals become init initialise initialize start begin pick choose wrong right correct too small big large low high short long much way little bit currently actually really "
        "turn flip enable disable enabled disabled on off true false toggle run more less higher longer shorter bigger smaller larger tweak fix set let var const variable option flag keyword argument parameter field attribute worth "
        "other be cut ought think limit limited only exactly modify assign show display use uses hold holds keep store stores give gives cost costs item items entry entries element elements thing things time times live lives sit go goes answer answers reply status code status say says said once needed think currently has",
    )
)
_GIVEN = ("assigned", "default", "keyword", "entry")
"""Kinds of slots where something is given its value."""
_STEPS = re.compile(
    r"\b(?:by|step|worth|gives|gain\w*|gets|costs?|loses?|earns?|award\w*|points?|high|higher|sleep|wait)\b|^\w+ \u27e6",
    re.I,
)
_BARE = re.compile(
    r"(?:\b(?:should be|must be|be|to|say|says|read)|->|=>|=|:)\s+(?P<what>[A-Z][a-z]\w*|[\w-]*[./:@]\S*\w)$"
)
"""A text that nobody quotes: a proper name, something with dots or slashes."""
_COUNTED = frozenset(
    stem(word)
    for word in (
        "count",
        "number",
        "amount",
        "digits",
        "decimals",
        "places",
        "characters",
        "chars",
        "letters",
        "items",
        "entries",
        "rows",
        "elements",
        "pieces",
    )
)
"""What is counted: says nothing where the value has a name besides."""
_NOUNS = frozenset(["name", "file", "code", "line", "value", "class", "module", "current", "method", "names"])
_OTHER = re.compile(
    r"\b(?:add|append|insert|remove|delete|drop|rename|log|print|return|returns|raise an?|import|validate|check|assert|test|loop|convert|round|wrap|call|define|create|write|extract|move|copy|comment|document|explain|why|how|what|which|does|type|hint|annotate|if|when|unless|while|until|except|than|skip|ensure|must not|should not|shouldn't|don't|multiply|divide|between|parse|sort|split|join|catch|replace|swap|cap(?! (?:of|on|is|should|to))|capped|named|called|renamed|sometimes|often|never|always|crash\w*|fails?|bug|broken|without)\b|^i (?!want|need|would|think)",
    re.I,
)
_UP = re.compile(r"\b(?:increase|raise|bump|higher|longer|bigger|larger|extend)\b", re.I)
_DOWN = re.compile(r"\b(?:decrease|reduce|lower(?! case)|cut|shorter|smaller|shorten)\b", re.I)
_TRIGGER = re.compile(
    r"\d|[\"'`]|\w\.\w|[A-Z][a-z]+$|ascii|latin|half|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|\w+teen|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|true|false|none|null|nil|empty|double|triple|twice|half|halve|quadruple|on|off|enabled?|disabled?|minute|second|hour|day|toggle|flip)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Made:
    changes: tuple[Change, ...]
    used: tuple[str, ...]


def _edits(order: Order) -> Iterator[Edit]:
    about = asked(order)
    if not about.text or len(about.text) > 240 or COMPUTED.search(order.said):
        return
    src = order.src
    found = _several(about) or list(_one(about, about.masked))
    for made in found:
        if not is_about(order, [src.line_at(start) for start, _, _ in made.changes]):
            continue
        yield about.edit(list(made.changes), *made.used)


def _several(about: Asked) -> list[Made]:
    """*port 8080 and debug off*: each part for itself, all at once."""
    pieces = re.split(r"\s*(?:,|;|\band\b|\bplus\b|&)\s+(?:and\s+|also\s+)?", about.masked)
    if not 2 <= len(pieces) <= 4:
        return []
    changes: list[Change] = []
    used: list[str] = []
    for piece in pieces:
        made = list(_one(about, piece))
        if len(made) != 1 or any(a < end and start < b for a, b, _ in made[0].changes for start, end, _ in changes):
            return []
        changes += made[0].changes
        used += made[0].used
    return [Made(tuple(changes), tuple(used))]


def _one(about: Asked, masked: str) -> Iterator[Made]:
    items = [about.items[int(number)] for number in re.findall(ITEM, masked)]
    values = [item for item in items if item.kind == "value"]
    names = [item for item in items if item.kind != "value"]
    said, known = about.role_words(masked, _SAYS_NOTHING)
    how = relative(masked, values)
    rest = masked
    for piece in how.said if how is not None else ():
        rest = rest.replace(piece, " ")
    other = _OTHER.search(re.sub(r"\bwhat if\b", "", rest, flags=re.I))
    if other is not None and not (other[0].lower() == "round" and re.search(r"\bround\(", about.order.src.text)):
        return
    if how is not None:
        yield from _scaled(about, said, names, how, known)
        return
    flag = _flag(masked, values)
    if flag is not None:
        yield from _flagged(
            about, said, [*names, *(one for one in values if one.value and one.value.is_text)], flag, known
        )
        return
    if values and values[0].value is not None and values[0].value.is_text and len(values) == 2:
        names, values = [*names, values[0]], values[1:]  # "debug": the name in quotes
    if not values and (bare := _BARE.search(masked)) is not None and not re.search(r"\u27e6", bare["what"]):
        text = bare["what"]
        item = Item(f'"{text}"', "value", text, literals.Said(0, 0, f'"{text}"'))
        masked, values = masked[: bare.start("what")], [item]
        said = [word for word in said if word not in words(text)]
    if len(values) == 1:
        yield from _set(about, masked, said, names, values[0], known)


def _fitting(
    found: Sequence[Slot], said: Sequence[str], names: Sequence[Item], plain: Sequence[str] = (), *, steps: bool = True
) -> list[tuple[Slot, list[str]]]:
    """The slots that all of it fits, those that fit best; where a name is given a value before where it is used."""
    spelled = [re.sub(r"^[\"'`]|[\"'`]$|\(\)$", "", item.source) for item in names]
    ranked = []
    for slot in found:
        every = (*slot.names, *slot.near)
        if any(one not in every and one not in {name.rpartition(".")[2] for name in every} for one in spelled):
            continue
        fit = slot.fits(said, spelled, plain)
        if fit is not None:
            ranked.append((len(fit[1]), fit[0], slot, fit[1]))
    best = max((rank[:2] for rank in ranked), default=None)
    chosen = [(slot, fits) for many, score, slot, fits in ranked if (many, score) == best]
    if chosen and not steps and all(one[0].kind in ("step", "compare") for one in chosen):
        others = [(rank[2], rank[3]) for rank in ranked if rank[2].kind in _GIVEN]
        chosen = others or chosen
    given = [one for one in chosen if one[0].kind in _GIVEN] or chosen
    return [one for one in given if not one[0].inner] or given


def _nouns(masked: str) -> list[str]:
    """Words that mostly say nothing, and may be a name here."""
    return [word for word in words(re.sub(ITEM, " ", masked)) if word in _SAYS_NOTHING or word in _NOUNS]


def _all_slots(about: Asked, wanted: type | tuple[type, ...]) -> list[Slot]:
    nodes = [node for node in about.order.src.nodes if about.inside(getattr(node, "lineno", -1))]
    return slots(about.order.src, wanted, nodes)


def _asked_slots(about: Asked, wanted: type | tuple[type, ...]) -> list[Slot]:
    found = _all_slots(about, wanted)
    kept = [slot for slot in found if slot.kind not in ("key", "index", "item", "")]
    return [_alone(about, slot, kept) for slot in kept] if wanted == (int, float) else kept


def _alone(about: Asked, slot: Slot, every: Sequence[Slot]) -> Slot:
    """The one value of a function goes by its name too: *pick 5* in `pick`."""
    src = about.order.src
    function = src.function_of(slot.node)
    holder = src.parents.get(src.parents.get(slot.node, slot.node))
    if slot.kind == "default" and isinstance(holder, Function) and len(list(defaults(holder))) == 1:
        return Slot(slot.node, slot.kind, (*slot.names, holder.name), slot.near, slot.inner)
    if (
        function is None
        or slot.kind == "default"
        or sum(1 for one in every if src.function_of(one.node) is function) > 1
    ):
        return slot
    return Slot(slot.node, slot.kind, (*slot.names, function.name), slot.near, slot.inner)


def _set(about: Asked, masked: str, said: list[str], names: list[Item], item: Item, known: list[str]) -> Iterator[Made]:
    src, value = about.order.src, item.value
    if value is None:
        return
    if value.unit and literals.UNITS[value.unit][0] == "time" and re.search(r"\b(?:every|once)\b", about.text, re.I):
        return  # how often: not every value that has a measure of time is for that
    number, new = value.number, value.source
    wanted: tuple[type, ...] = (
        (int, float) if number is not None else (str,) if value.is_text else (bool,) if new in ("True", "False") else ()
    )
    found = _asked_slots(about, wanted) if wanted else []
    if wanted == (int, float):
        found = [slot for slot in found if not is_factor(src, slot)]
    if number is not None or value.is_text:
        found += [
            slot for slot in _asked_slots(about, (type(None),)) if slot.kind in ("assigned", "default", "keyword")
        ]
    if names:
        found += [slot for slot in _bound(about, names) if slot.node not in {one.node for one in found}]
    counts = [word for word in said if stem(word) in _COUNTED] if number is not None else []
    unit = [word for word in said if stem(word) in ("second", "minut", "hour", "day", "mb", "kb")] if value.unit else []
    rest = [word for word in said if word not in unit and (word not in counts or len(said) == 1)]
    steps = _STEPS.search(masked) is not None
    measured = [
        slot for slot in found if value.unit and unit_of(slot) and literals.in_unit(value, unit_of(slot)) is not None
    ]
    fits = _fitting(measured, rest, names, _nouns(masked), steps=steps) or _fitting(
        found, rest, names, _nouns(masked), steps=steps
    )
    if number is not None and not _GIVES.search(masked):
        fits = [one for one in fits if one[0].kind != "return"]
    if value.is_text and len(fits) > 1:
        fits = [one for one in fits if one[0].kind != "compare"] or fits
    if "default" in known or "defaults" in known:
        fits = [one for one in fits if one[0].kind == "default"] or fits
    if not fits and _SETTING.search(masked) and not value.unit:
        fits = _fitting(_called_so(about, masked), said, names, _nouns(masked))
    if (
        not fits
        and not set(said) - {"message", "text", "string", "wording", "number"}
        and not names
        and about.last - about.first == 1
    ):
        fits = [(slot, []) for slot in _all_slots(about, wanted)] if wanted else []
        fits = fits if len(fits) == 1 else []
    if not fits or len(fits) > 3 or len(said) - len(unit) - len(counts) - len(fits[0][1]) > 1:
        return
    for slot, words_that_fit in fits:
        if isinstance(slot.node, ast.List | ast.Tuple | ast.Set | ast.Dict) and new[0] not in "[({s" and new != "None":
            continue
        new_text = written(src.segment(slot.node), value, slot)
        if new_text is None or src.segment(slot.node) == new_text:
            continue
        if value.is_text and _is_codec(new) != _is_codec(src.segment(slot.node)) and "open" in slot.names:
            continue  # that is the mode
        old = literals.as_number(src.segment(slot.node))
        if number is not None and old is not None and literals.as_value(new_text) == old:
            continue
        after = literals.as_number(new_text)
        if (
            old is not None
            and after is not None
            and ((_UP.search(masked) and after < old) or (_DOWN.search(masked) and after > old))
        ):
            continue
        yield Made(
            ((*src.span(slot.node), new_text),),
            (*words_that_fit, *known, *counts, *unit, *(one.said for one in names), item.said, item.source),
        )


def _is_codec(source: str) -> bool:
    return re.search(r"utf|latin|ascii|cp\d|iso", source, re.I) is not None


_GIVES = re.compile(r"\b(?:returns?|gives?|gets?|worth|costs?|be|is|pick|back|answers?|make|set|change)\b|->", re.I)
_SETTING = re.compile(r"\b(?:set|init\w*|assign|put|let|make|should be|must be|start)\b", re.I)


def _called_so(about: Asked, masked: str) -> list[Slot]:
    """What a plain word that is the name of one variable is given."""
    said = set(re.findall(r"[^\W\d]\w*", re.sub(ITEM, " ", masked)))
    src = about.order.src
    nodes = [node for node in src.nodes if isinstance(node, ast.Assign) and about.inside(node.lineno)]
    found = [
        node
        for node in nodes
        if len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Name | ast.Attribute | ast.Subscript | ast.Constant)
        and node.targets[0].id in said
        and len(node.targets[0].id) > 2
    ]
    return [slot_of(src, found[0].value)] if len(found) == 1 else []


def _bound(about: Asked, names: Sequence[Item]) -> Iterator[Slot]:
    """Any value that a spelled name is given."""
    spelled = {re.sub(r"^[\"'`]|[\"'`]$|\(\)$", "", item.source) for item in names}
    src = about.order.src
    for node in src.nodes:
        if not about.inside(getattr(node, "lineno", -1)):
            continue
        for name, value in _bindings(src, node):
            if name in spelled or name.rpartition(".")[2] in spelled:
                yield slot_of(src, value)


def _bindings(src: Source, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names that a node gives a value, and the values."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        yield src.segment(node.targets[0]), node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield src.segment(node.target), node.value
    elif isinstance(node, ast.keyword):
        yield node.arg or "", node.value
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from ((one.arg, default) for one, default in defaults(node))


def _scaled(about: Asked, said: list[str], names: list[Item], how: Relative, known: list[str]) -> Iterator[Made]:
    src = about.order.src
    told = {word for piece in how.said for word in words(piece)} | {
        "large",
        "as",
        "size",
        "times",
        "x",
        "add",
        "subtract",
        "value",
    }
    rest = [word for word in said if word not in told]
    found = [
        slot for slot in _asked_slots(about, (int, float)) if not isinstance(src.parents.get(slot.node), ast.BinOp)
    ]
    fits = _fitting(found, rest, names, known)
    if not fits or len(fits) > 3 or len(rest) - len(fits[0][1]) > 0:
        return
    for slot, words_that_fit in fits:
        old = src.segment(slot.node)
        number = literals.as_number(old)
        if number is None or (number == 0 and how.factor != 1):
            continue
        new = number * how.factor + how.plus
        if isinstance(number, int) and new != int(new):
            continue
        new_text = in_manner_of(old, literals.plain(new) if isinstance(number, int) else repr(round(new, 10)))
        yield Made(
            ((*src.span(slot.node), new_text),),
            (*words_that_fit, *known, *(one.said for one in names), *how.said, *told),
        )


# -- flags ---------------------------------------------------------------------------------------------------------------

_ON = re.compile(
    r"\b(?:enable|enabled|(?:turn|switch|turned|switched)(?: \S+){0,3}? on|on$|activate|activated|be on)\b", re.I
)
_OFF = re.compile(
    r"\b(?:disable|disabled|(?:turn|switch|turned|switched)(?: \S+){0,3}? off|off$|deactivate|deactivated|be off)\b",
    re.I,
)
_FLIP = re.compile(r"\b(?:flip|toggle|invert|negate|the other (?:value|way))\b", re.I)


def _flag(masked: str, values: list[Item]) -> str | None:
    flags = [item for item in values if item.source in ("True", "False")]
    if flags:
        return None
    if any(item.value and item.value.number is not None for item in values):
        return None
    on, off = _ON.search(masked), _OFF.search(masked)
    if bool(on) != bool(off):
        return "True" if on else "False"
    return "flip" if _FLIP.search(masked) and not on else None


def _flagged(about: Asked, said: list[str], names: list[Item], flag: str, known: list[str]) -> Iterator[Made]:
    src = about.order.src
    told = {"activate", "activated", "deactivate", "deactivated", "invert", "negate", "turned", "switched", "mode"}
    rest = [word for word in said if word not in told]
    fits = _fitting(_asked_slots(about, bool), rest, names)
    if not fits or len(fits) > 3 or len(rest) - len(fits[0][1]) > 0:
        return
    for slot, words_that_fit in fits:
        old = src.segment(slot.node)
        new = flag if flag != "flip" else "False" if old == "True" else "True"
        if old != new:
            yield Made(((*src.span(slot.node), new),), (*words_that_fit, *known, *told, *(one.said for one in names)))


RULES = (Rule(_TRIGGER, _edits),)
