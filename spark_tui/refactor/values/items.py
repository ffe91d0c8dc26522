"""Items of lists, tuples, sets and dicts: *add "gif" to the allowed extensions*, *drop `x` from `__all__`*.

Comes in: an `Order`. Goes out: edits of one container each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source
from spark_tui.refactor.values.asked import ITEM, Asked, Item, asked
from spark_tui.refactor.values.layout import Container, brackets, elements, put_in, take_out
from spark_tui.refactor.values.slots import Slot, slot_of
from spark_tui.refactor.values.written import in_quotes_of

_ADD = re.compile(
    r"\b(?:add|append|include|insert|put|extend|register|missing|missed|allow|accept|new entry|another one|should be (?:one of|in|part of)|needs?|lacks?|also want|has no|there is no|also|support|plus|new)\b|\+",
    re.I,
)
_TAKE = re.compile(
    r"\b(?:remove|drop|delete|take out|take|strip|get rid of|lose|pull|kick|throw out|no|without|not be in|should not|must not|shouldn'?t|mustn'?t|not needed|too many|too much|is wrong|stays? but|unneeded|exclude|no longer|doesn'?t belong)\b",
    re.I,
)
SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "add append include insert put extend register missing allow allowed accept accepted new entry entries another one should be in of part needs need also want has have no there it to the and as with key value under set list tuple dict dictionary set array item items element elements remove drop delete take out strip get rid lose pull kick throw without must not needed too many mnay much wrong everything stays but longer belong variable var plus more too from is part so word words name names string strings existing end may can we support exclude them both all member members values keys one's around line lines about",
    )
)
_CHANGES = re.compile(
    r"\b(?:argument|parameter|param|keyword|import|method|function|class|field|attribute|print|log|docstring|comment|decorator|default|if|when|raise|return|call|line|statement|check|test|hint|annotation|flag|option|route)\b",
    re.I,
)
_PAIR = re.compile(r"^\s*(?P<key>\"[^\"]*\"|'[^']*'|[\w.]+)\s*:\s*(?P<value>\S.*)$")
_LIST_WORDS = re.compile(
    r"\b(?:add|append|include|insert|put|allow|accept|support|register)\s+(?:also\s+|support for\s+)?(?:the\s+)?(?P<what>(?:\w+\s+)?[\w.+-]+(?:\s*(?:,|and|&|or)\s*[\w.+-]+)*)\s+(?:to|in|into|as)\s+(?P<where>.+)$",
    re.I,
)


def containers(about: Asked) -> list[tuple[Container, Slot]]:
    src = about.order.src
    out = []
    for node in src.nodes:
        made = node
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("set", "frozenset", "tuple", "list")
            and len(node.args) == 1
        ):
            continue  # its argument is seen by itself
        if (
            isinstance(made, ast.List | ast.Tuple | ast.Set | ast.Dict)
            and not isinstance(getattr(made, "ctx", None), ast.Store)
            and brackets(src, made)
        ):
            low, high = src.line_at(src.span(made)[0]), src.line_at(src.span(made)[1])
            if low < about.last and high >= about.first:
                holder = src.parents.get(made)
                call = (
                    isinstance(holder, ast.Call)
                    and isinstance(holder.func, ast.Name)
                    and holder.func.id in ("set", "frozenset", "tuple", "list")
                )
                out.append((made, slot_of(src, holder if call and isinstance(holder, ast.expr) else made)))
    return [(node, slot) for node, slot in out if slot.names]


def _named(
    containers: list[tuple[Container, Slot]], names: Sequence[str], roles: Sequence[str]
) -> list[tuple[Container, list[str]]]:
    """Those that all words and names fit."""
    ranked = []
    for node, slot in containers:
        own = {*slot.names, *(name.rpartition(".")[2] for name in slot.names)}
        if any(name not in own and name.rpartition(".")[2] not in own for name in names):
            continue
        fit = slot.fits(roles, names)
        if fit is None and (roles or names):
            continue
        ranked.append((fit[0] if fit else 0, node, fit[1] if fit else []))
    best = max((one[0] for one in ranked), default=0)
    return [(node, words) for score, node, words in ranked if score == best]


def _split(about: Asked) -> tuple[list[Item], list[str], list[Item]]:
    """Items that may be elements, names of containers, and the items that say those names."""
    bound = {
        name
        for _, slot in containers(about)
        for name in (*slot.names, *(one.rpartition(".")[2] for one in slot.names))
    }
    every = list(about.items)
    names = [item for item in every if item.kind != "value" and item.source in bound]
    if not names:
        quoted = [
            item
            for item in every
            if item.kind == "value"
            and isinstance(literals.as_value(item.source), str)
            and literals.as_value(item.source) in bound
        ]
        if len(every) > 1:
            names = quoted[-1:]
    if len(names) > 1:
        names = (
            names[-1:]
            if re.search(
                r"\b(?:to|in|of|into|from)\W*$",
                about.masked[: about.masked.rindex(f"\u27e6{every.index(names[-1])}\u27e7")],
            )
            else names[:1]
        )
    return [item for item in every if item not in names], [_bare(item) for item in names], names


def _bare(item: Item) -> str:
    value = literals.as_value(item.source)
    return value if isinstance(value, str) else item.source


def _add(order: Order) -> Iterator[Edit]:
    about = asked(order)
    more = _ADD.search(about.masked) or re.search(r"\b(?:also|too|as well)\b", order.instruction, re.I)
    if len(about.text) > 200 or not more or _CHANGES.search(re.sub(ITEM, "", about.masked)):
        return
    things, names, named = _split(about)
    every = containers(about)
    roles, known = about.role_words(about.masked, SAYS_NOTHING)
    loose_words: list[str] = []
    if not things and (match := _LIST_WORDS.search(about.masked)) is not None:
        loose_words = [
            word
            for word in re.split(r"\s*(?:,|\band\b|&|\bor\b)\s*|\s+", match["what"])
            if word and word not in ("the", "a")
        ]
        roles = [
            word
            for word in roles
            if word not in {part.lower() for one in loose_words for part in re.findall(r"\w+", one)}
        ]
    if not things and not loose_words and not names:
        yield from _add_words(about, every)
        return
    if not things and not loose_words:
        return
    found = _named(every, names, roles)
    if len(found) > 3 or not (names or roles):
        return
    for node, fits in found:
        new = _clocks(about, node) or _new_elements(about, node, things, loose_words)
        span = brackets(about.order.src, node)
        if not new or span is None or len(fits) < len(roles) - 1 or of_other_kind(about.order.src, node, new):
            continue
        if not isinstance(node, ast.Dict) and any(
            one in [about.order.src.segment(old) for old in node.elts] for one in new
        ):
            continue
        changes = _in_order(about, node, new) or put_in(
            about.order.src, span, elements(about.order.src, node), new
        )
        yield about.edit(changes, *fits, *known, *(item.said for item in (*things, *named)), *loose_words)


def _clocks(about: Asked, node: Container) -> list[str]:
    """*15:45* among texts is one text, not two numbers."""
    held = [] if isinstance(node, ast.Dict) else node.elts
    if not held or not all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in held):
        return []
    quote = about.order.src.segment(held[0])[-1]
    return [
        f"{quote}{one}{quote}"
        for one in re.findall(r"(?<![\w:.'\"`])\d{1,2}:\d\d(?::\d\d)?(?![\w:'\"`])", about.text)
    ]


def _in_order(about: Asked, node: Container, new: list[str]) -> list[Change]:
    """A time goes where it belongs among times that stand in their order."""
    src = about.order.src
    held = [src.segment(one) for one in node.elts] if not isinstance(node, ast.Dict) else []
    if (
        len(new) != 1
        or not all(re.fullmatch(r"(['\"])\d\d:\d\d\1", one) for one in (*new, *held))
        or held != sorted(held)
    ):
        return []
    later = next((at for at, one in enumerate(held) if one > new[0]), 0)
    if isinstance(node, ast.Dict) or held[later] < new[0] or node.lineno != node.end_lineno:
        return []
    start = src.span(node.elts[later])[0]
    return [(start, start, f"{new[0]}, ")]


def of_other_kind(src: Source, node: Container, new: list[str]) -> bool:
    """Whether codes of one length are held, as of languages, and something new is a longer word."""
    held = [] if isinstance(node, ast.Dict) else [src.segment(one) for one in node.elts]
    sizes = {len(one) for one in held if one[:1] in "\"'"}
    return (
        len(held) > 1
        and len(sizes) == 1
        and max(sizes) <= 4
        and any(one[:1] in "\"'" and len(one) > max(sizes) + 1 for one in new)
    )


def _add_words(about: Asked, containers: list[tuple[Container, Slot]]) -> Iterator[Edit]:
    """*add the words rocket and castle*: the kind of thing is the name of the list."""
    match = re.fullmatch(
        r"(?:add|append|include|put in|insert)\s+(?:also\s+)?(?:the\s+)?(?:new\s+)?(?P<kind>\w+)\s+(?P<what>[\w-]+(?:(?:\s*,\s*|\s+and\s+)[\w-]+)*)(?:\s+too|\s+as well)?",
        about.masked,
        re.I,
    )
    if match is None:
        return
    found = _named(containers, [], [match["kind"]])
    what = re.split(r"\s*,\s*|\s+and\s+", match["what"])
    for node, fits in found if len(found) == 1 else []:
        new = _new_elements(about, node, [], what)
        span = brackets(about.order.src, node)
        if new and span is not None and fits:
            yield about.edit(
                put_in(about.order.src, span, elements(about.order.src, node), new),
                "add",
                *fits,
                *what,
                match[0],
            )


def _new_elements(
    about: Asked, node: Container, things: Sequence[Item], loose_words: Sequence[str]
) -> list[str]:
    """What is put in, as its neighbours are written."""
    src = about.order.src
    if isinstance(node, ast.Dict):
        return _new_pair(about, node, things)
    texts = [one for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    all_text = bool(node.elts) and len(texts) == len(node.elts)
    new = []
    for item in things:
        value = literals.as_value(item.source)
        if isinstance(value, str):
            new.append(
                like(src.segment(texts[0]) if texts else "", value, [one.value for one in texts], item.source)
            )
        elif _PAIR.match(item.source) and not item.source.startswith("lambda"):
            return []
        elif item.kind != "value" and all_text and not _known(about, item.source):
            new.append(in_quotes_of(src.segment(texts[0]), item.source))
        else:
            new.append(item.source)
    if loose_words and all_text:
        new += [like(src.segment(texts[0]), word, [one.value for one in texts], "") for word in loose_words]
    elif loose_words:
        numbers = [literals.literal(word) for word in loose_words]
        new += [one for one in numbers if one is not None] if all(numbers) else []
    return new


def _known(about: Asked, source: str) -> bool:
    return set(re.findall(r"[^\W\d]\w*", source)) <= about.order.identifiers


def like(sample: str, text: str, others: Sequence[object], said: str) -> str:
    """A text in the quotes of the others, and with the dot or slash that all of them begin with."""
    lead = {str(other)[:1] for other in others}
    if (
        not said
        and len(lead) == 1
        and (first := lead.pop()) in "./-#@"
        and first
        and not text.startswith(first)
    ):
        text = first + text
    if not said and others and all(str(other).isupper() for other in others):
        text = text.upper()
    return in_quotes_of(sample, text) if sample else said or f'"{text}"'


def _new_pair(about: Asked, node: ast.Dict, things: Sequence[Item]) -> list[str]:
    key = value = ""
    if len(things) == 1 and things[0].kind != "value":
        match = _PAIR.match(things[0].source)
        if match is not None:
            key, value = match["key"], match["value"]
    elif len(things) == 2:
        first, second = things
        between = about.masked.split(f"\u27e6{about.items.index(first)}\u27e7")[-1].split(
            f"\u27e6{about.items.index(second)}\u27e7"
        )[0]
        key, value = (
            (second.source, first.source)
            if re.search(r"\bunder\b|\bas (?:the )?value (?:of|for)\b|\bfor (?:the )?key\b", between)
            else (first.source, second.source)
        )
    if not key:
        rest = re.search(rf"{ITEM}\s*(?::|=)\s*([^\s:=]+)\s+(?:to|in|into)\b", about.masked)
        if rest is not None and len(things) == 1:
            key, value = things[0].source, rest[2]
    if not key or not value:
        return []
    if (
        node.keys
        and isinstance(literals.as_value(key), str)
        != any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in node.keys)
        and literals.as_value(key) is not ...
    ):
        return []
    keys = [one for one in node.keys if isinstance(one, ast.Constant)]
    text = literals.as_value(key)
    if isinstance(text, str) and keys and isinstance(keys[0].value, str):
        key = in_quotes_of(about.order.src.segment(keys[0]), text)
    if any(isinstance(one.value, str) and one.value == text for one in keys):
        return []
    if isinstance(shown := literals.as_value(value), str):
        texts = [one for one in node.values if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        value = in_quotes_of(
            about.order.src.segment(texts[0])
            if texts
            else about.order.src.segment(keys[0])
            if keys
            else value,
            shown,
        )
    return [f"{key}: {value}"]


def _remove(order: Order) -> Iterator[Edit]:
    about = asked(order)
    if len(about.text) > 200 or not _TAKE.search(about.masked):
        return
    things, names, named = _split(about)
    roles, known = about.role_words(about.masked, SAYS_NOTHING)
    if not things:  # bare words
        held = {
            one.value
            for node, _ in containers(about)
            for one in _keys(node)
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        }
        spoken = [
            word
            for word in re.findall(r"[\w.-]+", re.sub(ITEM, " ", about.masked))
            if word in held or f".{word}" in held
        ]
        things = [Item(repr(word if word in held else f".{word}"), "value", word) for word in spoken]
        roles = [word for word in roles if word not in {one.lower() for one in spoken}]
    if not things:
        return
    src = about.order.src
    ranked = []
    for node, slot in containers(about):
        own = {*slot.names, *(name.rpartition(".")[2] for name in slot.names)}
        if any(name not in own and name.rpartition(".")[2] not in own for name in names):
            continue
        spots = [_index(node, thing) for thing in things]
        if all(spot >= 0 for spot in spots):
            fit = slot.fits(roles, names) or (0, [])
            ranked.append((fit[0], node, spots, fit[1]))
    best = max((one[0] for one in ranked), default=0)
    for _, node, spots, fits in [one for one in ranked if one[0] == best][:3]:
        span = brackets(src, node)
        if span is None or len(spots) != 1 or (not names and not fits):
            continue
        if isinstance(node, ast.Set) and len(node.elts) == 1:
            continue
        changes = take_out(src, span, elements(src, node), spots[0])
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            left = src.segment(node.elts[1 - spots[0]])
            changes = [(*span, f"{left},")]
        yield about.edit(changes, *fits, *known, *(item.said for item in (*things, *named)))


def _keys(node: Container) -> list[ast.expr]:
    return [key for key in node.keys if key is not None] if isinstance(node, ast.Dict) else node.elts


def _index(node: Container, thing: Item) -> int:
    keys = node.keys if isinstance(node, ast.Dict) else node.elts
    value = literals.as_value(thing.source)
    try:
        wanted = ast.dump(parse_code(thing.source.strip(), mode="eval").body)
    except (SyntaxError, ValueError):
        wanted = ""
    for at, key in enumerate(keys):
        if key is None:
            continue
        if isinstance(key, ast.Constant) and (
            key.value == value or (isinstance(key.value, str) and key.value == thing.source)
        ):
            return at
        if wanted and ast.dump(key) == wanted:
            return at
        if isinstance(value, str) and isinstance(key, ast.Name) and key.id == value:
            return at
    return -1


RULES = (Rule(re.compile(rf"{_ADD.pattern}|\b(?:skip|ignore)\b", re.I), _add), Rule(_TAKE, _remove))
