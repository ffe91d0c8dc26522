"""Fits how sure it is that an edit is meant, by instructions of which the right result is known:

    python -m spark_tui.evals.certainty_fit TASKS,TASKS WHEELS CASES...

asks the half for mending of folders of package tasks (`tests/cases/real_packages` and
`tests/cases/asked_packages`) and the cases of some files, and writes the weights of
`intent/planning/certainty.toml`. The files are lines of JSON, as the development set of the training and
`python -m spark_tui.train.reader.voice_tasks` have them, by voices that the reader was not trained on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.evals.mark_limit import Numbers, answers, arguments, for_mending, write
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning import certainty
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Reads
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.workspace import json_lines

KEPT = 60.0
"""How much it costs to leave the weights that were there: few examples prove little."""
BY_PEOPLE = 3.0
"""How much an instruction that a person wrote counts against one that was made."""
_STEPS = 60
_LATER = ("again", "steer", "fill")
"""Kinds of cases that are no first instruction."""


@dataclass(frozen=True, slots=True)
class JudgedEvidence:
    """What was known of an edit, whether it was right, and how much that counts."""

    evidence: Mapping[str, float]
    right: bool
    weight: float = 1.0


def of_answer(found: Answer, right: bool, weight: float = 1.0) -> Iterator[JudgedEvidence]:
    """The likeliest edit of an answer, if it is of one order."""
    best = found.ways[0] if found.ways else found.best
    if best is not None and best.evidence and best.done is not None:
        known = {**best.evidence, "intent": certainty.intent_weight(best.done.intent)}
        yield JudgedEvidence(known, right, weight)


def of_cases(path: Path, reader: Reads) -> Iterator[JudgedEvidence]:
    """The edits that are likeliest for the cases of a file."""
    for case in json_lines.read(path):
        if case["kind"] not in _LATER:
            yield from _of_case(case, reader)


def _of_case(case: Mapping[str, Any], reader: Reads) -> Iterator[JudgedEvidence]:
    repo = Repository(DictTree({**case.get("files", {}), case["path"]: case["before"]}))
    roles = repository_roles(repo.index, (case["path"],))
    found = answer(case["instruction"], reader, Situation(repo, case["path"]), roles)
    best = found.ways[0] if found.ways else found.best
    if best is not None:
        after = best.plan.texts(repo).get(case["path"], case["before"])
        yield from of_answer(found, after == case["after"] != case["before"])


def fitted(judged: Sequence[JudgedEvidence], before: Mapping[str, float], kept: float = KEPT) -> Numbers:
    """The offset and the weights by which what is right is likeliest, near those that were `before`: Newton's
    method. The offset is freer."""
    names = list(before)[1:]
    x = np.array([[1.0, *(evidence.evidence.get(name, 0.0) for name in names)] for evidence in judged])
    y = np.array([evidence.right for evidence in judged], dtype=np.float64)
    counts = np.array([evidence.weight for evidence in judged])
    usual = np.array(list(before.values()))
    near = np.full(len(usual), kept)
    near[0] = 0.05 * kept
    found = usual.copy()
    for _ in range(_STEPS):
        guess = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        slope = x.T @ (counts * (guess - y)) + near * (found - usual)
        bend = x.T @ (x * (counts * guess * (1 - guess))[:, None]) + np.diag(near)
        found = found - np.linalg.solve(bend, slope)
    return found


def table_weights() -> dict[str, float]:
    """The offset and the weights that are in the table."""
    table = certainty.certainty_table()
    return {"offset": float(table["offset"])} | {name: float(one) for name, one in table["weights"].items()}


def main() -> int:
    parser = arguments("spark_tui.evals.certainty_fit", __doc__)
    parser.add_argument("cases", type=Path, nargs="*", help="files with a case on each line")
    args = parser.parse_args()
    reader = Reader.load()
    people = answers(for_mending(args.tasks), args.wheels, reader)
    judged = [evidence for found, right in people for evidence in of_answer(found, right, BY_PEOPLE)]
    judged += [evidence for file in args.cases for evidence in of_cases(file, reader)]
    before = table_weights()
    weights = dict(zip(before, fitted(judged, before).tolist(), strict=True))
    write(weights)
    print(f"{len(judged)} edits, {sum(item.right for item in judged)} right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
