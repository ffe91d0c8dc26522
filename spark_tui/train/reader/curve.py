"""Learning curves: how well unseen voices are read, by how many writers and examples were learned from."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from spark_tui.intent.reading.evaluation import ReadingCase, evaluation_report, judge_case
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.reader import Calibration, Reader
from spark_tui.mesh.svg_plot import AxesPanel, Series, lines
from spark_tui.train.corpus import Module
from spark_tui.train.reader import making
from spark_tui.train.reader.dataset import Dataset
from spark_tui.train.sentences.wordings import Voice

WRITER_STEPS = (2, 8, 16, 32)
EXAMPLE_STEPS = (0.1, 0.3, 1.0)


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
            many = int(examples * share)
            work = making.plans(shuffled[:count], modules, many, processes, scenes=500, seed=1)
            row = _train(Dataset(making.make_packs(work)), cases, folder, seconds)
            own = {"curve": kind, "writers": count, "examples": many, **row}
            path.write_text(json.dumps(own), "utf-8")
        rows.append(json.loads(path.read_text("utf-8")))
        say(json.dumps(rows[-1]))
    return rows


def _train(data: Dataset, cases: Sequence[ReadingCase], folder: Path, seconds: float) -> dict[str, float]:
    from spark_tui.train.reader import export, training

    (folder / training.CHECKPOINT).unlink(missing_ok=True)
    model = training.train(data, folder, training.Settings(seconds=seconds), lambda _: None)
    reader = Reader(export.numpy_network(model), Calibration())
    scores = [judge_case(case, reader.read(case.text, case.symbols, case.earlier)) for case in cases]
    found = evaluation_report(scores)
    shares = {key: float(found["all"][key]) for key in ("intent", "first_five", "right")}
    return {**shares, **{f"intent_{row['name']}": row["intent"] for row in found["languages"]}}


def markdown(rows: Sequence[dict[str, Any]], seconds: float) -> str:
    table = [
        f"Each row is a training of its own, {seconds:.0f} s of one core, {len(intents())} intents.",
        "",
        "| writers | examples | intent | among the first five | intent and all slots |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        shares = " | ".join(f"{100 * row[key]:.1f} %" for key in ("intent", "first_five", "right"))
        table.append(f"| {row['writers']} | {row['examples']:,} | {shares} |")
    return "\n".join(table) + "\n"


def svg(rows: Sequence[dict[str, Any]]) -> str:
    """The curve over writers: intent, first five, and intent with all slots."""
    own = [row for row in rows if row["curve"] == "writers"]
    named = (("first five", "first_five"), ("intent", "intent"), ("and all slots", "right"))
    series = [Series(name, tuple((row["writers"], 100 * row[key]) for row in own)) for name, key in named]
    return lines("Unseen voices", "writers learned from", [AxesPanel("% right", tuple(series))])
