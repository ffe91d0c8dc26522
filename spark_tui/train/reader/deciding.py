"""Fits how sure the reader may be of an edit: which evidence goes with right results, and from when on no
mark is needed.

Two kinds of instructions are answered: those of the edit generators, whose right result is known, and those
of voices that the reader was not trained on, whose right result is what the reading makes that was written
down.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent import certainty
from spark_tui.intent.answer import answer, answer_orders
from spark_tui.intent.decoding import spans_of
from spark_tui.intent.network import LEFT_OUT
from spark_tui.intent.reader import Reader
from spark_tui.intent.readings import Order, Reading
from spark_tui.intent.situation import Situation
from spark_tui.intent.symbol_roles import repository_roles
from spark_tui.intent.tokens import tokenize
from spark_tui.pysource.parsing import parse_code
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree
from spark_tui.train import testset
from spark_tui.train.corpus import Module
from spark_tui.train.reader.dataset import token_slots
from spark_tui.train.reader.examples import Composer, Example
from spark_tui.train.reader.scenes import scene_of
from spark_tui.train.reader.wordings import Voice

Numbers = NDArray[np.float64]
WANTED = 0.97
"""The share of unmarked edits that should be right."""
_OTHERS = {"no-edit": 60, "cannot": 30, "composition": 40}
_STEPS, _PENALTY = 60, 1.0
_PARTS = 5
_PRIOR = 4.0
"""How many examples of an intent count as much as the mean of all."""
_SENTENCES = 1200
_LONGEST = 12_000
_TABLE = Path(certainty.__file__).with_name("certainty.toml")
_HEAD = """# How sure it is that an edit is meant: a logistic function of the evidence of `certainty.py`.
# Written by `python -m spark_tui.train reader --fit-decision`; to be fitted anew after each training.

"""


@dataclass(frozen=True, slots=True)
class Question:
    """An instruction, one file, and the texts that files are to have; None where no edit is right."""

    text: str
    path: str
    before: str
    wanted: dict[str, str | None] | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The evidence for an edit that was found, and whether it was right."""

    intent: str
    evidence: dict[str, float]
    right: bool
    unmarkable: bool
    """Whether nothing but the certainty decides about its mark."""


@dataclass(frozen=True)
class Fit:
    """A fitted function, and what it does on the examples that it was not fitted on."""

    names: tuple[str, ...]
    weights: Numbers
    intents: dict[str, float]
    offset: float
    unmarked: float
    coverage: float
    precision: float

    def write(self, path: Path = _TABLE) -> None:
        rows = "".join(
            f"{name} = {weight:.3f}\n" for name, weight in zip(self.names, self.weights, strict=True)
        )
        numbers = f"offset = {self.offset:.3f}\nunmarked = {self.unmarked:.3f}\n"
        shifts = "".join(f'"{name}" = {self.intents[name]:.2f}\n' for name in sorted(self.intents))
        path.write_text(f"{_HEAD}{numbers}\n[weights]\n{rows}\n[intents]\n{shifts}", "utf-8")


def generated(modules: Sequence[Module], seed: int, per_kind: int) -> list[Question]:
    """Instructions of the edit generators."""
    out = []
    for record in testset.build_dev(modules, seed=seed, per_kind=per_kind, others=_OTHERS):
        if record["answer"] == "fill":
            continue
        wanted = {record["path"]: record["after"]} if record["answer"] == "edit" else None
        out.append(Question(record["instruction"], record["path"], record["before"], wanted))
    return out


def spoken(voices: Sequence[Voice], modules: Sequence[Module], seed: int) -> Iterator[Question]:
    """Sentences of voices about real code, with the result of what they say."""
    rng = Random(seed)
    texts = {one.path: one.text for one in modules if len(one.text) <= _LONGEST}
    scenes = [scene for path, text in texts.items() if (scene := scene_of(path, text)) is not None]
    sentences = [
        (voice, one) for voice in voices for name in sorted(voice.sentences) for one in voice.sentences[name]
    ]
    composer = Composer(voices, scenes, rng)
    for voice, sentence in rng.sample(sentences, min(len(sentences), _SENTENCES)):
        example = composer.single(voice, sentence)
        if not example.earlier:
            yield _question(example, texts[example.scene.path])


def _question(example: Example, text: str) -> Question:
    """The question of an example, with the result of the reading that it was made of."""
    path, said = example.scene.path, example.writing.text
    tokens = tokenize(said)
    found = token_slots(tokens, example.writing.mentions)
    slots = tuple(dict.fromkeys(slot for slot, _ in filter(None, found)))
    tags = np.array(
        [0 if one is None else 1 + 2 * slots.index(one[0]) + (not one[1]) for one in found], dtype=np.int64
    )
    spans = spans_of(tokens, 0, tags, slots)
    left_out = spans.pop(LEFT_OUT, ())
    asked = example.orders[0]
    reading = Reading(asked.intent, 1.0, spans, left_out, asked.everywhere)
    repo = Repository(DictTree({path: text}))
    made = answer_orders([Order(0, len(said), (reading,))], Situation(repo, path, instruction=said))
    way = made.ways[0] if made.kind == "edit" else made.best
    wanted = way.plan.texts(repo) if way is not None and made.kind != "choices" else None
    return Question(said, path, text, wanted)


