"""Cut the hand-written answers beside this file into recordings: `python make.py`; `--check` only compares.

`answers/NAME.txt` holds a few `key: value` lines, `---`, and the answer as a model would write it.
`NAME.jsonl` gets a header and then timed pieces about as long as tokens. The same answer always gives the
same bytes.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
FIRST_PIECE_SECONDS = 0.012
LONGEST_DRAFT = 6
TOKEN = re.compile(r"\n *| {2,}|[ ]?[A-Za-z]{1,8}|[0-9]|[^\w\s]{1,3}|\s|_|.", re.DOTALL)


def read_answer(path: Path) -> tuple[dict[str, str], str]:
    """The header's values and the answer below it."""
    head, _, text = path.read_text(encoding="utf-8").partition("\n---\n")
    values = {}
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        values[key] = value
    return values, text


def cut(text: str) -> list[str]:
    """Pieces of text that are about as long as tokens. Joined, they are the text."""
    return TOKEN.findall(text)


def recording(name: str, values: dict[str, str], text: str) -> str:
    """The lines of one recording. Pieces come in bursts, as accepted drafts do, at `rate` pieces a second."""
    header = {
        "spark_recording": 1,
        "name": name,
        "instruction": values["instruction"],
        "path": values["path"],
        "format": values["format"],
        "note": values["note"],
    }
    if "steers" in values:
        header["steers"] = values["steers"]
    rows: list[dict[str, object]] = [dict(header)]
    dice = random.Random(name)
    seconds_per_piece = 1 / float(values["rate"])
    seconds, left_in_burst = FIRST_PIECE_SECONDS, 0
    for piece in cut(text):
        if left_in_burst == 0:
            left_in_burst = dice.randint(1, LONGEST_DRAFT)
            seconds += seconds_per_piece * left_in_burst * dice.uniform(0.8, 1.2)
        left_in_burst -= 1
        rows.append({"t": round(seconds, 4), "text": piece})
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main(argv: list[str]) -> int:
    stale = []
    for path in sorted((HERE / "answers").glob("*.txt")):
        target = HERE / f"{path.stem}.jsonl"
        made = recording(path.stem, *read_answer(path))
        if target.exists() and target.read_text(encoding="utf-8") == made:
            continue
        stale.append(target.name)
        if "--check" not in argv:
            target.write_text(made, encoding="utf-8")
    print(("stale: " if "--check" in argv else "written: ") + (", ".join(stale) or "none"))
    return 1 if stale and "--check" in argv else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
