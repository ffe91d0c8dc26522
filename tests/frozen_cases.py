"""The cases that the programs before the reader answered (`cases/frozen`), and a page on what it makes of
them.

`python tests/frozen_cases.py` prints the page `cases/frozen/by-operation.md`: for each operation how many
cases have the same result, and what is asked in the others. The operation of a case is that of the first
reading whose edit is the wanted one. Where there is none, it is the reader's first reading, and the edit
is not expressed.

With `--calls` it prints the calls of readings that make the wanted edits, for `cases/frozen_calls.jsonl`: the
operations must go on making them, whatever the reader makes of the words. Where no reading does, the file has
calls that put, replace or delete the statements or expressions in which the two texts differ.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from spark_tui.codemods import registry
from spark_tui.codemods.plan import Plan
from spark_tui.evals.cases import EvalCase
from spark_tui.evals.reader_runner import CaseReader
from spark_tui.intent.answering.try_readings import NO_EDIT
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading import reader as reading_module
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Reading
from spark_tui.intent.words.tokens import cleaned
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

Case = dict[str, Any]
Calls = tuple[registry.Operation, ...]
Hunk = Sequence[Any]
"""The first line, the last (half-open, from 0), and the text that stands there then."""
Outcome = Literal["same", "offered", "other", "declined"]
OUTCOMES: tuple[Outcome, ...] = ("same", "offered", "other", "declined")

FOLDER = Path(__file__).parent / "cases" / "frozen"
PATH = "module.py"
_MOST_SHOWN = 4
_MOST_CHARACTERS = 100


def lines_of(text: str) -> list[str]:
    return text.split("\n")[:-1]


def text_of(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def with_hunks(code: str, hunks: Sequence[Hunk]) -> str:
    lines = lines_of(code)
    for first, last, new in sorted(hunks, key=lambda hunk: (hunk[0], hunk[1]), reverse=True):
        lines[first:last] = lines_of(new)
    return text_of(lines)


def records(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def texts() -> Mapping[str, str]:
    """Pieces of code that several cases are about, by name."""
    return {case["name"]: case["text"] for case in records(FOLDER / "code.jsonl")}


@cache
def families() -> Mapping[str, Sequence[Case]]:
    """The cases of each file, with the code that they are about."""
    found = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        if path.name != "code.jsonl":
            found[path.stem] = [
                {**case, "code": texts()[case["file"]]} if case.get("file") else case
                for case in records(path)
            ]
    return found


def edits() -> Iterator[tuple[str, Case]]:
    """The cases that ask for an edit, each with its family."""
    for family, cases in families().items():
        for case in cases:
            if case["kind"] in ("order", "follow-up") and case["pins"] == "edit":
                yield family, case


def repository(case: Case) -> Repository:
    return Repository(DictTree({PATH: case["code"]}))


def made_by(calls: Calls, repo: Repository) -> str | None:
    """The text that calls make of the file; None where they cannot be done."""
    plan = plan_of(calls, repo)
    return plan.texts(repo).get(PATH, repo.index.text(PATH)) if isinstance(plan, Plan) else None


@cache
def frozen_calls() -> Mapping[str, Calls]:
    """The calls that make the edit of a case, by its id."""
    found = records(FOLDER.parent / "frozen_calls.jsonl")
    return {case["id"]: tuple(map(registry.from_json, case["calls"])) for case in found}


def wanted(case: Case) -> list[str]:
    return [with_hunks(case["code"], hunks) for hunks in case["results"]]


def outcome(case: Case, reader: CaseReader) -> Outcome:
    """What the reader makes of an order, or of a message after an answer."""
    code, results = case["code"], wanted(case)
    if case["kind"] == "follow-up":
        asked, steer = case["earlier"]["instruction"], case["instruction"]
        written = with_hunks(code, case["earlier"]["answer"])
    else:
        asked, steer, written = case["instruction"], "", code
    one = EvalCase(case["id"], PATH, code, asked, steer=steer)
    found = reader.ask(one, written)
    if found.kind not in ("edit", "choices"):
        return "same" if not results or results == [code] else "declined"
    if found.kind == "edit" and found.texts[0] in results[:1]:
        return "same"
    return "offered" if set(found.texts) & set(results) else "other"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a case. `expressed`: some reading of it makes the wanted edit."""

    family: str
    instruction: str
    outcome: Outcome
    operation: str
    expressed: bool


