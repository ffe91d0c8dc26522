"""Trains the reader's network on packed examples. Resumes from a checkpoint and tells its progress."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.network import read_weights
from spark_tui.train.data_parallel import ALONE, DataParallel, free_port
from spark_tui.train.reader.dataset import Dataset
from spark_tui.train.reader.network import Batch, ReaderNetwork, Shape, loss_of

CHECKPOINT = "reader.pt"


@dataclass(frozen=True)
class Settings:
    """How long and how fast."""

    seconds: float = 480
    tokens: int = 1500
    peak: float = 2.5e-3
    warm: float = 0.04
    decay: float = 0.02
    words_speed: float = 8
    words_dropped: float = 0.08
    letters_dropped: float = 0.1
    """The share of the pieces of words that are left out of a step."""
    seed: int = 1
    save_every: float = 60
    begin: Path | None = None
    """Weights to begin with, as they ship; without them, from nothing."""
    kept: float = 0.0
    """The share of the weights that it began with in those that it ends with."""
    device: str = "cpu"
    feeders: int = 0
    """Processes that draw the batches ahead; a GPU takes what two to four draw."""


class Drawn(IterableDataset[dict[str, torch.Tensor]]):
    """Batches without end; each process that draws them has random numbers of its own."""

    def __init__(self, data: Dataset, settings: Settings, rank: int) -> None:
        self.data, self.settings, self.rank = data, settings, rank

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        settings, worker = self.settings, get_worker_info()
        rng = np.random.default_rng([settings.seed, self.rank, *([worker.id] if worker else [])])
        while True:
            for chosen in self.data.batches(rng, settings.tokens):
                arrays = _dropped(self.data.arrays(chosen), settings.words_dropped, rng)
                yield tensors(_without_letters(arrays, settings.letters_dropped, rng))


def tensors(arrays: dict[str, Any]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in arrays.items()}


def new_network(shape: Shape | None = None) -> ReaderNetwork:
    return ReaderNetwork(tuple(intents().values()), shape)


def begin_with(model: ReaderNetwork, path: Path) -> None:
    """Copies the weights of a reader. Intents that it didn't know keep the numbers of a new network. What a
    larger network has besides adds nothing at first: further layers, and rows of their hidden part."""
    weights = read_weights(path)
    with np.load(path, allow_pickle=False) as stored:
        rows = {str(name): row for row, name in enumerate(stored["trained"])}
    known = [place for place, intent in enumerate(model.intents) if intent.name in rows]
    found = [rows[model.intents[place].name] for place in known]
    for name, value in model.state_dict().items():
        stored_name = "grams" if name == "grams.weight" else name
        adds = re.search(r"layers\.\d+\.(?:out|down)\.", name) is not None
        if stored_name not in weights:
            value.mul_(0.0 if adds else 1.0)
            continue
        given = torch.from_numpy(weights[stored_name])
        if name in ("free", "intent_bias"):
            value[known] = given[found]
            continue
        if adds:
            value.zero_()
        value[tuple(map(slice, given.shape))] = given


def mix(model: ReaderNetwork, path: Path, share: float) -> None:
    """The mean with the weights that it began with, which forgets less of what they knew."""
    before = new_network(model.shape)
    before.load_state_dict(model.state_dict())
    begin_with(before, path)
    with torch.no_grad():
        for own, old in zip(model.parameters(), before.parameters(), strict=True):
            own.lerp_(old, share)


def train(
    data: Dataset,
    folder: Path,
    settings: Settings,
    say: Callable[[str], None],
    shape: Shape | None = None,
    parallel: DataParallel = ALONE,
) -> ReaderNetwork:
    """Trains for a time. The learning rate follows the share of it that has passed, so that a run that was
    interrupted ends as one that was not. Processes that train together each draw batches of their own."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    parallel.meet()
    model = new_network(shape)
    if settings.begin:
        begin_with(model, settings.begin)
    device = torch.device(settings.device)
    model.to(device)
    torch.manual_seed(settings.seed + 1000 * parallel.rank)
    decayed = [p for p in model.parameters() if p.ndim > 1 and p is not model.grams.weight]
    groups: list[dict[str, Any]] = [
        {"params": decayed, "weight_decay": settings.decay, "speed": 1.0},
        {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0, "speed": 1.0},
        {"params": [model.grams.weight], "weight_decay": 0.0, "speed": settings.words_speed},
    ]
    optimizer = torch.optim.AdamW(groups, lr=settings.peak, betas=(0.9, 0.98), fused=True)
    spent, step = _resume(folder / CHECKPOINT, model, optimizer)
    mean: dict[str, torch.Tensor] = {}
    saved = reported = spent
    model.train()
    share = spent / settings.seconds
    drawn = Drawn(data, settings, parallel.rank)
    pinned = device.type == "cuda"
    batches = iter(DataLoader(drawn, batch_size=None, num_workers=settings.feeders, pin_memory=pinned))
    while share < 1:
        began = time.perf_counter()
        rate = settings.peak * _schedule(share, settings.warm)
        for group in optimizer.param_groups:
            group["lr"] = rate * group["speed"]
        batch = Batch(**{name: value.to(device, non_blocking=True) for name, value in next(batches).items()})
        with torch.autocast(device.type, torch.bfloat16):
            loss, parts = loss_of(model, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        said_share = torch.tensor([spent / settings.seconds if parallel.leads else 0.0])
        share = float(parallel.agree(model, said_share)[0])
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        mean = {name: 0.98 * mean.get(name, value) + 0.02 * value for name, value in parts.items()}
        spent += time.perf_counter() - began
        if spent - reported > 15 and parallel.leads:
            reported = spent
            shown = ", ".join(f"{name} {float(value):.3f}" for name, value in mean.items())
            seen = step * parallel.count * settings.tokens / 1e6
            say(f"{spent:5.0f} s, step {step}, {seen:.1f}M tokens: {shown}")
        if spent - saved > settings.save_every and parallel.leads:
            saved = spent
            _save(folder / CHECKPOINT, model, optimizer, spent, step)
    parallel.part()
    if parallel.leads:
        _save(folder / CHECKPOINT, model, optimizer, spent, step)
    model.to("cpu")
    if settings.begin and settings.kept:
        mix(model, settings.begin, settings.kept)
    model.eval()
    return model


def train_together(
    stored: Path, folder: Path, settings: Settings, say: Callable[[str], None], processes: int
) -> ReaderNetwork:
    """Trains on stored examples in several processes of one thread each."""
    port = free_port() if processes > 1 else 0
    spawn = multiprocessing.get_context("spawn")
    pool = [
        spawn.Process(
            target=_beside, args=(stored, folder, settings, DataParallel(rank, processes, port)), daemon=True
        )
        for rank in range(1, processes)
    ]
    for process in pool:
        process.start()
    try:
        data = pickle.loads(stored.read_bytes())
        return train(data, folder, settings, say, parallel=DataParallel(0, processes, port))
    finally:
        for process in pool:
            process.join(10)
            process.terminate()


def _beside(stored: Path, folder: Path, settings: Settings, parallel: DataParallel) -> None:
    train(pickle.loads(stored.read_bytes()), folder, settings, lambda _: None, parallel=parallel)


def _schedule(share: float, warm: float) -> float:
    if share < warm:
        return max(share / warm, 0.02)
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min((share - warm) / (1 - warm), 1.0)))


