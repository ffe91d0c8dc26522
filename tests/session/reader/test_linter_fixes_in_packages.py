"""What becomes of real problems: those that ruff reports in an installed package, pasted one by one.

`pytest -m slow -n 0 -s tests/session/reader/test_linter_fixes_in_packages.py` prints the counts.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
import rich

from spark_tui.context.shown_context import ContextRequest
from spark_tui.problems.ruff import find_ruff
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.reader_edits import Base
from spark_tui.session.tree.exact_edits import ExactEdits

RULES = (
    "A,ARG,ANN2,B,C4,D2,D4,DTZ,E4,E7,E9,EM,ERA,F,FLY,FURB,G,I,ISC,N80,PERF,PIE,PL,PTH,RET,RSE,RUF,SIM,TRY,UP"
)
CHAINS = ("RET505", "RET506", "RET507", "RET508")
"""A fix of an `elif` makes one of the next."""


def reported(root: Path, path: str, rules: str, text: str | None = None) -> list[dict[str, Any]]:
    words = [find_ruff(), "check", "--isolated", "--no-cache", "--exit-zero", "--preview", "--quiet"]
    given = [path] if text is None else ["--stdin-filename", path, "-"]
    command = [*words, "--output-format=json", f"--select={rules}", *given]
    done = subprocess.run(command, cwd=root, input=(text or "").encode(), capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_fix_takes_the_problem_away_and_leaves_code(tmp_path: Path) -> None:
    if find_ruff() is None:
        pytest.skip("needs ruff")
    shutil.copytree(
        Path(rich.__file__).parent, tmp_path / "rich", ignore=shutil.ignore_patterns("__pycache__")
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    rules = defaultdict(list)
    for row in reported(tmp_path, "rich", RULES):
        rules[row["code"]].append(row)
    drawn = [
        row for _, rows in sorted(rules.items()) for row in random.Random(9).sample(rows, min(2, len(rows)))
    ]
    edits, reader, came, left = ExactEdits(tmp_path), InstructionReader(), Counter[str](), []
    for row in drawn:
        path, code, at = str(Path(row["filename"]).relative_to(tmp_path)), row["code"], row["location"]
        told = f"{path}:{at['row']}:{at['column']}: {code} {row['message']}"
        found = reader.read(ContextRequest(told, path), edits, Base(edits.repo))
        if found.ending != "stop":
            came[found.ending] += 1
            continue
        planned, text = found.ways[0].planned, edits.repo.index.text(path) or ""
        new = planned.plan.texts(edits.repo)[path] or ""
        plain = not (planned.doubts or planned.left)
        came["unmarked" if plain else "marked"] += 1
        assert compile_error(new) is None or not plain, told
        gone = len(reported(tmp_path, path, code, new)) < len(reported(tmp_path, path, code, text))
        left += [] if gone or code in CHAINS else [(told, plain)]
    print(f"\n{len(drawn)} problems of {len(rules)} rules: {dict(came)}; still reported: {len(left)}")
    assert not [told for told, plain in left if plain]
    assert came["unmarked"] + came["marked"] > 0.4 * len(drawn) and len(left) < 0.05 * len(drawn)
