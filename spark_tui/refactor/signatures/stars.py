"""Stars in the head of a function: parameters that are given by name only, `*args` and `**kwargs`.

Comes in: orders. Goes out: edits of heads, and of the calls that are shown. Must not know: how plain they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import Head, added, call_list, calls_of, place_in_call
from spark_tui.refactor.signatures.parameters import heads
from spark_tui.refactor.signatures.talk import accounted, mended, mentions
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Source

_NAME_WORDS = NOISE | frozenset(
    words(
        "make made keyword only kw_only keywordonly kw named name by be should must force turn into given passed everything all rest others after behind every caller callers call calls pass to put star bare add in front before"
    )
)
_ONLY = re.compile(
    r"\b(?:keyword|kw|kwarg|name|named)[- _]?only\b|\bonly\b.{0,20}\bby (?:name|keyword)\b|\bby (?:name|keyword) only\b|\bbare (?:star|\*)",
    re.I,
)
_MORE = re.compile(
    r"\b(?:new|another|extra|additional|with default|defaulting|remove|drop|not|positional[- ]only)\b", re.I
)


def keyword_only(order: Order) -> Iterator[Edit]:
    for aim, of in heads(order, least=1):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, _NAME_WORDS, order.identifiers)
        if (
            not _ONLY.search(text)
            or _MORE.search(text)
            or any(item.kind in ("keyword", "args", "mark") for item in of.items)
        ):
            continue
        own = [at for at, item in enumerate(of.items) if item.kind == "positional" and not (of.bound and at == 0)]
        if re.search(r"\b(?:after|behind)\b", text) and len(said) == 1:
            moved = [at for at in own if at > said[0]]
        else:
            moved = [at for at in said if at in own] or (
                own
                if re.search(r"\ball\b|\beverything\b|\b(?:params|parameters|arguments|args)\b", text, re.I)
                and not said
                else []
            )
        if not moved or (said and not all(at in own for at in said)):
            continue
        changes = _by_name(order.src, of, moved, own)
        if changes is None:
            continue
        used = [names[at] for at in (*said, *moved)]
        taken = [aim.text[one.start : one.end] for one in mentions(aim.text, used)]
        yield aim.edit(changes, *used, *taken, *accounted(aim.text, _NAME_WORDS))


def _by_name(src: Source, of: Head, moved: list[int], own: list[int]) -> list[Change] | None:
    """A star in front of those, which are the last ones; else they go there."""
    spans = of.listed.spans
    changes: list[Change] = []
    if moved == own[-len(moved) :]:
        changes.append(added(src.text, of.listed, moved[0], "*"))
    else:
        rest = [at for at in own if at not in moved]
        pieces = [src.text[slice(*spans[at])] for at in rest]
        pieces += [f"*, {src.text[slice(*spans[moved[0]])]}", *(src.text[slice(*spans[at])] for at in moved[1:])]
        changes += [
            (*spans[at], piece) for at, piece in zip(own, pieces, strict=True) if src.text[slice(*spans[at])] != piece
        ]
    for call in calls_of(src, of.function):
        listed = call_list(src, call)
        for at in moved:
            place = place_in_call(src, of, call, of.items[at].name)
            if place is None or listed is None or place >= len(call.args):
                continue
            later = range(place, len(call.args))
            given = {place_in_call(src, of, call, of.items[one].name) for one in moved}
            if any(one not in given for one in later):
                return None
            start = listed.spans[place][0]
            changes.append((start, start, f"{of.items[at].name}="))
    return changes


_STAR_WORDS = NOISE | frozenset(
    words(
        "add take takes taking accept accepts let should give also arbitrary any extra more keyword arguments args kwargs positional variadic support allow and pass them on through to with receive put variable number other further"
    )
)


def add_stars(order: Order) -> Iterator[Edit]:
    for aim, of in heads(order):
        text = mended(aim.text, _STAR_WORDS, order.identifiers)
        kinds = [item.kind for item in of.items]
        wanted = []
        if (
            re.search(r"(?<!\*)\*\w*args\b|\b(?:arbitrary|any|variable|variadic)\b.{0,30}\bpositional\b", text)
            and "args" not in kinds
            and "keyword" not in kinds
        ):
            wanted.append("args")
        if (
            re.search(r"\*\*\w*\b|\b(?:arbitrary|any|extra|further|other)\b.{0,20}\bkeyword (?:arg\w*)\b", text)
            and "kwargs" not in kinds
        ):
            wanted.append("kwargs")
        if not wanted or re.search(
            r"\b(?:remove|drop|delete|without|no|replace|unpack|call|instead|rename|strip)\b", text, re.I
        ):
            continue
        if not re.search(r"\b(?:add|take\w*|accept\w*|let|give|should|allow|support|receive)\b", text, re.I):
            continue
        names = {
            kind: (match[1] if (match := re.search(star, text)) else kind)
            for kind, star in (("args", r"(?<!\*)\*(\w+)"), ("kwargs", r"\*\*(\w+)"))
        }
        new = ", ".join(("*" if kind == "args" else "**") + names[kind] for kind in wanted)
        at = kinds.index("kwargs") if "kwargs" in kinds else len(kinds)
        if "mark" in kinds and wanted == ["args"]:
            continue
        yield aim.edit([added(order.src.text, of.listed, at, new)], *names.values(), *accounted(aim.text, _STAR_WORDS))


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"only|bare", re.I), keyword_only),
    Rule(re.compile(r"\*|arbitrary|variadic|\bany\b|extra keyword|further|other keyword", re.I), add_stars),
)
