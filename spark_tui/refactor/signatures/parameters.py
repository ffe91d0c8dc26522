"""Parameters that go, and parameters that change places.

Comes in: orders. Goes out: edits of heads, and of the calls that are shown. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import (
    Head,
    call_list,
    calls_of,
    head,
    place_in_call,
    removed,
    reordered,
    shift,
)
from spark_tui.refactor.signatures.talk import (
    Aim,
    accounted,
    aims,
    as_function,
    functions,
    mended,
    mentions,
    plain_words,
)
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Definition, Source, parameters

_REMOVE = frozenset(
    words("""remove removed removing drop dropped delete deleted strip lose kill cut ditch kick gone rid take out off erase nuke eliminate clean
    unused unneeded unnecessary superfluous redundant dead without used needed needs need looks reads read touches touched does looked useless obsolete purge scrap
    nothing none longer""")
)
_GO = re.compile(
    r"\b(?:remov\w*|drop\w*|delet\w*|strip\w*|lose|kill|cut|ditch|kick\w*|get rid|rid|take (?:\S+ ){0,3}out|take out|erase|nuke|scrap|purge|eliminat\w*|unused|dead|without|gone|go away|has to go|must go|un-?needed|superfluous|redundant|useless|obsolete"
    r"|never (?:used|looks?|reads?|needed)|not (?:used|needed|now)|no longer|used to need|isn'?t (?:used|needed)|doesn'?t (?:use|need|read)|nothing in \S+ reads)\b|\bno\b(?= \W?Ƥ)|\bno\b(?= (?:more )?Ƥ)",
    re.I,
)
_MAYBE_GO = re.compile(
    r"\b(?:re?mov|dro?p|de?let|stri|los|kill|nuk|cut|ditch|kick|rid|out|eras|scrap|purg|elim|un-?us|dead|without|gon|go|un-?need|super|redun|useles|obsol|never|not|no|longer|used|isn|does|nothing)",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:default|annotation|annotations|hints?|typed?|types|decorator|docstring|comment|rename|print|import|raise|return|check|loop|call only|calls? to|assert|await|async|self\.\w+|attribute|field|method Ƥ|global|dataclass|log\w*|keyword[- ]only|star|required|optional|swap|order|reorder)\b",
    re.I,
)
_CALLS = frozenset(
    words(
        "calls call callers caller everywhere usages usage uses including update adapt pass passes passing passed site sites demo main accordingly"
    )
)


def remove_parameter(order: Order) -> Iterator[Edit]:
    vocabulary = _REMOVE | NOISE | _CALLS
    for aim, of in heads(order, least=1):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, vocabulary, order.identifiers)
        if not _GO.search(text) or _OTHER.search(text):
            continue
        if not said:
            said = numbered(text, of)
        if len(said) != 1 or (of.bound and said[0] == 0):
            continue
        name = names[said[0]]
        if of.items[said[0]].arg is None or used_inside(of, name):
            continue
        changes = remove_at(order.src, of, said[0])
        if changes is not None:
            yield aim.edit(changes, name, *_words_of(aim, name), *accounted(aim.text, vocabulary), *_ORDINALS)


_ORDINALS = ("first", "second", "third", "fourth", "last", "1st", "2nd", "3rd", "4th")


def heads(order: Order, *, least: int = 0, text: str | None = None) -> Iterator[tuple[Aim, Head]]:
    """The heads of the functions that may be meant; of none that is named, those that have a parameter that is said."""

    def fits(node: Definition) -> bool:
        return len(parameters(as_function(node))) >= least

    found = aims(order, functions(order), fits if least else None, text)
    if len(found) > 1:
        text = plain_words(order) if text is None else text
        with_it = [
            aim
            for aim in found
            if any(
                one.sure >= 2 or len(one.name) > 3
                for one in mentions(text, [p.arg for p in parameters(as_function(aim.node))])
            )
        ]
        found = with_it or found
    for aim in found[:6]:
        of = head(order.src, as_function(aim.node))
        if of is not None:
            yield aim, of


def numbered(text: str, of: Head) -> list[int]:
    """*the second argument*."""
    match = re.search(r"\b(first|1st|second|2nd|third|3rd|fourth|4th|last)\b(?: \w+)? (?:param|arg)", text, re.I)
    places = [at for at, item in enumerate(of.items) if item.arg is not None and not (of.bound and at == 0)]
    if match is None or not places:
        return []
    which = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}[
        match[1].lower()
    ]
    return [places[which]] if which < len(places) else []


def _words_of(aim: Aim, *names: str) -> list[str]:
    """What of the order was taken as these names."""
    return [aim.text[one.start : one.end] for one in mentions(aim.text, names)]


def used_inside(of: Head, name: str) -> bool:
    """In the body, or in other functions' heads inside it."""
    return any(isinstance(node, ast.Name) and node.id == name for one in of.function.body for node in ast.walk(one))


def remove_at(src: Source, of: Head, at: int) -> list[Change] | None:
    """Out of the head and of the calls; None where a call cannot be told."""
    item = of.items[at]
    changes: list[Change] = []
    spans = of.listed.spans
    before = of.items[at - 1] if at else None
    lone = before is not None and before.kind == "mark" and src.text[slice(*spans[at - 1])] == "*"
    last_keyword = item.kind == "keyword" and sum(one.kind == "keyword" for one in of.items) == 1
    if lone and last_keyword:
        start = spans[at - 2][1] if at > 1 else of.listed.open
        end = spans[at][1] if at > 1 or at + 1 == len(spans) else spans[at + 1][0]
        changes.append((start, end, ""))
    else:
        changes.append(removed(src.text, of.listed, at))
    for call in calls_of(src, of.function):
        place, pieces = place_in_call(src, of, call, item.name), call_list(src, call)
        if any(isinstance(one, ast.Starred) for one in call.args) and item.kind == "positional" and place is None:
            return None
        if place is not None and pieces is not None and place < len(pieces.spans):
            changes.append(removed(src.text, pieces, place))
    return changes


