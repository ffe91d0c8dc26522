"""How sure it is that an edit is meant, from what is known of how it was found: a fitted logistic function.

The weights stand in `certainty.toml`, with the limit that `python -m spark_tui.evals.mark_limit` writes.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from keyword import iskeyword

from spark_tui.codemods.registry import render
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.lookup import key, names_of, split_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import Executed, Outcome
from spark_tui.intent.planning.named_line import line_places
from spark_tui.intent.reading.word_counts import OFTEN, is_code, said_words, word_counts
from spark_tui.intent.values.likely.incomplete_readings import line_named, lines_words
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.intent.words.tokens import Token, Tokens, tokenize
from spark_tui.pysource.repository import Repository
from spark_tui.tables import table_beside

_MOST = 4.0
"""Of anything that is counted: what is beyond makes no difference."""
_SPELLING = frozenset(("underscore", "hyphen", "dash", "camel", "snake"))
"""Words that spell a name, which no edit follows."""
_OF_INTENTS = {
    "make_private": _SPELLING,
    "add_slots": ("__dict__", "__init__"),
    "to_enum": ("enum", "strenum", "intenum"),
    "if_to_lookup": ("dict",),
}
"""Names that tell what an intent is."""
_REMARK = re.compile(
    r"(?<![\w.-])(?:[A-Z]{2,8}-\d+|[A-Z]{1,4}\d{3,4}|PEP[ -]?\d+|[Pp]ython \d(?:\.\d+)*|#\d+)(?![\w-])"
    r"|(?:(?<=\s)|\A)\(?\d\d?[.)](?=\s+\S)|(?<![\w.])\d (?=things\b)|(?<!\w)[fF]lake8(?!\w)"
)
"""What no edit follows: the number of a ticket, an item, a PEP or a version of Python, the code of a linter's
rule, and how many things are asked."""
_NEAR = 2
"""How many lines beside an edit a line may be that says where it is."""
_PLACES = ("function", "class", "file", "line")


@dataclass(frozen=True)
class RankedEdit:
    """An edit among all that was tried. `share` is the part of the probability that it has."""

    executed: Executed
    share: float
    second: float
    outcome: Outcome
    readings: Sequence[Reading]
    situation: Situation
    start: int
    end: int
    """The characters of the order in the instruction."""


certainty_table = table_beside(__file__, "certainty.toml")
"""The weights and the limit of `certainty.toml`."""


def certainty(evidence: Mapping[str, float], intent: str) -> float:
    """The probability that an edit with this evidence is meant. Intents that are often misread count less."""
    weights = certainty_table()["weights"]
    evidence = {**evidence, "intent": intent_weight(intent)}
    total = sum(float(weights.get(name, 0.0)) * number for name, number in evidence.items())
    total += float(certainty_table()["offset"])
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def intent_weight(intent: str) -> float:
    """How much less or more is right of an intent than of others."""
    return float(certainty_table()["intents"].get(intent, 0.0))


def evidence(found: RankedEdit) -> dict[str, float]:
    """What speaks for and against an edit, as numbers of about one size."""
    one, outcome = found.executed, found.outcome
    candidate, plan = one.candidate, one.plan
    reading = candidate.reading
    spans = reading.held
    own = _own(tokenize(found.situation.instruction), found.start, found.end)
    lost = [mass for mass, each, _ in outcome.refused if each.why != "nothing"]
    lost += [mass for mass, _, _ in outcome.unbuilt]
    whole = one.mass + sum(lost)
    others = [item.probability for item in found.readings if item.intent != reading.intent]
    changed = sum(edit.new.count("\n") + 1 for edit in plan.edits)
    placed = any(reading.slots.get(slot) for slot in _PLACES) or found.situation.selection is not None
    opinion = word_counts().opinion(
        said_words(item for item in own if not _within(item, spans)), reading.intent
    )
    return {
        "words_margin": opinion.margin,
        "words_unseen": opinion.unseen,
        "words_first": float(opinion.first),
        "share": _odds(found.share),
        "reading": _odds(reading.probability),
        "second": found.second / max(found.share, 1e-6),
        "other_intent": max(others, default=0.0),
        "lost": sum(lost) / max(whole, 1e-9),
        "lost_above": float(any(mass > one.mass for mass in lost)),
        "guessed_place": -math.log(max(min(candidate.weight, 1.0), 0.05)),
        "doubts": _count(len(candidate.doubts)),
        "findings": _count(len(plan.findings)),
        "unfollowed": _count(len(plan.unfollowed)),
        "unexplained": _count(len(left_over(one, found.situation, found.start, found.end))),
        "words_left": _count(sum(_is_word(item) and not _within(item, spans) for item in own) / 6),
        "unused": _count(sum(not _is_used(span, one) for span in spans)),
        "repeated": _count(_repeated(reading)),
        "length": math.log(1 + len(own)) - 2,
        "unplaced": float(not placed),
        "no_slots": float(not spans),
        "changed": math.log(1 + changed) - 1,
        "files": _count(len(plan.paths) - 1),
        "more_calls": float(len(one.calls) > len(candidate.calls)),
        "several_calls": float(len(candidate.calls) > 1),
        "everywhere": float(reading.everywhere),
        "renamed_first": float(_new_first(reading)),
        "amends": float(candidate.from_before),
    }


def left_over(executed: Executed, situation: Situation, start: int, end: int) -> list[Token]:
    """What is named in the order from `start` to `end` and has no part in an edit."""
    tokens = tokenize(situation.instruction)
    spans, touched = executed.candidate.reading.held, _touched(executed, situation)
    left = list(unexplained(tokens, _own(tokens, start, end), spans, executed.plan.paths, touched))
    lines = _lines_near(executed, situation) if left else []
    return [token for token in left if not any(low <= token.start < high for low, high in lines)]


def _lines_near(executed: Executed, situation: Situation) -> list[tuple[int, int]]:
    """The characters that name lines which the edit is made at, or next to."""
    text = _base(executed, situation).index.text(situation.path) or ""
    edits = [edit for edit in executed.plan.edits if edit.path == situation.path]
    changed = [(text.count("\n", 0, edit.start) + 1, text.count("\n", 0, edit.end) + 1) for edit in edits]

    def is_near(number: int) -> bool:
        return any(low - _NEAR <= number <= high + _NEAR for low, high in changed)

    found = re.finditer(lines_words(), situation.instruction, re.IGNORECASE)
    return [item.span() for item in found if all(is_near(int(one)) for one in re.findall(r"\d+", item[0]))]


def _own(tokens: Tokens, start: int, end: int) -> list[Token]:
    return [item for item in tokens.items if start <= item.start and item.end <= max(end, 1)]


def find_overlooked(found: RankedEdit, heard: Sequence[tuple[int, int]]) -> str:
    """The first name, number or quoted piece of the order, outside of what is `heard`, that the edit does
    nothing with; empty for none."""
    reading = found.executed.candidate.reading
    own = _own(tokenize(found.situation.instruction), found.start, found.end)
    own = [item for item in own if not any(low <= item.start < high for low, high in heard)]
    fields = (item for item in own if _is_field(item, found))
    if reading.intent == "fix_error":
        return next((item.text for item in fields), "")  # an error says more than its fix takes up
    spelled = _OF_INTENTS.get(reading.intent, ())
    every = left_over(found.executed, found.situation, found.start, found.end)
    every = [item for item in every if not any(low <= item.start < high for low, high in heard)]
    if reading.intent.startswith("pattern."):  # *count += 1 is nicer* shows what it becomes
        written = {one for edit in found.executed.plan.edits for one in re.findall(r"\w+", edit.new)}
        every = [item for item in every if not item.text.isdigit() or item.text not in written]
    left = chain((item for item in every if item.text.lower() not in spelled), fields)
    return next((item.text for item in left if not _is_line(item, found)), "")


def _is_line(token: Token, found: RankedEdit) -> bool:
    """Whether a number is the line that the edit is made at."""
    line = line_named(found.situation.instruction)
    if line is None or not line[1] <= token.start < line[2]:
        return False
    return any(place.first <= line[0] <= place.last for place in line_places(found.executed.calls))


def _is_verb(token: Token, found: RankedEdit) -> bool:
    """Whether a word in front of all slots is often said for the intent: *add a docstring* to a class with
    a method `add`."""
    reading = found.executed.candidate.reading
    said = word_counts().often(reading.intent, token.text) or 0
    return said >= OFTEN and all(token.end <= span.start for span in reading.held)


def _is_field(token: Token, found: RankedEdit) -> bool:
    """Whether a word is an attribute of the class that the edit is of, and no call says it."""
    calls = found.executed.calls
    targets = [item for item in (getattr(call, "target", None) for call in calls) if isinstance(item, Symbol)]
    wanted = [f"{target.name}.{token.text}" for target in targets if token.kind == "name"]
    names = names_of(found.situation.repo, found.situation.path)
    known = [
        item.qualname for target in targets for item in names.in_file(target.path).get(key(token.text), ())
    ]
    if not any(item in known for item in wanted) or token.text in " ".join(map(render, calls)):
        return False
    gone = re.findall(r"[^\W\d]\w*", code_gone(found.executed, found.situation))
    return token.text not in (*gone, *_around(found.executed, found.situation)) and not _is_verb(token, found)


def _repeated(reading: Reading) -> int:
    """How many slots name several things, unless they come in pairs: `a to 1 and b to 2`."""
    counts = [len({item.text for item in own}) for own in reading.slots.values()]
    several = [count for count in counts if count > 1]
    return 0 if len(several) > 1 and len(set(several)) == 1 else len(several)


def _new_first(reading: Reading) -> bool:
    """Whether a new name stands in front of what it is for."""
    old, new = reading.slots.get("symbol", ()), reading.slots.get("new", ())
    return bool(old and new) and new[0].end <= old[0].start


def _touched(executed: Executed, situation: Situation) -> frozenset[str]:
    """The names in the code that an edit takes away or writes."""
    shown = " ".join((code_gone(executed, situation), *(edit.new for edit in executed.plan.edits)))
    return frozenset((*re.findall(r"[^\W\d]\w*", shown), *_around(executed, situation)))


def _around(executed: Executed, situation: Situation) -> Iterator[str]:
    """The names of the functions and classes that an edit is inside of."""
    index, plan = _base(executed, situation).index, executed.plan
    for path in (path for path in plan.paths if path in index.paths):
        source = index.source(path)
        edits = sorted((edit.start, edit.end) for edit in plan.edits if edit.path == path)
        lines = [source.line_number(start) for start, _ in edits]
        for node in source.definitions:
            for start, end in edits[bisect_left(lines, node.lineno) :]:
                if source.line_number(end) > (node.end_lineno or 0) + 1:
                    break
                low, high = source.span(node)
                if low <= start and end <= high + 1:
                    yield node.name
                    break


def _base(executed: Executed, situation: Situation) -> Repository:
    """What an edit is made of: the repository, or that before the earlier answer."""
    return (situation.before if executed.candidate.from_before else None) or situation.repo


def code_gone(executed: Executed, situation: Situation) -> str:
    """The code that an edit takes away."""
    index, edits = _base(executed, situation).index, executed.plan.edits
    return " ".join((index.text(edit.path) or "")[edit.start : edit.end] for edit in edits)


def unexplained(
    tokens: Tokens,
    own: Sequence[Token],
    spans: Sequence[Span],
    changed: Sequence[str] = (),
    touched: frozenset[str] = frozenset(),
) -> Iterator[Token]:
    """Quoted pieces, numbers, names of code, and files that are not `changed`, in an order that no slot
    holds: what was overlooked. A piece of code is not if the edit has `touched` what it names."""
    pieces = set()
    words = {span.text.strip("`'\"").lower() for span in spans}
    remarks = [found.span() for found in _REMARK.finditer(tokens.text)]
    for token in own:
        if _within(token, spans) or token.kind == "quote":
            continue
        if any(start <= token.start and token.end <= end for start, end in remarks):
            continue
        if token.kind == "path" and any(f"/{path}".endswith(f"/{token.text}") for path in changed):
            continue
        if token.inside >= 0:
            piece = tokens.quoted[token.inside]
            inside = [each for each in own if each.inside == token.inside]
            held = any(_within(each, spans) for each in inside)
            if held and (token.kind == "sign" or iskeyword(token.text)):
                continue  # the brackets of `load()`
            if held and touched.issuperset(token.text.split(".")):
                continue  # `log.error("late")`, of which a slot holds the text
            if not held and touched & {name for each in inside for name in each.text.split(".")}:
                continue  # `Optional[X]`, of which there is none any more
            text = tokens.text[piece.inner_start : piece.inner_end].lower()
            if token.inside not in pieces and text not in words:
                pieces.add(token.inside)
                yield token
        elif touched.issuperset(token.text.split(".")):
            continue  # `logger.error("late")` without quotes
        elif token.text.lower() in _SPELLING or (token.text.lower() not in words and _is_telling(token)):
            yield token


def _is_telling(token: Token) -> bool:
    return token.kind in ("number", "path") or is_code(token)


def _within(token: Token, spans: Sequence[Span]) -> bool:
    return any(span.start < token.end and token.start < span.end for span in spans)


def _is_word(token: Token) -> bool:
    return token.kind in ("name", "ideograph")


def _is_used(span: Span, executed: Executed) -> bool:
    """Whether the words of a span stand in the calls or in what they write."""
    words = split_name(span.text)
    if not words:
        return span.text.strip("`'\"") in _written(executed)
    shown = "".join(split_name(_written(executed)))
    return all(word in shown for word in words)


def _written(executed: Executed) -> str:
    calls = " ".join(render(call) for call in executed.calls)
    return calls + " " + " ".join(edit.new for edit in executed.plan.edits)[:4000]


def _odds(share: float) -> float:
    """The logarithm of the odds, from about -4 to 4."""
    share = min(max(share, 0.02), 0.98)
    return math.log(share / (1 - share))


def _count(number: float) -> float:
    return min(float(number), _MOST)
