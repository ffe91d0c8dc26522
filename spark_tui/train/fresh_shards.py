"""Writes new shards while a training runs.

Each worker writes files of its own, from windows that are cut again every few shards.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from spark_tui.train import corpus, dataset, text_encoder
from spark_tui.train.examples import Mixer, common_names

STAGES = ("short", "middle", "long")
SHARDS_PER_CUT = 4
EXAMPLES = 20_000
TOKENS = 1_200_000


def write(
    modules_in: Path,
    tokenizer: Path,
    folder: Path,
    worker: int,
    shards: int | None = None,
    stages: Sequence[str] = STAGES,
) -> None:
    """Writes shards of a worker's own seed, without end if `shards` is None, and regularly cuts new windows
    for them. Existing shards are kept, and each turn has its own seed, so that a worker can be stopped and
    restarted."""
    encode = text_encoder.load(tokenizer)
    modules = [module for module in corpus.read(modules_in) if module.split == "train"]
    folder.mkdir(parents=True, exist_ok=True)
    mixer, stage = None, dataset.STAGES[stages[0]]
    for number in itertools.count():
        turn, place = divmod(number, SHARDS_PER_CUT)
        if shards is not None and number >= shards:
            return
        path = folder / f"w{worker:02d}-{turn:04d}-{place}.npz"
        if place == 0:
            mixer = None
        if path.exists():
            continue
        if mixer is None:
            rng = Random(f"{worker}/{turn}/{place}")
            stage = dataset.STAGES[stages[(worker + turn) % len(stages)]]
            pieces = dataset.cut(rng.sample(modules, max(1, len(modules) // 6)), stage, rng)
            mixer = Mixer(pieces, common_names(pieces), rng)
        started = time.monotonic()
        tokens = dataset.write_shard(path, mixer, encode, EXAMPLES, stage.max_tokens, TOKENS)
        seconds = time.monotonic() - started
        print(f"{path.name}: {tokens} tokens in {seconds:.0f} s", file=sys.stderr, flush=True)
