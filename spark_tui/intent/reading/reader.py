"""Reads an instruction: its orders, and for each the intents and slots that it may mean, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from spark_tui.intent.reading.decoding import best_tags, span_of, spans_of, spread
from spark_tui.intent.reading.features import describe_tokens
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.joining_scores import joining_scores
from spark_tui.intent.reading.network import LEFT_OUT, Array, Encoded, Network, log_softmax, read_weights
from spark_tui.intent.reading.shared_places import IT, repeat_elsewhere, subject, without_it
from spark_tui.intent.reading.word_counts import is_code, keep_heard_readings
from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles
from spark_tui.intent.words.spoken_names import join_spoken_names
from spark_tui.intent.words.tokens import Token, Tokens, tokenize

WEIGHTS = Path(__file__).with_name("reader.npz")
MOST_READINGS = 8
MOST_ORDERS = 6
NEAR, MOST_NEAR = 4.5, 4
"""How near to the limit the score of a token is that may begin an order or not; how many such are tried."""
SURE = 5.0
"""How much the logarithms of the probabilities of the readings count beside these scores."""
MOST_DOUBT = 3.5
"""How far below its limit the score of a further beginning may be to be tried where a side is left unread."""
CLEAR = 0.7
"""How sure an order has to be for another one to mean by `it` what that is about."""
MOST_UNSURE = 2
MOST_FIRST = 3
"""How many of the first words of an order are looked at for how likely it begins: a joining word, or one
behind it."""
ALONE = 0.7
"""Of one of several orders, how much counts what is read of it alone. It is mostly single orders that the
reader has learned from."""
LEAST = 12.0
"""Logarithms of probabilities are not told apart below minus this."""
MOST_CHARACTERS = 12_000
"""Of an instruction that is read; what is longer is a pasted text, of which the end is kept, too."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How scores become probabilities, fitted on voices that were kept aside from training.

    `temperature` divides the scores of intents. `slots` weighs the certainty of the slots in the choice among
    readings, `missing` is taken off for each required slot that was not found. `offset` and `slope` turn the
    odds of the slots into the probability that they are right. `split` is the score from which a token
    begins a new order.
    """

    temperature: float = 1.0
    slots: float = 0.1
    missing: float = 0.5
    offset: float = 3.0
    slope: float = 1.0
    split: float = 0.0

    @classmethod
    def from_array(cls, values: Array) -> Calibration:
        return cls(*(float(value) for value in values))

    def as_array(self) -> Array:
        values = (self.temperature, self.slots, self.missing, self.offset, self.slope, self.split)
        return np.array(values, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class IntentCandidate:
    """An intent with its slots before calibration."""

    number: int
    score: float
    slots_score: float
    missing: int
    reading: Reading


class Reader:
    """Reads instructions. It keeps no state between them but vectors of words that it has seen."""

    def __init__(self, network: Network, calibration: Calibration | None = None) -> None:
        self.network = network
        self.calibration = calibration or Calibration()
        self._amends = np.array([intent.amends for intent in network.intents])

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Reader:
        """The reader with the weights of a file, by default those that ship."""
        with np.load(path, allow_pickle=False) as stored:
            trained = [str(name) for name in stored["trained"]]
            calibration = Calibration.from_array(stored["calibration"])
        weights = read_weights(path)
        return cls(Network(weights, tuple(intents().values()), trained), calibration)

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        """The orders of an instruction. `earlier` is the intent that was done before: only behind one are
        there readings that amend it."""
        tokens = join_spoken_names(tokenize(_clipped(instruction)), symbols)
        if not tokens.items:
            return ()
        encoded = self.network.encode(describe_tokens(tokens, symbols), earlier)
        return self._split(tokens, symbols, encoded, earlier)[1]

    def _split(
        self, tokens: Tokens, symbols: SymbolRoles, encoded: Encoded, earlier: str
    ) -> tuple[list[int], tuple[Order, ...]]:
        """Where the orders begin, and the orders: of the ways to split that are likely enough, the one with
        the surest readings."""
        scores = self.network.boundaries(encoded) - np.float32(self.calibration.split)
        scores[0] = -np.inf
        likeliest = np.argsort(-scores, kind="stable")[: MOST_ORDERS - 1].tolist()
        usual = {at for at in likeliest if scores[at] > 0}
        nearest = np.argsort(np.abs(scores), kind="stable")[:MOST_NEAR].tolist()
        doubts = {at: abs(float(scores[at])) for at in nearest if abs(scores[at]) < NEAR}
        changes = [(), *combinations(doubts, 1), *combinations(doubts, 2)]
        best: tuple[list[int], tuple[Order, ...]] = [0], ()
        most = -np.inf
        for cost, change in sorted((sum(doubts[at] for at in item), item) for item in changes):
            starts = [0, *sorted(usual ^ set(change))]
            if -cost <= most:
                break
            if len(starts) > MOST_ORDERS:
                continue
            orders = self._orders(tokens, symbols, encoded, starts, earlier)
            sure = SURE * _sureness(orders) - cost
            if sure > most:
                best, most = (starts, orders), sure
        return best

    def _orders(
        self,
        tokens: Tokens,
        symbols: SymbolRoles,
        encoded: Encoded,
        starts: Sequence[int],
        earlier: str,
    ) -> tuple[Order, ...]:
        """The orders that begin with some tokens. One of several is read in its context and alone, with what
        `it` means in its place; one that says *the same* is the one in front at another place."""
        orders: list[Order] = []
        for first, last in pairwise((*starts, len(encoded))):
            own, alone = replace(tokens, items=tokens.items[first:last]), None
            if len(starts) > 1:
                alone = self.network.encode(describe_tokens(own, symbols), "" if first else earlier)
            found = self.candidates(tokens, encoded, first, last, earlier, alone)
            named = replace(own, items=_with_name(own.items, orders, symbols))
            if named.items != own.items and max(found, key=lambda item: item.score).missing:
                alone = self.network.encode(describe_tokens(named, symbols), "" if first else earlier)
                found, own = self.candidates(named, alone, 0, len(alone), "" if first else earlier), named
            readings = keep_heard_readings(self.rank(found), own.items)
            # What `it` means in a slot is seen from the orders in front.
            readings = tuple(readings if orders else map(without_it, readings))
            start, end = tokens.items[first].start, tokens.items[last - 1].end
            order = Order(start, end, readings)
            again = repeat_elsewhere(order, orders[-1], tokens.text[start:end]) if orders else None
            orders.append(again or order)
        return tuple(orders)

    def split_once_more(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        """The orders of an instruction if one more begins than was read: where the readings are surest, of
        the tokens that are likely enough. None where there is no such token."""
        tokens = join_spoken_names(tokenize(_clipped(instruction)), symbols)
        if len(tokens.items) < 2:
            return ()
        encoded = self.network.encode(describe_tokens(tokens, symbols), earlier)
        starts = self._split(tokens, symbols, encoded, earlier)[0]
        scores = self.network.boundaries(encoded) - np.float32(self.calibration.split)
        scores += np.array(joining_scores(tokens), dtype=np.float32)
        scores[starts] = -np.inf
        scores[[item.inside >= 0 for item in tokens.items]] = -np.inf
        best: tuple[Order, ...] = ()
        most = -np.inf
        for more in np.argsort(-scores, kind="stable")[:MOST_NEAR].tolist():
            if scores[more] <= -MOST_DOUBT or len(starts) == MOST_ORDERS:
                break
            orders = self._orders(tokens, symbols, encoded, sorted((*starts, more)), earlier)
            sure = SURE * _sureness(orders) + float(scores[more])
            if sure > most:
                best, most = orders, sure
        return best

    def score_of_order(
        self, instruction: str, symbols: SymbolRoles, place: tuple[int, int], earlier: str = ""
    ) -> float:
        """How likely an order begins with the first words between two places of an instruction, as log odds:
        above 0 it is read as one."""
        tokens = join_spoken_names(tokenize(_clipped(instruction)), symbols)
        inside = [at for at, item in enumerate(tokens.items) if place[0] <= item.start < place[1]]
        if not inside:
            return -LEAST
        encoded = self.network.encode(describe_tokens(tokens, symbols), earlier)
        return float(self.network.boundaries(encoded)[inside[:MOST_FIRST]].max()) - self.calibration.split

    def candidates(
        self,
        tokens: Tokens,
        encoded: Encoded,
        first: int,
        last: int,
        earlier: str,
        alone: Encoded | None = None,
    ) -> list[IntentCandidate]:
        """The likeliest intents of the tokens `first` to `last`, each with its best slots. `alone` are the
        vectors of these tokens without the others."""
        network = self.network
        scores, broad = network.intent_scores(encoded, first, last)
        if alone is not None:
            others, _ = network.intent_scores(alone, 0, len(alone))
            scores = _mixed(log_softmax(scores), log_softmax(others))
        if not earlier:
            scores = np.where(self._amends, -np.inf, scores)
        best = np.argsort(-scores, kind="stable")[:MOST_READINGS].tolist()
        tables = network.tag_scores(encoded, first, last, best)
        if alone is not None:
            same = network.tag_scores(alone, 0, len(alone), best)
            tables = [_mixed(*both) for both in zip(tables, same, strict=True)]
        found = best_tags(tables)
        texts = [token.text for token in tokens.items[first:last]]
        out = []
        for number, tagged in zip(best, found, strict=True):
            tagged = spread(tagged, texts)
            slots = spans_of(tokens, first, tagged.tags, network.slot_names(number))
            left_out = slots.pop(LEFT_OUT, ())
            missing = sum(name not in slots for name in network.intents[number].required)
            unsure = self._unsure(tokens, first, number, tagged.logs, slots) if missing else {}
            reading = Reading(network.intents[number].name, 0.0, slots, left_out, broad > 0, unsure)
            out.append(IntentCandidate(number, float(scores[number]), tagged.total, missing, reading))
        return out

    def rank(self, candidates: Sequence[IntentCandidate]) -> tuple[Reading, ...]:
        """The readings, best first, with their probabilities."""
        cal = self.calibration
        totals = np.array(
            [
                candidate.score / cal.temperature
                + cal.slots * candidate.slots_score
                - cal.missing * candidate.missing
                for candidate in candidates
            ],
            dtype=np.float32,
        )
        shares = np.exp(log_softmax(totals))
        out = []
        for place in np.argsort(-shares, kind="stable").tolist():
            one = candidates[place]
            sure = 1 / (1 + np.exp(-(cal.offset + cal.slope * logit(one.slots_score))))
            reading = one.reading
            probability = float(shares[place] * sure)
            out.append(replace(reading, probability=probability))
        return tuple(out)

    def _unsure(
        self, tokens: Tokens, first: int, number: int, logs: Array, slots: Mapping[str, tuple[Span, ...]]
    ) -> dict[str, tuple[Span, ...]]:
        """The likeliest spans of required slots that have none."""
        network = self.network
        names = network.slot_names(number)
        held = [item for spans in slots.values() for item in spans]
        out = {}
        for slot in network.intents[number].required:
            if slot in slots:
                continue
            place = 1 + 2 * names.index(slot)
            odds = logs[:, place] - logs.max(axis=1)
            found: list[Span] = []
            for at in np.argsort(-odds, kind="stable").tolist():
                if odds[at] < -LEAST or len(found) == MOST_UNSURE:
                    break
                end = at + 1
                while end < len(logs) and logs[end].argmax() == place + 1:
                    end += 1
                span = span_of(tokens, tokens.items[first + at : first + end])
                free = not any(span.start < item.end and item.start < span.end for item in (*held, *found))
                if free and any(letter.isalnum() for letter in span.text):
                    found.append(span)
            if found:
                out[slot] = tuple(found)
        return out


def _sureness(orders: Sequence[Order]) -> float:
    """The logarithm of how likely the first readings of all orders are right."""
    firsts = [order.readings[0].probability if order.readings else 0.0 for order in orders]
    return sum(float(np.log(max(first, 1e-3))) for first in firsts)


def _with_name(items: tuple[Token, ...], before: Sequence[Order], symbols: SymbolRoles) -> tuple[Token, ...]:
    """The tokens of an order with the name of what the order before is surely about in place of `it`, unless
    another name stands in front."""
    at = next((place for place, one in enumerate(items) if one.text.lower() in IT), -1)
    sure = [order for order in before[::-1] if order.readings and order.readings[0].probability >= CLEAR]
    name = next(filter(None, map(subject, sure)), "")
    own = (token.inside >= 0 or is_code(token) or symbols.roles(token.text) for token in items[: max(at, 0)])
    if at < 0 or not name or any(own):
        return items
    return (*items[:at], replace(items[at], text=name), *items[at + 1 :])


def _mixed(in_context: Array, alone: Array) -> Array:
    mixed: Array = np.float32(1 - ALONE) * in_context + np.float32(ALONE) * alone
    return mixed


def logit(logarithm: float) -> float:
    """The logarithm of the odds of a probability that is given by its logarithm, within bounds."""
    bounded = min(max(logarithm, -LEAST), -1e-4)
    return bounded - float(np.log(-np.expm1(bounded)))


def _clipped(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[: MOST_CHARACTERS // 2] + "\n" + text[-MOST_CHARACTERS // 2 :]
