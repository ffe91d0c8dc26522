"""Claims that there is nothing to do which the words of the order contradict."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import render
from spark_tui.intent.conditions.condition_phrases import alike
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.planning.annotated_results import as_converted
from spark_tui.intent.planning.executing import Outcome
from spark_tui.intent.planning.words_unheard import CLAUSE, RARELY, SCOPES, denials, table_words
from spark_tui.intent.reading.word_counts import log_odds, said_words, word_counts
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.words import identifier_words

Claim = tuple[float, Refused, Candidate]
_AT_AN_END = ("amend.first", "amend.last")
"""What is said here is about what the last edit wrote, whatever it is called."""
_TWICE = math.log(2.0)
_RIVAL = 0.1
"""The share of the probability of a claim from which the words may decide for another reading: they were read
already, and single words weigh much."""
_LEAST = 0.02
"""The probability from which what a reading names may be meant."""
_NAME = re.compile(r"[^\W\d]\w*")


def without_wrong_claims(outcome: Outcome, situation: Situation, order: Order) -> Outcome:
    """The results without wrong claims that there is nothing to do.

    A claim is wrong if it names nothing of the order (`let mypy ignore missing imports` is not done because
    no import is unused), or if the words ask for something else (`stop passing key=id` is not done because it
    is passed), name code that it does not speak of, or deny it."""
    told = situation, order
    kept = [
        one
        for one in outcome.refused
        if one[1].why != "nothing"
        or (
            _holds(one, *told)
            and not any(ask(one, *told) for ask in (_asks_otherwise, _is_denied, _leaves_out_code))
        )
    ]
    return replace(outcome, refused=tuple(kept))


def _leaves_out_code(claim: Claim, situation: Situation, order: Order) -> bool:
    """Whether a claim about nothing that is named does not speak of a word of the code that another reading
    names: `drop the trailing return` is not done because there is no `else`."""
    _, why, candidate = claim
    reading, path = candidate.reading, situation.path
    if path not in situation.repo.index.paths or any(
        map(reading.slots.get, set(reading.slots) - set(SCOPES))
    ):
        return False
    code = set(_NAME.findall(situation.repo.index.text(path) or ""))
    told = set(_NAME.findall(" ".join((why.reason, *map(render, candidate.calls))).lower()))
    others = [one for one in order.readings if one.intent != reading.intent and one.probability >= _LEAST]
    spans = [span for one in others for slot, own in one.slots.items() if slot not in SCOPES for span in own]
    words = {word for span in spans for word in _NAME.findall(span.text)} & code
    return any(not any(alike(word.lower(), one) for one in told) for word in words)


def _asks_otherwise(claim: Claim, situation: Situation, order: Order) -> bool:
    """Whether another reading of the order is twice as likely as the claim, by the reader and by what
    the words outside of slots are said for. A claim likelier than its reading is of another."""
    claimed = claim[2].reading
    text, end = situation.instruction, max(order.end, 1)
    readings = [as_converted(one, text) for one in order.readings]
    own = sum(one.probability for one in readings if one.intent == claimed.intent)
    if not own or claim[0] > own or situation.earlier is not None:
        return False  # the words are counted for first messages
    tokens = [one for one in tokenize(text).items if order.start <= one.start < end]
    for other in readings:
        if other.intent == claimed.intent or other.probability < _RIVAL * own:
            continue
        held = [*claimed.spans, *other.spans]
        free = [token for token in tokens if not any(one.start <= token.start < one.end for one in held)]
        odds = sum(log_odds(word, (other.intent,), (claimed.intent,)) for word in said_words(free))
        if odds + math.log(other.probability / own) > _TWICE:
            return True
    return False


def _is_denied(claim: Claim, situation: Situation, order: Order) -> bool:
    """Whether an order denies what is claimed, or goes on with a *but*: `don't cache it`."""
    reading, text = claim[2].reading, situation.instruction
    held = [(span.start, span.end) for span in reading.spans]
    rest = text[max(held, default=(0, order.end))[1] : order.end]
    other = re.search("|".join(table_words("contrasts")), rest, re.IGNORECASE)
    return bool(other or denials(text, order.start, order.end, reading.intent, held))


def _holds(claim: Claim, situation: Situation, order: Order) -> bool:
    """Whether a claim is about something that is named, or each word of the first clause goes with it."""
    _, why, candidate = claim
    reading, counts, text = candidate.reading, word_counts(), situation.instruction
    held = reading.held
    named = any(spans for slot, spans in reading.slots.items() if slot not in SCOPES)
    if named or reading.left_out or reading.intent in _AT_AN_END:
        return True
    ends = re.compile(rf"{CLAUSE.pattern}|{phrases.joining()}", re.I)
    end = ends.search(text, order.start, order.end)
    names = re.findall(r"[^\W\d]\w*", " ".join((why.reason, *map(render, candidate.calls))))
    used = {word for name in names for word in identifier_words(name)}
    idle = {
        *table_words("always_said"),
        *table_words("scope_words"),
        *phrases.words("kinds"),
        *phrases.words("rest"),
    }
    for token in tokenize(text).items:
        inside = order.start <= token.start < (end.start() if end else order.end)
        inside = inside and not any(span.start < token.end and token.start < span.end for span in held)
        if inside and token.kind == "name" and token.text.lower() not in idle:
            low = token.text.lower()
            often = counts.often(reading.intent, low)
            if often is not None and often <= RARELY and not any(alike(low, one) for one in used):
                return False
    return True