class AllReadings:
    """Looks for the wanted edit among the readings of an instruction, however unlikely."""

    def __init__(self) -> None:
        self.reader = Reader.load()

    def operation(self, case: Case) -> tuple[str, bool]:
        """The operation that makes the wanted edit; else the first reading's, and False."""
        readings, found = self.calls(case)
        if found is not None:
            return found[0], True
        return (readings[0].intent if readings else "nothing read"), False

    def calls(self, case: Case) -> tuple[Sequence[Reading], tuple[str, Calls] | None]:
        """All readings, and of the first that makes the wanted edit its intent and its calls."""
        text = cleaned(case["instruction"])
        repo = repository(case)
        situation = Situation(repo, PATH, instruction=text)
        readings = self._readings(text, repo)
        names = names_of(repo, PATH)
        for reading in readings:
            if reading.intent in NO_EDIT or reading.intent.startswith("amend."):
                continue
            for made in find_candidates(reading, situation, names):
                if made.calls and made_by(made.calls, repo) in wanted(case):
                    return readings, (reading.intent, made.calls)
        return readings, None

    def _readings(self, text: str, repo: Repository) -> Sequence[Reading]:
        most, reading_module.MOST_READINGS = reading_module.MOST_READINGS, len(self.reader.network.intents)
        try:
            orders = self.reader.read(text, repository_roles(repo.index, (PATH,)))
        finally:
            reading_module.MOST_READINGS = most
        return [reading for order in orders for reading in order.readings]


def findings(cases: Iterable[tuple[str, Case]]) -> Iterator[Finding]:
    reader, every = CaseReader(), AllReadings()
    for family, case in cases:
        found = outcome(case, reader)
        if case["kind"] == "follow-up":
            named, expressed = family.replace("_", " "), found in ("same", "offered")
        elif not case["results"]:
            named, expressed = "no edit is meant", found == "same"
        else:
            named, expressed = every.operation(case)
        yield Finding(family, case["instruction"], found, named, expressed or found in ("same", "offered"))


_HEAD = """# What the earlier rules could do

Generated by `python tests/frozen_cases.py`. The rules that the [reader](../../../docs/reader.md) replaced
were tested with the {total} cases of `tests/cases/frozen` that ask for an edit of one file: the
instruction, the code and the edit. The rules were written for these sentences. Of the {total} the reader
makes the same edit in **{same}**, and offers it as one of two or three in {offered} more. In {misread}
some reading makes the edit, but another one is preferred, or none is certain enough. In {missing} no
reading makes it: the instruction has to be reworded, split into steps, or sent to a model.

The operations themselves still make most of these edits: `tests/cases/frozen_calls.jsonl`
has calls for {calls} of the 1168 orders, and `tests/test_frozen_edits.py` makes them. For 559 a reading makes
these calls; the others mostly put, replace or delete statements and expressions at their lines.

| column | counts |
|---|---|
| same | the same edit, or rightly none |
| offered | the edit is one of those offered |
| misread | an operation makes the edit from these words, but the reader does not choose it |
| missing | no reading of the words makes this edit |

The operation of a case is the one that makes the edit; of a missing one it is the one that the reader takes
the words for, which may be wrong. Messages that follow an answer ("TypeError instead") are counted by what
they are about.

| operation | cases | same | offered | misread | missing |
|---|---|---|---|---|---|
"""


def page(found: Sequence[Finding], shown: int = _MOST_SHOWN) -> str:
    """The page of documentation on all findings."""
    by_operation: dict[str, list[Finding]] = defaultdict(list)
    for one in found:
        by_operation[one.operation].append(one)
    ordered = sorted(by_operation.items(), key=lambda item: (-sum(map(_is_missed, item[1])), item[0]))
    counts = _counts(found)
    fields = dict(zip(_COLUMNS, counts, strict=True))
    out = [_HEAD.format(total=len(found), calls=len(frozen_calls()), **fields)]
    for name, them in [*ordered, ("all", list(found))]:
        out.append(f"| {name} | {len(them)} | " + " | ".join(map(str, _counts(them))) + " |\n")
    out.append("\n## What is not done, by operation\n")
    for name, them in ordered:
        missed = sorted(
            (item for item in them if _is_missed(item)), key=lambda item: (item.expressed, item.instruction)
        )
        if missed:
            out.append(f"\n### {name}\n\n")
            for one in missed[:shown]:
                what = "misread" if one.expressed else "missing"
                out.append(f"- {what}: {_short(one.instruction)}\n")
            if len(missed) > shown:
                out.append(f"- and {len(missed) - shown} more\n")
    return "".join(out)


_COLUMNS = ("same", "offered", "misread", "missing")


def _is_missed(finding: Finding) -> bool:
    return finding.outcome in ("other", "declined")


def _counts(found: Iterable[Finding]) -> tuple[int, int, int, int]:
    them = list(found)
    missed = [finding for finding in them if _is_missed(finding)]
    misread = sum(finding.expressed for finding in missed)
    same, offered = (sum(finding.outcome == kind for finding in them) for kind in ("same", "offered"))
    return same, offered, misread, len(missed) - misread


def _short(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return f"`{line[:_MOST_CHARACTERS]}{'…' if len(line) > _MOST_CHARACTERS else ''}`"


def print_calls() -> None:
    """One line a case that asks for an edit and has calls that make it."""
    every = AllReadings()
    for _, case in edits():
        found = every.calls(case)[1] if case["kind"] == "order" and case["results"] else None
        if found is not None:
            print(json.dumps({"id": case["id"], "calls": [registry.to_json(item) for item in found[1]]}))


if __name__ == "__main__" and "--calls" in sys.argv:
    print_calls()
elif __name__ == "__main__":
    most = len(list(edits())) if "--all" in sys.argv else _MOST_SHOWN
    print(page(list(findings(edits())), most), end="")
