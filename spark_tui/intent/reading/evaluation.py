"""How well the reader reads: instructions of voices that it was not trained on, and what is in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spark_tui.intent.words.readings import Order, Reading, SymbolRoles

FIRST = 5


@dataclass(frozen=True, slots=True)
class KnownRoles:
    """The roles of the names of one instruction, as its repository had them."""

    names: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]

    def roles(self, name: str) -> frozenset[str]:
        return self.names.get(name, frozenset())

    def word_roles(self, word: str) -> frozenset[str]:
        return self.words.get(word, frozenset())


@dataclass(slots=True)
class RecordedRoles:
    """Passes questions on and keeps the answers, for a case."""

    inner: SymbolRoles
    names: dict[str, list[str]] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)

    def roles(self, name: str) -> frozenset[str]:
        found = self.inner.roles(name)
        if found:
            self.names[name] = sorted(found)
        return found

    def word_roles(self, word: str) -> frozenset[str]:
        found = self.inner.word_roles(word)
        if found:
            self.words[word] = sorted(found)
        return found


@dataclass(frozen=True, slots=True)
class WantedOrder:
    """What one order of an instruction says."""

    start: int
    intent: str
    slots: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class ReadingCase:
    """An instruction, what the names in it are, and its orders."""

    voice: str
    language: str
    text: str
    orders: tuple[WantedOrder, ...]
    earlier: str
    symbols: KnownRoles


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """What came of one case. Shares of slots count those that the sentence names."""

    case: ReadingCase
    orders: tuple[Order, ...]
    intent: bool
    first_five: bool
    slots: bool
    probability: float
    slot_counts: Mapping[str, tuple[int, int]]
    """For each slot how often it was there, and how often it was found."""

    @property
    def right(self) -> bool:
        return self.intent and self.slots


def case_from(record: Mapping[str, Any]) -> ReadingCase:
    orders = tuple(
        WantedOrder(
            int(item["start"]),
            str(item["intent"]),
            {slot: tuple(texts) for slot, texts in item["slots"].items()},
            tuple(item.get("left_out", ())),
            bool(item.get("everywhere", False)),
        )
        for item in record["orders"]
    )
    names = {name: frozenset(roles) for name, roles in record.get("names", {}).items()}
    parts = {word: frozenset(roles) for word, roles in record.get("words", {}).items()}
    return ReadingCase(
        record["voice"],
        record["language"],
        record["text"],
        orders,
        record.get("earlier", ""),
        KnownRoles(names, parts),
    )


def judge_case(case: ReadingCase, orders: tuple[Order, ...]) -> ReadingScore:
    """Compares what was read with what is in the case. Several orders are right if all of them are."""
    if len(orders) != len(case.orders) or not all(order.readings for order in orders):
        counts = {slot: (1, 0) for order in case.orders for slot in order.slots}
        guess = orders[0].readings[0].probability if orders and orders[0].readings else 0.0
        return ReadingScore(case, orders, False, False, False, guess, counts)
    pairs = list(zip(orders, case.orders, strict=True))
    firsts = [(order.readings[0], wanted) for order, wanted in pairs]
    intent = all(first.intent == wanted.intent for first, wanted in firsts)
    five = all(
        wanted.intent in [reading.intent for reading in order.readings[:FIRST]] for order, wanted in pairs
    )
    slots, counts = True, dict[str, tuple[int, int]]()
    for order, wanted in pairs:
        own = next(
            (reading for reading in order.readings if reading.intent == wanted.intent), order.readings[0]
        )
        slots = slots and same_slots(own, wanted)
        for slot, texts in wanted.slots.items():
            have, found = counts.get(slot, (0, 0))
            counts[slot] = have + 1, found + ({span.text for span in own.slots.get(slot, ())} == set(texts))
    return ReadingScore(case, orders, intent, five, slots, min(f.probability for f, _ in firsts), counts)


def same_slots(reading: Reading, wanted: WantedOrder) -> bool:
    """Whether a reading names just what it should, in all slots and among the places left out."""
    found = {slot: {span.text for span in spans} for slot, spans in reading.slots.items() if spans}
    right = {slot: set(texts) for slot, texts in wanted.slots.items()}
    return found == right and {span.text for span in reading.left_out} == set(wanted.left_out)


def score_rows(scores: Sequence[ReadingScore], key: Callable[[ReadingScore], str]) -> list[dict[str, Any]]:
    """One row for each value of a key: cases, and the shares that were right."""
    groups: dict[str, list[ReadingScore]] = defaultdict(list)
    for score in scores:
        groups[key(score)].append(score)
    return [{"name": name, **_shares(groups[name])} for name in sorted(groups)]


def _shares(scores: Sequence[ReadingScore]) -> dict[str, Any]:
    count = len(scores)
    return {
        "cases": count,
        "intent": sum(score.intent for score in scores) / count,
        "first_five": sum(score.first_five for score in scores) / count,
        "slots": sum(score.slots for score in scores) / count,
        "right": sum(score.right for score in scores) / count,
    }


def slot_rows(scores: Sequence[ReadingScore]) -> list[dict[str, Any]]:
    """For each slot how often it was there, and in which share it was found exactly."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for score in scores:
        for slot, (have, found) in score.slot_counts.items():
            totals[slot][0] += have
            totals[slot][1] += found
    return [
        {"name": slot, "cases": have, "found": found / have} for slot, (have, found) in sorted(totals.items())
    ]


