"""The command `python -m spark_tui.train STEP`: runs one step of making the built-in model, or all of them.
Files go to the folder `--out`, by default in the user's cache, never into the repository. The steps `reader`
and `conditions` make the reader and its ranker of conditions; they have a help of their own."""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from spark_tui.engine.text import bpe_trainer
from spark_tui.errors import SparkError
from spark_tui.train import corpus, dataset, dev_set, text_encoder
from spark_tui.train.examples import Mixer
from spark_tui.train.language_model.presets import PRESETS, Preset
from spark_tui.workspace import json_lines

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
    *,
    name: str = "",
    per_shard: int = 0,
) -> None:
    """Writes shards of a worker's own seed, without end if `shards` is None, and regularly cuts new windows
    for them. Existing shards are kept, and each turn has its own seed, so that a worker can be stopped and
    restarted. A shard has `per_shard` examples, or else so many that it can be used soon."""
    encode = text_encoder.load(tokenizer)
    modules = [module for module in corpus.read(modules_in) if module.split == "train"]
    folder.mkdir(parents=True, exist_ok=True)
    name = name or f"w{worker:02d}"
    mixer, stage = None, dataset.STAGES[stages[0]]
    for number in itertools.count():
        turn, place = divmod(number, SHARDS_PER_CUT)
        if shards is not None and number >= shards:
            return
        path = folder / f"{name}-{turn:04d}-{place}.npz"
        if place == 0:
            mixer = None
        if path.exists():
            continue
        if mixer is None:
            rng = Random(f"{name}/{turn}/{place}")
            stage = dataset.STAGES[stages[(worker + turn) % len(stages)]]
            pieces = dataset.cut(rng.sample(modules, max(1, len(modules) // 6)), stage, rng)
            mixer = Mixer(pieces, rng)
        started = time.monotonic()
        count, enough = (per_shard, None) if per_shard else (EXAMPLES, TOKENS)
        tokens = dataset.write_shard(path, mixer, encode, count, stage.max_tokens, enough)
        seconds = time.monotonic() - started
        print(f"{path.name}: {tokens} tokens in {seconds:.0f} s", file=sys.stderr, flush=True)


DEFAULT_OUT = Path("~/.cache/spark-train")


class RunFolder:
    """The files of one run, under one folder."""

    def __init__(self, out: Path, preset: Preset) -> None:
        self.out = out.expanduser()
        self.preset = preset
        self.corpus = self.out / "corpus.jsonl.gz"
        self.tokenizer = self.out / "tokenizer.json"
        self.devset = self.out / f"dev-{preset.name}.jsonl.gz"
        self.data = self.out / f"data-{preset.name}"
        self.run = self.out / f"run-{preset.name}"
        self.model = self.out / f"spark-{preset.name}"
        self.out.mkdir(parents=True, exist_ok=True)

    def modules(self, *splits: str) -> list[corpus.Module]:
        return [module for module in corpus.read(self.corpus) if not splits or module.split in splits]


def make_corpus(room: RunFolder) -> None:
    modules = corpus.collect(room.preset.limit_bytes, room.preset.packages)
    corpus.write(modules, room.corpus)
    size = sum(len(module.text) for module in modules)
    say(f"corpus: {len(modules)} modules, {size / 1e6:.1f} MB")


def make_tokenizer(room: RunFolder) -> None:
    """Trains the tokenizer on code and on instructions, so that both take few tokens."""
    modules = room.modules("train")
    rng = Random(1)
    sample = rng.sample(modules, min(len(modules), 1500))
    mixer = Mixer(dataset.cut(sample[:300], dataset.STAGES["middle"], rng), rng)
    words = [text for text in (mixer.instruction() for _ in range(16_000)) if text]
    bpe_trainer.train([*(module.text for module in sample), *words]).save(str(room.tokenizer))
    say(f"tokenizer: {len(sample)} modules, {len(words)} instructions")


def make_data(room: RunFolder) -> None:
    given = (room.corpus, room.tokenizer, room.data)
    for stage, shards in room.preset.data:
        write(*given, 0, shards, (stage,), name=stage, per_shard=room.preset.per_shard)


def run_training(room: RunFolder, *, workers: int = 0, cores: int = 1, parts: Path | None = None) -> None:
    """Trains the model and resumes from a checkpoint. With `parts`, the checkpoint is also written in small
    pieces."""
    from spark_tui.train import data_parallel
    from spark_tui.train.language_model import training_loop

    preset = room.preset
    given = (preset.shape, room.data, room.run, preset.settings)
    spawn = multiprocessing.get_context("spawn")
    port = data_parallel.free_port() if cores > 1 else 0
    pool = [
        spawn.Process(target=write, args=(room.corpus, room.tokenizer, room.data, number), daemon=True)
        for number in range(workers)
    ]
    pool += [
        spawn.Process(
            target=training_loop.train,
            args=(*given, data_parallel.DataParallel(rank, cores, port)),
            daemon=True,
        )
        for rank in range(1, cores)
    ]
    for process in pool:
        process.start()
    try:
        wait_for_data(dataset.Shards(room.data).paths, pool[:workers])
        progress = training_loop.train(*given, data_parallel.DataParallel(0, cores, port))
    finally:
        for process in pool:
            process.terminate()
    if parts is not None:
        training_loop.write_parts(room.run, parts)
        shutil.copy(room.run / "history.jsonl", parts)
    say(
        f"training: {progress.step} steps, {progress.tokens / 1e6:.2f}M "
        f"tokens, {progress.seconds / 60:.1f} minutes"
    )


def wait_for_data(paths: Callable[[], Sequence[Path]], writers: Sequence[BaseProcess]) -> None:
    """Wait until processes have made the first data; nothing to wait for without any."""
    while writers and not paths():
        if not any(process.is_alive() for process in writers):
            raise SparkError("no data was made", hint="The error of the process that makes it is above.")
        time.sleep(1)


def run_export(room: RunFolder) -> None:
    from spark_tui.train.language_model import export, training_loop

    model, state = training_loop.load_model(room.run / "checkpoint.pt")
    sources = json.loads(room.corpus.with_name("sources.json").read_text("utf-8"))
    run = {
        "tokens": state["progress"]["tokens"],
        "minutes": state["progress"]["seconds"] / 60,
        "seed": state["settings"]["seed"],
    }
    export.export(model, room.tokenizer, room.model, name=room.model.name, sources=sources, run=run)
    say(f"model: {room.model}")


def run_calibration(room: RunFolder) -> None:
    """Chooses the thresholds of the exported weights on the development set, which is built if it is
    missing."""
    from spark_tui.train import calibration

    if not room.devset.exists():
        preset = room.preset
        modules = room.modules()
        unread = dev_set.unread(modules, preset.limit_bytes) if preset.packages is None else ()
        records = dev_set.build_dev(modules, unread, per_kind=preset.dev_per_kind, others=preset.dev_others)
        json_lines.write(room.devset, records)
    records = json_lines.read(room.devset)
    if room.preset.evaluated:
        records = Random(7).sample(records, min(room.preset.evaluated, len(records)))
    say(json.dumps(calibration.calibrate(room.model, records), indent=1))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


STEPS: dict[str, Callable[[RunFolder], Any]] = {
    "corpus": make_corpus,
    "tokenizer": make_tokenizer,
    "data": make_data,
    "train": run_training,
    "export": run_export,
    "calibrate": run_calibration,
}


def run_all(room: RunFolder) -> None:
    """Runs every step in order and keeps the results that are already in the folder."""
    for step in STEPS.values():
        step(room)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["reader"]:
        from spark_tui.train.reader import command

        return command.main(arguments[1:])
    if arguments[:1] == ["conditions"]:
        from spark_tui.train.conditions import command as conditions

        return conditions.main(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m spark_tui.train", description=__doc__)
    parser.add_argument("step", choices=[*STEPS, "all"])
    parser.add_argument("--preset", choices=sorted(PRESETS), default="default")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    parser.add_argument("--minutes", type=float, help="the whole budget of training")
    parser.add_argument(
        "--workers", type=int, default=0, help="processes that make fresh data while it trains"
    )
    parser.add_argument(
        "--cores", type=int, default=1, help="processes that train one model together, one core each"
    )
    parser.add_argument(
        "--worker", type=int, help="data: write fresh shards of this seed beside those that stand"
    )
    parser.add_argument("--shards", type=int, default=8, help="data: how many shards the worker writes")
    parser.add_argument(
        "--stages", default=",".join(STAGES), help="data: how long the worker's windows are, in turn"
    )
    parser.add_argument("--parts", type=Path, help="folder that gets the checkpoint in parts of 15 MB")
    parser.add_argument("--resume-parts", type=Path, help="folder with such parts to go on from")
    given = parser.parse_args(arguments)
    preset = PRESETS[given.preset]
    if given.minutes is not None:
        preset = replace(preset, settings=replace(preset.settings, minutes=given.minutes))
    room = RunFolder(given.out, preset)
    if given.step == "all":
        run_all(room)
    elif given.step == "train":
        if given.resume_parts:
            from spark_tui.train.language_model import training_loop

            training_loop.read_parts(sorted(given.resume_parts.glob("checkpoint.part*")), room.run)
        run_training(room, workers=given.workers, cores=given.cores, parts=given.parts)
    elif given.step == "data" and given.worker is not None:
        stages = given.stages.split(",")
        write(room.corpus, room.tokenizer, room.data, given.worker, given.shards, stages)
    else:
        STEPS[given.step](room)
    return 0


if __name__ == "__main__":
    sys.exit(main())
