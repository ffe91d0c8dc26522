"""Fresh shards while a training runs: as many as are wanted, or without end.

Comes in: a corpus, a tokenizer, a folder, a worker's number. Goes out: shards that no other worker writes.
Must not know: models, the training.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from spark_tui.train import bpe_vocabulary, corpus, dataset
from spark_tui.train.examples import Mixer, pools_of

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
    """Shards of a worker's own seed, without end where `shards` is None; now and then new windows are cut for
    them.

    What stands already is kept, and each turn of a worker has its own chance: it may be stopped and started
    again.
    """
    encode = bpe_vocabulary.load(tokenizer)
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
            mixer = Mixer(pieces, pools_of(pieces), rng)
        started = time.monotonic()
        tokens = dataset.write_shard(path, mixer, encode, EXAMPLES, stage.max_tokens, TOKENS)
        seconds = time.monotonic() - started
        print(f"{path.name}: {tokens} tokens in {seconds:.0f} s", file=sys.stderr, flush=True)
