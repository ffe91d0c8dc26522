"""Reads an instruction: its orders, and for each the intents and slots that it may mean, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from spark_tui.intent.reading.decoding import best_tags, span_of, spans_of, spread
from spark_tui.intent.reading.features import describe_tokens
from spark_tui.intent.reading.network import LEFT_OUT, Array, Encoded, Network, log_softmax, stored_network
from spark_tui.intent.reading.order_parts import ReadText, clipped, going_on, joining_scores, with_name
from spark_tui.intent.reading.shared_places import repeat_elsewhere, without_it
from spark_tui.intent.reading.word_counts import keep_heard_readings
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
MOST_UNSURE = 2
MOST_FIRST = 3
"""How many of the first words of an order are looked at for how likely it begins: a joining word, or one
after it."""
ALONE = 0.7
"""Of one of several orders, how much counts what is read of it alone. It is mostly single orders that the
reader has learned from."""
_MOST_KEPT = 4
"""Texts, two of a message."""
LEAST = 12.0
"""Logarithms of probabilities are not told apart below minus this."""


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
    """Reads instructions. Between them it keeps vectors of words that it has seen, and what it read last: the
    same text is often asked for again."""

    def __init__(self, network: Network, calibration: Calibration | None = None) -> None:
        self.network = network
        self.calibration = calibration or Calibration()
        self._amends = np.array([intent.amends for intent in network.intents])
        self._kept: tuple[ReadText, ...] = ()

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Reader:
        """The reader with the weights of a file, by default those that ship."""
        with np.load(path, allow_pickle=False) as stored:
            calibration = Calibration.from_array(stored["calibration"])
        return cls(stored_network(path, path.stat().st_mtime_ns), calibration)

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        """The orders of an instruction. `earlier` is the intent that was done before: only after one are
        there readings that amend it."""
        text = self._read(instruction, symbols, earlier)
        return text.orders if text is not None else ()

    def _read(self, instruction: str, symbols: SymbolRoles, earlier: str) -> ReadText | None:
        """None where there is nothing to read."""
        known = [one for one in self._kept if one.text == instruction and one.symbols == symbols]
        for one in known:
            if one.earlier == earlier:
                return one
        tokens = known[0].tokens if known else join_spoken_names(tokenize(clipped(instruction)), symbols)
        if not tokens.items:
            return None
        features = known[0].features if known else describe_tokens(tokens, symbols)
        text = ReadText(instruction, tokens, features, symbols, earlier)
        text.encode(self.network, known)
        text.starts, text.orders = self._split(text)
        self._kept = text, *self._kept[: _MOST_KEPT - 1]
        return text

    def _split(self, text: ReadText) -> tuple[list[int], tuple[Order, ...]]:
        """Where the orders begin, and the orders: of the ways to split that are likely enough, the one with
        the surest readings."""
        scores = self._boundaries(text)
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
            orders = self._orders(text, starts)
            sure = SURE * _sureness(orders) - cost
            if sure > most:
                best, most = (starts, orders), sure
        return best

    def _orders(self, text: ReadText, starts: Sequence[int]) -> tuple[Order, ...]:
        """The orders that begin with some tokens. One of several is read in its context and alone, with what
        `it` means in its place; one that says *the same* is the one in front at another place."""
        tokens, orders = text.tokens, list[Order]()
        parts = list(pairwise((*starts, len(tokens.items))))
        if len(parts) > 1:
            self._encode_alone(text, parts)
        for first, last in parts:
            items = with_name(tokens.items[first:last], orders, text.symbols)
            key = first, last, len(parts) > 1, items
            if key not in text.readings:
                text.readings[key] = self._readings(text, *key)
            # What `it` means in a slot is seen from the orders in front.
            readings = text.readings[key] if orders else tuple(map(without_it, text.readings[key]))
            start, end = tokens.items[first].start, tokens.items[last - 1].end
            order = Order(start, end, readings)
            again = repeat_elsewhere(order, orders[-1], tokens.text[start:end]) if orders else None
            orders.append(again or order)
        return tuple(orders)

    def _encode_alone(self, text: ReadText, parts: Sequence[tuple[int, int]]) -> None:
        """Encode each of these parts, as if the instruction were no more than that."""
        new = [part for part in parts if part not in text.alone]
        own = [replace(text.tokens, items=text.tokens.items[first:last]) for first, last in new]
        told = [
            (describe_tokens(tokens, text.symbols), "" if first else text.earlier)
            for tokens, (first, _) in zip(own, new, strict=True)
        ]
        if told:
            text.alone.update(zip(new, self.network.encode_each(told), strict=True))

    def _readings(
        self, text: ReadText, first: int, last: int, several: bool, items: tuple[Token, ...]
    ) -> tuple[Reading, ...]:
        """The readings of an order, which has these `items`; `several`: it is not the only one."""
        tokens, earlier, own = text.tokens, text.earlier, text.tokens.items[first:last]
        in_itself = text.alone[first, last] if several else None
        found = self.candidates(tokens, text.encoded, first, last, earlier, in_itself)
        if items != own and max(found, key=lambda item: item.score).missing:
            named, before, own = replace(tokens, items=items), "" if first else earlier, items
            alone = self.network.encode(describe_tokens(named, text.symbols), before)
            found = self.candidates(named, alone, 0, len(alone), before)
        return keep_heard_readings(self.rank(found), own)

    def split_once_more(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        """The orders of an instruction if one more begins than was read: where the readings are surest, of
        the tokens that are likely enough. None where there is no such token."""
        text = self._read(instruction, symbols, earlier)
        if text is None or len(text.tokens.items) < 2:
            return ()
        tokens, starts = text.tokens, text.starts
        scores = self._boundaries(text)
        scores += np.array(joining_scores(tokens), dtype=np.float32)
        scores[starts] = -np.inf
        scores[[item.inside >= 0 for item in tokens.items]] = -np.inf
        best: tuple[Order, ...] = ()
        most = -np.inf
        for more in np.argsort(-scores, kind="stable")[:MOST_NEAR].tolist():
            if scores[more] <= -MOST_DOUBT or len(starts) == MOST_ORDERS:
                break
            orders = self._orders(text, sorted((*starts, more)))
            sure = SURE * _sureness(orders) + float(scores[more])
            if sure > most:
                best, most = orders, sure
        return best

    def score_of_order(
        self, instruction: str, symbols: SymbolRoles, place: tuple[int, int], earlier: str = ""
    ) -> float:
        """How likely an order begins with the first words between two places of an instruction."""
        text = self._read(instruction, symbols, earlier)
        items = text.tokens.items if text is not None else ()
        inside = [at for at, item in enumerate(items) if place[0] <= item.start < place[1]]
        if text is None or not inside:
            return -LEAST
        return float(self._boundaries(text)[inside[:MOST_FIRST]].max())

    def _boundaries(self, text: ReadText) -> Array:
        """How likely a further order begins with each token, as log odds: above 0 it is read as one."""
        scores: Array = self.network.boundaries(text.encoded) - np.float32(self.calibration.split)
        scores[[0, *going_on(text.tokens, text.symbols)]] = -np.inf
        return scores

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


def _mixed(in_context: Array, alone: Array) -> Array:
    mixed: Array = np.float32(1 - ALONE) * in_context + np.float32(ALONE) * alone
    return mixed


def logit(logarithm: float) -> float:
    """The logarithm of the odds of a probability that is given by its logarithm, within bounds."""
    bounded = min(max(logarithm, -LEAST), -1e-4)
    return bounded - float(np.log(-np.expm1(bounded)))
