"""What the built-in reader makes of the cases that the programs before it answered, from `cases/frozen`.

The report says of each family of cases how many it answers the same, how many are among what it offers, and
how many are missed. `pytest -m slow -s tests/test_frozen_edits.py` prints it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

from spark_tui.backends.answers.line_suggestions import line_suggestions
from spark_tui.evals.cases import EvalCase
from spark_tui.evals.reader_runner import CaseReader

Case = dict[str, Any]
Hunk = Sequence[Any]
"""The first line, the last (half-open, from 0), and the text that stands there then."""
Outcome = Literal["same", "offered", "other", "declined"]

FOLDER = Path(__file__).parent / "cases" / "frozen"
PATH = "module.py"
LEAST_SHARE = 0.15
"""Of the orders: fewer than these answered or offered means that the reader is not in use."""


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
    return {one["name"]: one["text"] for one in records(FOLDER / "code.jsonl")}


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


def outcome(case: Case, reader: CaseReader) -> Outcome:
    """What the reader makes of an order, or of a message after an answer."""
    code = case["code"]
    wanted = [with_hunks(code, hunks) for hunks in case["results"]]
    if case["kind"] == "follow-up":
        asked, steer = case["earlier"]["instruction"], case["instruction"]
        written = with_hunks(code, case["earlier"]["answer"])
    else:
        asked, steer, written = case["instruction"], "", code
    one = EvalCase(case["id"], PATH, code, asked, steer=steer)
    found = reader.ask(one, written)
    if found.kind not in ("edit", "choices"):
        return "same" if not wanted or wanted == [code] else "declined"
    if found.kind == "edit" and found.texts[0] in wanted[:1]:
        return "same"
    return "offered" if set(found.texts) & set(wanted) else "other"


@pytest.mark.slow
def test_what_the_reader_makes_of_the_frozen_cases(capsys: pytest.CaptureFixture[str]) -> None:
    reader, counts = CaseReader(), defaultdict[str, Counter[Outcome]](Counter)
    for family, cases in families().items():
        for case in cases:
            if case["kind"] in ("order", "follow-up") and case["pins"] == "edit":
                counts[family][outcome(case, reader)] += 1
    total = sum(counts.values(), Counter[Outcome]())
    with capsys.disabled():
        print("\n| cases | same | offered | another edit | declined |\n|---|---|---|---|---|")
        for family, found in [*counts.items(), ("all", total)]:
            row = (found["same"], found["offered"], found["other"], found["declined"])
            print(f"| {family} | " + " | ".join(map(str, row)) + " |")
    assert total.total() == sum(
        case["kind"] in ("order", "follow-up") and case["pins"] == "edit"
        for cases in families().values()
        for case in cases
    )
    assert total["same"] + total["offered"] >= LEAST_SHARE * total.total()


@pytest.mark.parametrize("case", families()["ghost_text"], ids=lambda case: case["id"])
def test_rests_of_a_line_are_suggested_as_they_were(case: Case) -> None:
    rests = [one.text for one in line_suggestions(case["above"], case["behind"], case["typed"])]
    assert rests == case["rests"]


def test_every_case_has_a_name_of_its_own_and_says_what_it_pins() -> None:
    cases = [case for found in families().values() for case in found]
    assert len({case["id"] for case in cases}) == len(cases) > 0
    assert {case["pins"] for case in cases} == {"edit", "wording"}