def _dropped(arrays: dict[str, Any], share: float, rng: np.random.Generator) -> dict[str, Any]:
    """Hides the letters of some distinct words and the roles of some tokens."""
    arrays["flags"] *= rng.random((*arrays["flags"].shape[:2], 1), dtype=np.float32) >= share / 2
    hidden = rng.random(arrays["words"].shape) < share
    arrays["words"] = np.where(
        hidden, rng.permutation(arrays["words"].reshape(-1)).reshape(hidden.shape), arrays["words"]
    )
    return arrays


def _without_letters(arrays: dict[str, Any], share: float, rng: np.random.Generator) -> dict[str, Any]:
    """Leaves out some of the pieces of the distinct words, so that none of them alone is the word."""
    kept = rng.random(len(arrays["gram_ids"])) >= share
    before = np.concatenate([[0], np.cumsum(kept)])
    arrays["gram_offsets"] = before[arrays["gram_offsets"]]
    arrays["gram_ids"] = arrays["gram_ids"][kept]
    return arrays


def _save(
    path: Path, model: ReaderNetwork, optimizer: torch.optim.Optimizer, spent: float, step: int
) -> None:
    part = path.with_suffix(".part")
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "spent": spent, "step": step}
    torch.save({**state, "shape": asdict(model.shape)}, part)
    part.replace(path)


def _resume(path: Path, model: ReaderNetwork, optimizer: torch.optim.Optimizer) -> tuple[float, int]:
    if not path.exists():
        return 0.0, 0
    state = torch.load(path, weights_only=True, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return float(state["spent"]), int(state["step"])