@lru_cache(maxsize=1)
def _reader(weights: Path) -> Reader:
    return Reader.load(weights)


def outcome(question: Question, weights: Path) -> Outcome | None:
    """What the reader's likeliest edit was found by; None where it has none, or several orders have one."""
    repo = Repository(DictTree({question.path: question.before}))
    roles = repository_roles(repo.index, (question.path,))
    found = answer(question.text, _reader(weights), Situation(repo, question.path), roles)
    way = found.ways[0] if found.kind == "edit" else found.best
    if way is None or not way.evidence:
        return None
    right = question.wanted is not None and _same(way.plan.texts(repo), question.wanted)
    intent = way.done.intent if way.done is not None else ""
    return Outcome(intent, dict(way.evidence), right, way.may_be_unmarked)


def _same(one: dict[str, str | None], two: dict[str, str | None]) -> bool:
    """Whether all files have the same text, or the same tree."""
    if one.keys() != two.keys():
        return False
    for path, text in one.items():
        other = two[path]
        if text == other:
            continue
        try:
            if ast.dump(parse_code(text or "")) != ast.dump(parse_code(other or "")):
                return False
        except (SyntaxError, ValueError, RecursionError):
            return False
    return True


def outcomes(questions: Sequence[Question], weights: Path, processes: int) -> list[Outcome]:
    """What became of the questions that got one edit."""
    if processes < 2:
        made = [outcome(one, weights) for one in questions]
    else:
        with ProcessPoolExecutor(processes) as pool:
            made = list(pool.map(partial(outcome, weights=weights), questions, chunksize=16))
    return [one for one in made if one is not None]


def fit(found: Sequence[Outcome], seed: int = 1, wanted: float = WANTED) -> Fit:
    """The logistic function of the evidence, and the limit from which on so many are right.

    The limit is found on parts that the function was not fitted on."""
    names = tuple(sorted({name for one in found for name in one.evidence}))
    rows = np.array([[one.evidence.get(name, 0.0) for name in names] for one in found])
    right = np.array([one.right for one in found], dtype=float)
    asked = np.array([one.intent for one in found])
    usable = np.array([one.unmarkable for one in found])
    parts = np.array([Random(seed * 1_000_003 + at).randrange(_PARTS) for at in range(len(found))])
    sure = np.zeros(len(found))
    for part in range(_PARTS):
        own = parts == part
        weights = logistic(np.column_stack([rows[~own], shifts(asked[~own], right[~own])]), right[~own])
        known = intent_shifts(asked[~own], right[~own])
        column = np.array([known.get(one, 0.0) for one in asked[own]])
        sure[own] = _probabilities(np.column_stack([rows[own], column]), weights)
    limit, coverage, precision = threshold(sure[usable], right[usable], wanted)
    weights = logistic(np.column_stack([rows, shifts(asked, right)]), right)
    known = intent_shifts(asked, right)
    return Fit((*names, "intent"), weights[1:], known, float(weights[0]), limit, coverage, precision)


def intent_shifts(asked: NDArray[np.str_], right: Numbers) -> dict[str, float]:
    """For each intent how much oftener it is right than all are, as a difference of log odds."""
    mean = float(right.mean())
    return {str(one): _shift(right[asked == one], mean) for one in sorted(set(asked.tolist()))}


def shifts(asked: NDArray[np.str_], right: Numbers) -> Numbers:
    """The shift of the intent of each example, as the others have it."""
    mean = float(right.mean())
    every = np.arange(len(asked))
    return np.array([_shift(right[(asked == one) & (every != at)], mean) for at, one in enumerate(asked)])


def _shift(right: Numbers, mean: float) -> float:
    share = (float(right.sum()) + _PRIOR * mean) / (len(right) + _PRIOR)
    return float(np.log(share / (1 - share)) - np.log(mean / (1 - mean)))


def threshold(sure: Numbers, right: Numbers, wanted: float) -> tuple[float, float, float]:
    """The lowest limit above which so many are right, the share of all right ones that it lets through, and
    how many of those that it lets through are right."""
    order = np.argsort(-sure)
    counts = np.arange(1, len(order) + 1)
    # Half a one more that is wrong: few examples prove little.
    shares = np.cumsum(right[order]) / (counts + 0.5)
    good = np.flatnonzero(shares >= wanted)
    if not len(good):
        return 0.99, 0.0, 0.0
    last = int(good[-1])
    hits = float(right[order][: last + 1].sum())
    return float(min(sure[order][last], 0.99)), hits / max(float(right.sum()), 1.0), hits / (last + 1)


def logistic(rows: Numbers, right: Numbers) -> Numbers:
    """Offset and weights by Newton's method, with large weights made costly."""
    full = np.hstack([np.ones((len(rows), 1)), rows])
    cost = np.full(full.shape[1], _PENALTY)
    cost[0] = 1e-3
    weights = np.zeros(full.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(full @ weights, -30, 30)))
        slope = full.T @ (chance - right) + cost * weights
        bend = (full * (chance * (1 - chance))[:, None]).T @ full + np.diag(cost)
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _probabilities(rows: Numbers, weights: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-np.clip(rows @ weights[1:] + weights[0], -30, 30))))
