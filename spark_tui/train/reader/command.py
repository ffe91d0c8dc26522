"""The step `reader` of `python -m spark_tui.train`: examples, training, calibration, weights, evaluation."""

from __future__ import annotations

import argparse
import json
import os
import pickle
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import spark_tui
from spark_tui.intent.reading import evaluation
from spark_tui.intent.reading import reader as shipped
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.word_counts import BUCKETS, WEIGHTS, buckets, said_words
from spark_tui.intent.words.tokens import tokenize
from spark_tui.train import corpus
from spark_tui.train.corpus import Module
from spark_tui.train.reader import asked, cases, making
from spark_tui.train.reader.plain_words import write_plain_words
from spark_tui.train.sentences import wordings
from spark_tui.train.sentences.wordings import Voice
from spark_tui.workspace import json_lines

CALIBRATION_VOICES = ("junior_question", "phone_typos")
"""Voices that calibration is fitted on. They are not trained on."""
MODULE_BYTES = 150_000
HELD_OUT_MODULES = 60
SCENES = 900
CURVE_CASES = 1200
_MOST_COUNTED = 255
PACKAGED_CASES = Path(spark_tui.__file__).parent / "evals" / "reader.jsonl.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("~/.cache/spark-train/reader"))
    parser.add_argument("--seconds", type=float, default=460, help="time of training alone")
    parser.add_argument("--examples", type=int, default=160_000)
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--device", default="cpu", help="where the network trains: cpu or cuda")
    parser.add_argument("--feeders", type=int, default=0, help="processes that draw batches for the device")
    parser.add_argument(
        "--asked", type=int, default=20, help="how often each instruction of `train/asked` is said"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with (a reader.npz), not from nothing")
    parser.add_argument("--keep", type=float, default=0.0, help="the share of those weights in the result")
    parser.add_argument("--peak", type=float, default=2.5e-3, help="the highest learning rate")
    parser.add_argument("--ship", action="store_true", help="put the weights and the cases into the package")
    parser.add_argument(
        "--curve", action="store_true", help="train on parts of the data; write a table and SVG"
    )
    parser.add_argument("--count-words", action="store_true", help="count which words go with which intents")
    parser.add_argument(
        "--plain-words", action="store_true", help="list the words that are hardly ever names"
    )


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Trains a reader and writes `reader.npz`, `cases.jsonl.gz` and `report.json`."""
    out: Path = args.out.expanduser()
    out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - began:5.0f} s] {text}", flush=True)

    modules = corpus.collect(MODULE_BYTES)
    every = wordings.voices()
    trained = _trained(every)
    sentences = sum(len(said) for voice in trained for said in voice.sentences.values())
    say(f"{len(modules)} modules; {len(trained)} voices to train on, {sentences} sentences")
    if args.curve:
        return _curve(out, trained, modules, every, args, say)
    from spark_tui.train.reader import calibrating, export

    model = _network(out, trained, modules, args, say)
    aside = [voice for voice in every if voice.name in CALIBRATION_VOICES]
    own = evaluation_cases(aside, modules, seed=9, split="train")
    own += asked_cases()
    calibration = calibrating.fit(shipped.Reader(export.numpy_network(model)), own)
    say(f"{calibration}")
    export.write(model, calibration, out / "reader.npz")
    held_out = [voice for voice in every if voice.held_out]
    records = evaluation_records(held_out or aside, modules)
    json_lines.write(out / "cases.jsonl.gz", records)
    written = shipped.Reader.load(out / "reader.npz")
    report = evaluate_cases(written, [evaluation.case_from(record) for record in records])
    report["aside"] = evaluate_cases(written, own)["all"]
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    for row in (*report["voices"], *report["languages"], {"name": "kept aside", **report["aside"]}):
        say(json.dumps(row))
    if args.ship:
        shipped.WEIGHTS.write_bytes((out / "reader.npz").read_bytes())
        PACKAGED_CASES.write_bytes((out / "cases.jsonl.gz").read_bytes())
    return report


def _network(
    out: Path, voices: Sequence[Voice], modules: Sequence[Module], args: argparse.Namespace, say: Any
) -> Any:
    """The trained network. Examples are kept in the folder until the training has ended."""
    from spark_tui.train.reader import training
    from spark_tui.train.reader.dataset import Dataset

    stored = out / "examples.pickle"
    if not stored.exists():
        (out / training.CHECKPOINT).unlink(missing_ok=True)
        seen = [module for module in modules if module.split == "train"]
        work = making.plans(
            voices,
            seen,
            args.examples,
            args.processes,
            scenes=SCENES,
            seed=args.seed,
            asked=[item for item in asked.asked() if item.package not in asked.UNTRAINED_PACKAGES],
            asked_times=args.asked,
        )
        data = Dataset(making.make_packs(work))
        stored.write_bytes(pickle.dumps(data))
        say(f"{len(data)} examples, {len(data.words)} tokens")
    settings = training.Settings(
        seconds=args.seconds,
        peak=args.peak,
        seed=args.seed,
        begin=args.begin,
        kept=args.keep,
        device=args.device,
        feeders=args.feeders,
    )
    model = training.train_together(stored, out, settings, say, args.processes)
    stored.unlink()
    return model


def _curve(
    out: Path,
    trained: Sequence[Voice],
    modules: Sequence[Module],
    every: Sequence[Voice],
    args: argparse.Namespace,
    say: Any,
) -> dict[str, Any]:
    """Writes `curve.md` and `curve.svg` from several short trainings."""
    from spark_tui.train.reader import curve

    seen = [module for module in modules if module.split == "train"]
    own = evaluation_cases([voice for voice in every if voice.held_out], modules)
    rows = curve.points(
        trained,
        seen,
        Random(5).sample(own, min(len(own), CURVE_CASES)),
        out,
        examples=args.examples,
        seconds=args.seconds,
        processes=args.processes,
        say=say,
    )
    (out / "curve.md").write_text(curve.markdown(rows, args.seconds), "utf-8")
    (out / "curve.svg").write_text(curve.svg(rows), "utf-8")
    return {"curve": rows}


def _trained(every: Sequence[Voice]) -> list[Voice]:
    return [voice for voice in wordings.for_training(every) if voice.name not in CALIBRATION_VOICES]


def evaluation_records(
    voices: Sequence[Voice], modules: Sequence[Module], seed: int = 4, split: str = ""
) -> Any:
    """Records for these voices, in code that was not trained on unless a split is named."""
    usable = [m for m in modules if (m.split == split if split else m.split != "train")]
    chosen = Random(seed).sample(usable, min(HELD_OUT_MODULES, len(usable)))
    return list(cases.records(voices, chosen, seed))


def evaluation_cases(
    voices: Sequence[Voice], modules: Sequence[Module], seed: int = 4, split: str = ""
) -> list[evaluation.ReadingCase]:
    return [evaluation.case_from(record) for record in evaluation_records(voices, modules, seed, split)]


def asked_cases() -> list[evaluation.ReadingCase]:
    """The instructions in real code that are not trained on."""
    aside = (item for item in asked.asked() if item.package in asked.FITTED)
    return [evaluation.case_from(cases.record_of(item.example, item.roles)) for item in aside]


def evaluate_cases(reader: shipped.Reader, own: Sequence[evaluation.ReadingCase]) -> dict[str, Any]:
    scores = [evaluation.judge_case(case, reader.read(case.text, case.symbols, case.earlier)) for case in own]
    return evaluation.evaluation_report(scores)


def count_words() -> None:
    """Writes `word_counts.npz`: which words go with which intents in the sentences of the voices."""
    names = list(intents())
    place = {name: at for at, name in enumerate(names)}
    counts = np.zeros((BUCKETS, len(names)), dtype=np.int64)

    def add(text: str, intent: str) -> None:
        if intent in place:
            singles, pairs = buckets(said_words(tokenize(text).items))
            np.add.at(counts, ([*singles, *pairs], place[intent]), 1)

    for voice in _trained(wordings.voices()):
        for intent, sentences in voice.sentences.items():
            for sentence in sentences:
                add(" ".join(sentence.pieces[::2]), intent)
    most = np.minimum(counts, _MOST_COUNTED).astype(np.uint8)
    np.savez_compressed(WEIGHTS, names=np.array(names), counts=most)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m spark_tui.train reader", description=__doc__)
    add_arguments(parser)
    args = parser.parse_args(arguments)
    if args.count_words:
        count_words()
    elif args.plain_words:
        write_plain_words()
    else:
        run(args)
    return 0
