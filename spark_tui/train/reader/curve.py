"""Learning curves: how well unseen voices are read, by how many writers and examples were learned from."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from spark_tui.intent.evaluation import ReadingCase, judge, report
from spark_tui.intent.intent_table import intents
from spark_tui.intent.reader import Calibration, Reader
from spark_tui.train.corpus import Module
from spark_tui.train.reader import making
from spark_tui.train.reader.wordings import Voice

WRITER_STEPS = (2, 8, 16, 32)
EXAMPLE_STEPS = (0.1, 0.3, 1.0)
WIDTH, HEIGHT, LEFT, BOTTOM = 560, 300, 46, 40


def points(
    voices: Sequence[Voice],
    modules: Sequence[Module],
    cases: Sequence[ReadingCase],
    folder: Path,
    *,
    examples: int,
    seconds: float,
    processes: int,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """One row for each training: all examples by some of the writers, then some of the examples by all. A
    point that is already in the folder is kept, so that a run that was interrupted goes on."""
    shuffled = Random(11).sample(list(voices), len(voices))
    steps = [min(step, len(voices)) for step in WRITER_STEPS]
    wanted = [("writers", count, 1.0) for count in dict.fromkeys([*steps, len(voices)])]
    wanted += [("examples", len(voices), share) for share in EXAMPLE_STEPS[:-1]]
    rows: list[dict[str, Any]] = []
    for kind, count, share in wanted:
        path = folder / f"{kind}-{count}-{share}.json"
        if not path.exists():
            row = _train(shuffled[:count], modules, cases, folder, int(examples * share), seconds, processes)
            own = {"curve": kind, "writers": count, "examples": int(examples * share), **row}
            path.write_text(json.dumps(own), "utf-8")
        rows.append(json.loads(path.read_text("utf-8")))
        say(json.dumps(rows[-1]))
    return rows


def _train(
    voices: Sequence[Voice],
    modules: Sequence[Module],
    cases: Sequence[ReadingCase],
    folder: Path,
    examples: int,
    seconds: float,
    processes: int,
) -> dict[str, float]:
    from spark_tui.train.reader import export, training
    from spark_tui.train.reader.dataset import Dataset

    work = making.plans(voices, modules, examples, processes, scenes=500, seed=1)
    data = Dataset(making.make_packs(work))
    (folder / training.CHECKPOINT).unlink(missing_ok=True)
    model = training.train(data, folder, training.Settings(seconds=seconds), lambda _: None)
    reader = Reader(export.numpy_network(model), Calibration())
    scores = [judge(case, reader.read(case.text, case.symbols, case.earlier)) for case in cases]
    found = report(scores)
    shares = {key: float(found["all"][key]) for key in ("intent", "first_five", "right")}
    return {**shares, **{f"intent_{row['name']}": row["intent"] for row in found["languages"]}}


def markdown(rows: Sequence[dict[str, Any]], seconds: float) -> str:
    """The rows as a table."""
    lines = [
        f"Each row is a training of its own, {seconds:.0f} s of one core, {len(intents())} intents.",
        "",
        "| writers | examples | intent | among the first five | intent and all slots |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        shares = " | ".join(f"{100 * row[key]:.1f} %" for key in ("intent", "first_five", "right"))
        lines.append(f"| {row['writers']} | {row['examples']:,} | {shares} |")
    return "\n".join(lines) + "\n"


def svg(rows: Sequence[dict[str, Any]]) -> str:
    """The curve over writers: intent, first five, and intent with all slots."""
    own = [row for row in rows if row["curve"] == "writers"]
    most = max(row["writers"] for row in own)

    def place(writers: float, share: float) -> str:
        x = LEFT + (WIDTH - LEFT - 120) * writers / most
        return f"{x:.1f},{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20) * share:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        left, right = place(0, share), place(most, share)
        parts.append(f'<polyline points="{left} {right}" stroke="#ddd" fill="none"/>')
        y = float(left.split(",")[1]) + 4
        parts.append(f'<text x="{LEFT - 8}" y="{y:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
    for row in own:
        x = place(row["writers"], 0).split(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{row["writers"]}</text>')
    for key, name, colour in (
        ("first_five", "first five", "#888888"),
        ("intent", "intent", "#1f6feb"),
        ("right", "and all slots", "#1a7f37"),
    ):
        line = " ".join(place(row["writers"], row[key]) for row in own)
        end, height = place(own[-1]["writers"], own[-1][key]).split(",")
        parts.append(f'<polyline points="{line}" stroke="{colour}" stroke-width="2" fill="none"/>')
        parts.append(
            f'<text x="{float(end) + 6:.1f}" y="{float(height) + 4:.1f}" fill="{colour}">{name}</text>'
        )
    middle = (LEFT + WIDTH - 120) / 2
    label = f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">writers learned from</text>'
    return "".join([*parts, label, "</svg>\n"])