def calibration_rows(scores: Sequence[ReadingScore]) -> list[dict[str, Any]]:
    """For ranges of the probability of the first reading: how many, the mean of it, and the share right."""
    out = []
    for step in range(5):
        low, high = step / 5, (step + 1) / 5
        own = [s for s in scores if low <= s.probability < high or (high == 1 and s.probability >= 1)]
        if own:
            mean = sum(score.probability for score in own) / len(own)
            share = sum(score.right for score in own) / len(own)
            out.append({"from": low, "to": high, "cases": len(own), "probability": mean, "right": share})
    return out


def evaluation_report(scores: Sequence[ReadingScore]) -> dict[str, Any]:
    single = [score for score in scores if len(score.case.orders) == 1]
    several = [score for score in scores if len(score.case.orders) > 1]
    return {
        "bench": "eval reader",
        "all": _shares(single) if single else {},
        "several_orders": _shares(several) if several else {},
        "voices": score_rows(single, lambda score: score.case.voice),
        "languages": score_rows(single, lambda score: score.case.language),
        "intents": score_rows(single, lambda score: score.case.orders[0].intent),
        "slots": slot_rows(single),
        "calibration": calibration_rows(single),
        "bars": bars(single, several),
    }


ENGLISH_INTENT, ENGLISH_SLOTS, OTHER_INTENT, SEVERAL_SPLIT = 0.88, 0.78, 0.70, 0.85


def bars(single: Sequence[ReadingScore], several: Sequence[ReadingScore]) -> list[dict[str, Any]]:
    """What the shipped reader is held to, on voices that it was not trained on."""
    out = []
    by_language = {row["name"]: row for row in score_rows(single, lambda score: score.case.language)}
    for language, row in by_language.items():
        if language == "en":
            out.append(_bar("English: intent", row["intent"], ENGLISH_INTENT))
            out.append(_bar("English: intent and all slots", row["right"], ENGLISH_SLOTS))
        else:
            out.append(_bar(f"{language}: intent", row["intent"], OTHER_INTENT))
    if several:
        split = sum(len(score.orders) == len(score.case.orders) for score in several) / len(several)
        out.append(_bar("several instructions: as many read as there are", split, SEVERAL_SPLIT))
    return out


def _bar(name: str, value: float, target: float) -> dict[str, Any]:
    return {"name": name, "value": value, "target": target, "better": "higher", "ok": value >= target}
