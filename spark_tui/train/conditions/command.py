"""The step `conditions` of `python -m spark_tui.train`: examples, training, cross-validation, weights."""

from __future__ import annotations

import argparse
import copy
import itertools
import multiprocessing
import os
import time
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import torch

from spark_tui.intent.conditions import ranking
from spark_tui.train import array_file, corpus
from spark_tui.train.conditions import made, mined, samples
from spark_tui.train.conditions.network import Batch, Ranker, loss_of
from spark_tui.train.conditions.samples import Sample, sample_of
from spark_tui.train.corpus import Module

_MOST_BYTES = 500_000
"""Of each package, so that no large one is most of what is mined."""
_BATCH, _DROPPED, _TUNED_DROPPED, _NONE_KEPT = 48, 0.15, 0.25, 0.3
_LABEL_WEIGHT, _LABEL_OTHERS = 4.0, 160
_MADE, _MINED = 9000, 3600
"""Conditions that are made, and that are taken from packages."""
_EPOCHS, _ROUNDS, _FOLDS = 8, 14, 5
"""Times through those, times through the labelled ones, and folds of their writers."""
_BARS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("~/.cache/spark-train/conditions"))
    parser.add_argument("--processes", type=int, default=min(3, os.cpu_count() or 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ship", action="store_true", help="put the weights into the package")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m spark_tui.train conditions", description=__doc__)
    add_arguments(parser)
    args = parser.parse_args(arguments)
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - began:5.0f} s] {text}", flush=True)

    rng = Random(args.seed)
    torch.manual_seed(args.seed)
    labels = [item for item in map(sample_of, samples.labelled(samples.programs())) if item is not None]
    say(f"{len(labels)} labelled, {sum(one.right.any() for one in labels)} of them with the right candidate")
    other = gathered(args.processes, args.seed)
    say(f"{len(other)} made and mined")
    base = Ranker()
    fit(base, other, _EPOCHS, rng)
    say(f"before the labels: {figures(answers(base, labels))}")
    writers = rng.sample(found := sorted({one.writer for one in labels}), len(found))
    out = []
    for fold in range(_FOLDS):
        aside = set(writers[fold::_FOLDS])
        model = tuned(base, [one for one in labels if one.writer not in aside], other, rng)
        write(model, args.out.expanduser() / f"fold{fold}.npz")
        out += answers(model, [one for one in labels if one.writer in aside])
        say(f"fold {fold}, without {', '.join(sorted(aside))}: {figures(out)}")
    for bar in _BARS:
        over = [place == 0 for place, odds in out if odds >= bar]
        say(f"from {bar} on: {len(over)}, of these right {sum(over) / max(len(over), 1):.1%}")
    target = args.out.expanduser() / "ranking.npz"
    write(tuned(base, labels, other, rng), target)
    if args.ship:
        ranking.WEIGHTS.write_bytes(target.read_bytes())
    say(f"{target}: {target.stat().st_size} bytes")
    return 0


def gathered(processes: int, seed: int) -> list[Sample]:
    """Conditions that are made and that come from packages, each process with its share."""
    modules = [text for text in corpus.collect(_MOST_BYTES) if text.split == "train"]
    shares = [
        (_MADE // processes, _MINED // processes, modules[at::processes], seed + at)
        for at in range(processes)
    ]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return [item for share in pool.starmap(share_of, shares) for item in share]


def share_of(most_made: int, most_mined: int, modules: list[Module], seed: int) -> list[Sample]:
    """Made conditions, of which each has a right candidate, and mined ones, some of which have none."""
    rng = Random(seed)
    own = (sample_of(one, rng) for one in made.Making(samples.programs(), rng).examples())
    found = (sample_of(one, rng) for one in mined.examples(modules, rng))
    right = (item for item in own if item is not None and item.right.any())
    some = (item for item in found if item is not None and (item.right.any() or rng.random() < _NONE_KEPT))
    return [*itertools.islice(right, most_made), *itertools.islice(some, most_mined)]


def fit(model: Ranker, data: list[Sample], epochs: int, rng: Random) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-5)
    for _ in range(epochs):
        _through(model, optimizer, rng.sample(data, len(data)), _BATCH, _DROPPED)


def tuned(base: Ranker, labels: list[Sample], other: list[Sample], rng: Random) -> Ranker:
    """The model after labelled conditions, between which it sees others, so that it forgets none of them."""
    model = copy.deepcopy(base)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=1e-4)
    for number in range(_ROUNDS):
        if number == int(_ROUNDS * 0.7):
            optimizer.param_groups[0]["lr"] = 5e-4
        mixed = [replace(one.part(rng, _LABEL_OTHERS), weight=_LABEL_WEIGHT) for one in labels]
        mixed += rng.sample(other, min(len(other), 2 * len(labels)))
        _through(model, optimizer, rng.sample(mixed, len(mixed)), _BATCH // 2, _TUNED_DROPPED)
    return model


def _through(
    model: Ranker, optimizer: torch.optim.Optimizer, data: list[Sample], size: int, dropped: float
) -> None:
    for start in range(0, len(data), size):
        optimizer.zero_grad()
        loss_of(model, data[start : start + size], dropped).backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def answers(model: Ranker, data: list[Sample]) -> list[tuple[int, float]]:
    """For each sample at which place the right test stands, and how sure the first one is."""
    out = []
    with torch.no_grad():
        for one in data:
            scores, none = model(Batch.of([one]))
            order = torch.argsort(-scores)
            right = [at for at, number in enumerate(order.tolist()) if one.right[number]]
            odds = torch.softmax(torch.cat([scores, none]), 0)[order[0]].item()
            out.append((right[0] if right else len(order), odds))
    return out


def figures(found: list[tuple[int, float]]) -> str:
    first, among = (sum(place < most for place, _ in found) for most in (1, 3))
    return f"{first} first, {among} among three, of {len(found)}"


def write(model: Ranker, path: Path) -> None:
    """Writes tables of words in int8 and the rest in half precision."""
    arrays = {}
    for name, value in model.state_dict().items():
        plain, array = name.removesuffix(".weight"), value.numpy()
        if plain == name:
            arrays[plain] = array.astype(np.float16)
        else:
            scale = np.abs(array).max() / 127
            arrays[plain] = np.round(array / scale).astype(np.int8)
            arrays[f"{plain}_scale"] = np.float32(scale)
    array_file.write(path, arrays, zipfile.ZIP_DEFLATED)