# -- places ----------------------------------------------------------------------------------------------------------

_SWAP_WORDS = frozenset(
    words("""swap swapped switch switched exchange interchange flip reverse reversed turn around other way round wrong opposite order ordered reorder
    before after behind ahead front first second come comes stand move moved supposed then places place positions position put goes follow follows precede both two sequence instead rather
    mixed last end beginning start""")
)
_SWAP = re.compile(
    r"\b(?:swap\w*|switch\w*|exchange|interchange|flip|revers\w*|turn\w*(?: \S+){0,6} around|other way (?:a)?round|wrong(?: \w+)? order|opposite|mixed up|trade places)\b",
    re.I,
)
_BEFORE = re.compile(r"Ƥ(\d+) .{0,60}?\b(?:before|ahead of|in front of|precedes?)\b.{0,40}?Ƥ(\d+) ", re.I)
_AFTER = re.compile(r"Ƥ(\d+) .{0,60}?\b(?:after|behind|follows?)\b.{0,40}?Ƥ(\d+) ", re.I)
_LISTED = re.compile(r"Ƥ(\d+) \s*(?:,|then|and then|;|->)\s*(?:and |then )?(?=Ƥ)", re.I)
_ORDER = re.compile(
    r"\b(?:order|reorder|re-?order|sequence|signature|then|first|parameters|params|arguments|args)\b", re.I
)


def swap_parameters(order: Order) -> Iterator[Edit]:
    vocabulary = _SWAP_WORDS | NOISE | _CALLS
    for aim, of in heads(order, least=2):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, vocabulary, order.identifiers)
        if re.search(
            r"\b(?:default|annotat\w*|hints?|types?|rename|add|call(?:s)? (?:to|of)|remove|drop|argument types)\b",
            text,
            re.I,
        ):
            continue
        wanted = _wanted(text, said, of)
        if wanted is None or wanted == list(range(len(names))):
            continue
        changes = reordered(order.src.text, of.listed, wanted)
        changes += _calls_reordered(order.src, of, wanted)
        used = [*names, *_words_of(aim, *names)] if said else []
        yield aim.edit(changes, *used, *accounted(aim.text, vocabulary))


def _wanted(text: str, said: Sequence[int], of: Head) -> list[int] | None:
    """The order of pieces that is asked for."""
    count = len(of.items)
    own = [at for at, item in enumerate(of.items) if item.kind == "positional" and not (of.bound and at == 0)]
    swap = _SWAP.search(text)
    if not said and swap and len(own) == 2 and re.search(r"\b(?:param|arg|them)", text, re.I):
        return _swapped(count, *own)
    if any(at not in own for at in said):
        return None
    before, after = _BEFORE.search(text), _AFTER.search(text)
    if len(said) == 2:
        a, b = said
        if swap:
            return _swapped(count, a, b)
        if before or after:
            match = before or after
            assert match is not None
            one, two = int(match[1]), int(match[2])
            front, back = (one, two) if before else (two, one)
            return _moved(count, front, back, after=bool(after)) if front > back else None
        if _LISTED.search(text) and _ORDER.search(text):
            return _swapped(count, a, b) if a > b and len(own) >= 2 and abs(a - b) == 1 else None
        return None
    if (
        len(said) == 1
        and (swap is None)
        and re.search(
            r"\bƤ\d+ .*\b(?:first|front|beginning|start)\b|\b(?:move|put|make)\b.*Ƥ\d+ .*\b(?:first|front|beginning|last|end)\b",
            text,
            re.I,
        )
    ):
        target = own[-1] if re.search(r"\b(?:last|end)\b", text, re.I) else own[0]
        rest = [at for at in range(count) if at != said[0]]
        rest.insert(target, said[0])
        return rest if target != said[0] else None
    if len(said) > 2 and sorted(said) == own and _ORDER.search(text):
        wanted = list(range(count))
        for place, at in zip(own, said, strict=True):
            wanted[place] = at
        return wanted
    return None


def _swapped(count: int, a: int, b: int) -> list[int]:
    out = list(range(count))
    out[a], out[b] = b, a
    return out


def _moved(count: int, front: int, back: int, *, after: bool) -> list[int]:
    """`front` stands behind `back` and has to stand before it; the one that was said first moves."""
    out = list(range(count))
    if after:
        out.remove(back)
        out.insert(out.index(front) + 1, back)
    else:
        out.remove(front)
        out.insert(out.index(back), front)
    return out


def _calls_reordered(src: Source, of: Head, wanted: Sequence[int]) -> Iterable[Change]:
    for call in calls_of(src, of.function):
        pieces = call_list(src, call)
        if pieces is None or any(isinstance(one, ast.Starred) for one in call.args):
            continue
        less, given = shift(src, of, call), len(call.args)
        places = [old - less for new, old in enumerate(wanted) if less <= new < less + given]
        if sorted(places) == list(range(given)):
            spans = pieces.spans
            yield from reordered(src.text, pieces, [*places, *range(given, len(spans))])


RULES: tuple[Rule, ...] = (
    Rule(_MAYBE_GO, remove_parameter),
    Rule(
        re.compile(
            r"\b(?:swap|switch|exchang|interchang|flip|revers|turn|other way|wrong|opposite|before|after|behind|order|first|last|then|front|reorder|around|ahead|end)",
            re.I,
        ),
        swap_parameters,
    ),
)
