"""How likely a test is what a condition in words means: a small network over phrase and test."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.intent.conditions.candidates import KIND, KINDS, Candidate, Field, candidates
from spark_tui.intent.conditions.operands import ORIGINS, USES, Operand

BUCKETS, NAMES = 4096, 2048
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|[\u4e00-\u9fff]")
_ERRORS = re.compile(r"\b(\w+Error|StopIteration|NoneType|division by zero|traceback)\b", re.IGNORECASE)
_FILLER = frozenset("a an the of is are was be to in on for that which it its this those any no not one if when there has have with without and or by from".split())
_DENSE = 14 + 2 * len(ORIGINS) + 2 * len(USES) + 6

Array = np.ndarray[Any, Any]


def _hash(text: str, size: int) -> int:
    return zlib.crc32(text.encode()) % (size - 1) + 1


def stem(word: str) -> str:
    word = word.lower()
    for end in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word


def words_said(text: str) -> list[str]:
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text.replace("_", " "))
    return [one.lower() for one in _WORD.findall(text)]


def phrase_ids(phrase: str, instruction: str, action: str) -> list[int]:
    """Hashed words, stems and pairs of a phrase, the errors that an instruction tells of, and the action."""
    found = words_said(phrase)
    shown = ["#" if one.isdigit() else one for one in found]
    out = [f"w:{one}" for one in shown] + [f"s:{stem(one)}" for one in shown if stem(one) != one]
    out += [f"p:{one} {two}" for one, two in zip(["^", *shown], [*shown, "$"], strict=True)]
    out += [f"c:{one[:5]}" for one in shown if len(one) > 5]
    out += [f"e:{one.lower()}" for one in dict.fromkeys(_ERRORS.findall(instruction))] + [f"a:{action}"]
    return [_hash(one, BUCKETS) for one in out][:64]


def _alike(one: str, two: str) -> bool:
    if one == two:
        return True
    short = min(len(one), len(two))
    return short >= 3 and one[:short] == two[:short] and abs(len(one) - len(two)) <= 3 and short >= 4 or (
        short >= 3 and stem(one) == stem(two)
    )


class Said:
    """The words of a text, asked for often."""

    def __init__(self, text: str) -> None:
        self.words = list(dict.fromkeys(words_said(text)))
        self.content = [one for one in self.words if one not in _FILLER and one[0].isalnum()]
        self.text = text
        self._known: dict[str, frozenset[str]] = {}

    def matched(self, word: str) -> frozenset[str]:
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = frozenset(one for one in self.words if _alike(one, word))
        return found


def _names(operand: Operand | None, said: Said) -> tuple[float, float, float, frozenset[str]]:
    """How much of the last name and of what is in front of it is said, whether as code, and by which words."""
    if operand is None:
        return 0.0, 0.0, 0.0, frozenset()
    last = [said.matched(one) for one in operand.words]
    base = [said.matched(one) for one in operand.base]
    used = frozenset().union(*last, *base)
    exact = re.search(rf"(?<![\w.]){re.escape(operand.code)}(?!\w)", said.text) is not None
    return (
        sum(map(bool, last)) / max(len(last), 1),
        sum(map(bool, base)) / max(len(base), 1),
        float(exact),
        used,
    )


def dense(phrase: str, instruction: str, found: list[Candidate], every: list[Operand], known: Field) -> Array:
    """What is told of each candidate besides its kind."""
    out = np.zeros((len(found), _DENSE), np.float32)
    said, whole = Said(phrase), Said(instruction)
    order = {one.code: at for at, one in enumerate(every)}
    given = [one for one in every if one.origin == "parameter"]
    rows: dict[int, tuple[float, ...]] = {}
    used_of: dict[int, frozenset[str]] = {}
    flags: dict[int, Array] = {}
    for one in every:
        names = _names(one, said)
        rows[id(one)] = (*names[:3], *_names(one, whole)[:3])
        used_of[id(one)] = names[3]
        row = np.zeros(len(ORIGINS) + len(USES), np.float32)
        row[ORIGINS.index(one.origin)] = 1
        for use in one.uses:
            row[len(ORIGINS) + USES.index(use)] = 1
        flags[id(one)] = row
    content = max(len(said.content), 1)
    size = len(ORIGINS) + len(USES)
    for at, one in enumerate(found):
        left, right = rows[id(one.left)], rows[id(one.right)] if one.right is not None else (0.0,) * 6
        used = used_of[id(one.left)]
        both = used | (used_of[id(one.right)] if one.right is not None else frozenset())
        last = one.left.code.rpartition(".")[2]
        out[at, :14] = (
            left[0], left[1], left[2], len(used & set(said.content)) / content,
            right[0], right[2], len(both & set(said.content)) / content,
            left[3], left[5], right[3],
            one.literal == "said", one.literal == "file", one.literal == "plain", one.right is not None,
        )  # fmt: skip
        out[at, 14 : 14 + size] = flags[id(one.left)]
        if one.right is not None:
            out[at, 14 + size : 14 + 2 * size] = flags[id(one.right)]
        out[at, 14 + 2 * size :] = (
            min(known.tests.get((last, one.test.kind), 0), 3),
            any(name == last for name, _ in known.tests),
            len(given) == 1 and one.left is given[0],
            bool(given) and one.left is given[0],
            min(order[one.left.code], 20) / 10,
            one.right is not None and one.right.code.isupper(),
        )
    return out


def name_ids(found: list[Candidate]) -> Array:
    out = np.zeros((len(found), 4), np.int32)
    for at, one in enumerate(found):
        words = [*one.left.words[-2:], *(f"b {each}" for each in one.left.base[-1:])]
        if one.right is not None:
            words += [f"r {each}" for each in one.right.words[-1:]]
        elif one.test.right:
            words += [f"l {one.test.right[:12]}"]
        out[at, : len(words)] = [_hash(each, NAMES) for each in words]
    return out


@lru_cache(maxsize=1)
def _weights() -> dict[str, Array]:
    with np.load(Path(__file__).with_name("scorer.npz")) as stored:
        out = {one: stored[one] for one in stored.files}
    return {one: (value.astype(np.float32) * out[f"{one}_scale"] if f"{one}_scale" in out else value.astype(np.float32)) for one, value in out.items()}


def scored(
    phrase: str, instruction: str, action: str, every: list[Operand], known: Field
) -> list[tuple[float, Candidate]]:
    """The tests that a phrase may mean with their probabilities, the likeliest first. What is left of one is
    that it means none of them."""
    found = candidates(phrase, every, known)
    if not found:
        return []
    w = _weights()
    ids = np.array(phrase_ids(phrase, instruction, action))
    said = w["words"][ids].mean(0)
    kinds = np.array([KIND[one.test.kind] for one in found])
    hidden = dense(phrase, instruction, found, every, known) @ w["dense"] + (said @ w["said"] + w["bias"])
    hidden = np.maximum(hidden + w["kinds"][kinds], 0.0)
    logits = hidden @ w["out"] + (w["likely"] @ said)[kinds]
    logits = logits + w["names"][name_ids(found)].sum(1) @ (said @ w["named"])
    none = float(said @ w["none"] + w["none_bias"][0])
    top = max(float(logits.max()), none)
    odds = np.exp(logits - top)
    odds /= odds.sum() + np.exp(none - top)
    best = np.argsort(-odds)[:6]
    return [(float(odds[at]), found[at]) for at in best]


__all__ = ["KINDS", "scored"]
