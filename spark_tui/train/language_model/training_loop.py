"""The training loop.

It can be resumed, stops after a budget of minutes or steps, and writes `checkpoint.pt`, `history.jsonl` and
`loss.svg`.
"""

from __future__ import annotations

import io
import json
import math
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch

from spark_tui.mesh.svg_plot import AxesPanel, Series, lines
from spark_tui.train.data_parallel import ALONE, DataParallel
from spark_tui.train.dataset import Shards, TrainingBatch
from spark_tui.train.language_model.model import TorchSpark
from spark_tui.train.language_model.optimizer import Optimizer
from spark_tui.train.language_model.presets import ModelSizes, RunSettings
from spark_tui.workspace import json_lines


def read_history(folder: Path) -> list[dict[str, float]]:
    path = folder / "history.jsonl"
    return json_lines.read(path) if path.exists() else []


def save_curve(folder: Path) -> None:
    """Loss, and the share of target tokens that are right, over millions of tokens read."""
    history = read_history(folder)
    if not history:
        return

    def panel(label: str, name: str, scale: float = 1.0) -> AxesPanel:
        points = tuple((row["tokens"] / 1e6, scale * row[name]) for row in history)
        return AxesPanel(label, (Series(name, points),))

    panels = [panel("loss", "loss"), panel("target tokens right, %", "right", 100.0)]
    (folder / "loss.svg").write_text(lines("Training", "tokens read, million", panels), "utf-8")


@dataclass(slots=True)
class Progress:
    """The progress of a run; written into the checkpoint."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0


def device_of() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


HEAD_SHARE = 0.3125
"""Share of the rows of a batch that get logits. The number is fixed for each batch shape, so that a compiled
step is reused."""


def to_device(batch: TrainingBatch, device: torch.device) -> tuple[torch.Tensor, ...]:
    """ids, tags, places, targets, weights. Places are the rows with a weight: all targets first, then file
    tokens while there is room."""
    flat = batch.weights.reshape(-1)
    places = np.nonzero(flat)[0]
    places = places[np.argsort(-flat[places], kind="stable")]
    count = math.ceil(flat.size * HEAD_SHARE / 128) * 128
    padded = np.zeros(count, np.int64)
    padded[: min(count, len(places))] = places[:count]
    targets = np.concatenate([batch.ids[:, 1:], np.zeros((len(batch.ids), 1), np.int64)], axis=1).reshape(-1)[
        padded
    ]
    weights = flat[padded].copy()
    weights[len(places) :] = 0.0
    arrays = (batch.ids, batch.tags, padded, targets, weights)
    return tuple(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays)


def schedule(done: float, step: int, settings: RunSettings) -> float:
    """The factor on both rates when the share `done` of the budget is used."""
    warm = min(1.0, (step + 1) / settings.warmup_steps)
    left = max(0.0, 1.0 - done)
    return warm * max(0.05, min(1.0, left / settings.cooldown))


def save(
    folder: Path, model: TorchSpark, optimiser: Optimizer, progress: Progress, settings: RunSettings
) -> None:
    """Writes the whole state to a second file and renames it, so that a kill leaves the previous
    checkpoint."""
    state = {
        "shape": asdict(model.shape),
        "model": model.state_dict(),
        "optimiser": optimiser.state(),
        "progress": asdict(progress),
        "settings": asdict(settings),
    }
    partial = folder / "checkpoint.partial"
    torch.save(state, partial)
    partial.rename(folder / "checkpoint.pt")


PART_BYTES = 15_000_000


def write_parts(folder: Path, out: Path) -> list[Path]:
    """Writes the checkpoint in bfloat16, cut into small files; `read_parts` joins them."""

    def small(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return (
                value.to("cpu", torch.bfloat16)
                if value.is_floating_point() and value.numel() > 1000
                else value.cpu()
            )
        if isinstance(value, dict):
            return {key: small(item) for key, item in value.items()}
        return [small(item) for item in value] if isinstance(value, list) else value

    buffer = io.BytesIO()
    torch.save(small(torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=False)), buffer)
    data = buffer.getvalue()
    paths = []
    for number, at in enumerate(range(0, len(data), PART_BYTES)):
        paths.append(out / f"checkpoint.part{number:02d}")
        paths[-1].write_bytes(data[at : at + PART_BYTES])
    return paths


def read_parts(parts: list[Path], folder: Path) -> None:
    """Writes `checkpoint.pt` from the parts, in the order of their names."""
    folder.mkdir(parents=True, exist_ok=True)
    state = torch.load(io.BytesIO(b"".join(path.read_bytes() for path in sorted(parts))), weights_only=False)
    torch.save(state, folder / "checkpoint.pt")


def load_model(path: Path, device: torch.device | None = None) -> tuple[TorchSpark, dict[str, Any]]:
    """The model of a checkpoint, and the rest of its state."""
    state: dict[str, Any] = torch.load(path, map_location=device or "cpu", weights_only=False)
    shape = ModelSizes(**{**state["shape"], "layer_windows": tuple(state["shape"]["layer_windows"])})
    model = TorchSpark(shape).to(device or torch.device("cpu"))
    model.load_state_dict(state["model"])
    return model, state


def _half(device: torch.device, settings: RunSettings) -> AbstractContextManager[Any]:
    return torch.autocast(device.type, dtype=torch.bfloat16) if settings.half else nullcontext()


def _ahead(
    batches: Iterator[TrainingBatch], device: torch.device, depth: int = 4
) -> Iterator[tuple[TrainingBatch, tuple[torch.Tensor, ...]]]:
    """Batches that a thread prepares and moves while the device computes; on a CPU they are prepared in
    turn."""
    if device.type == "cpu":
        for batch in batches:
            yield batch, to_device(batch, device)
        return
    ready: queue.Queue[tuple[TrainingBatch, tuple[torch.Tensor, ...]]] = queue.Queue(depth)
    done = threading.Event()

    def fill() -> None:
        for batch in batches:
            if done.is_set():
                return
            ready.put((batch, to_device(batch, device)))

    threading.Thread(target=fill, daemon=True, name="batches").start()
    try:
        while True:
            yield ready.get()
    finally:
        done.set()


def train(
    shape: ModelSizes, data: Path, folder: Path, settings: RunSettings, peers: DataParallel = ALONE
) -> Progress:
    """Trains until the budget is used or a signal comes, resuming from `folder` if possible. Of several
    `peers` each reads its share of every batch; the first keeps the time and the files."""
    peers.meet()
    try:
        return _train(shape, data, folder, settings, peers)
    finally:
        peers.part()


def _train(
    shape: ModelSizes, data: Path, folder: Path, settings: RunSettings, peers: DataParallel
) -> Progress:
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    device = device_of()
    if device.type == "cpu":
        torch.set_num_threads(settings.threads)
    else:
        torch.set_float32_matmul_precision("high")
    model, optimiser, progress = _begun(shape, folder, settings, device)
    if peers.leads and progress.step:
        read, minutes = progress.tokens / 1e6, progress.seconds / 60
        print(f"resumed at step {progress.step}, {read:.2f}M tokens, {minutes:.1f} min", flush=True)
    loss_of = _compiled(model, settings, device)
    shards = Shards(data, lengths=settings.lengths, share=(peers.rank, peers.count))
    batches = shards.batches(settings.tokens_per_batch * peers.count, settings.seed + progress.step)
    with _signalled() as stop, (folder / "history.jsonl").open("a", encoding="utf-8") as history:
        clock = last_save = time.perf_counter()
        figures = _Figures(device)
        for batch, arrays in _ahead(batches, device):
            done = progress.seconds / 60 / settings.minutes
            over = bool(stop) or bool(settings.max_steps and progress.step >= settings.max_steps)
            with _half(device, settings):
                loss, right, full = loss_of(*arrays)
            loss.backward()
            mine = [done * peers.leads, float(over or done >= 1), float(batch.tokens)]
            done, over_any, read = peers.agree(model, torch.tensor(mine)).tolist()
            if over_any:
                break
            optimiser.step(schedule(done, progress.step, settings))
            optimiser.zero_grad()
            progress.step += 1
            progress.tokens += int(read)
            figures.add(loss, right, full, int(read))
            now = time.perf_counter()
            progress.seconds += now - clock
            clock = now
            if not peers.leads:
                continue
            if progress.step % 50 == 0:
                line = json.dumps(figures.taken(progress, now))
                history.write(line + "\n")
                history.flush()
                print(line, flush=True)
            if now - last_save > settings.save_minutes * 60:
                save(folder, model, optimiser, progress, settings)
                save_curve(folder)
                last_save = now
    if peers.leads:
        save(folder, model, optimiser, progress, settings)
        save_curve(folder)
    return progress


def _begun(
    shape: ModelSizes, folder: Path, settings: RunSettings, device: torch.device
) -> tuple[TorchSpark, Optimizer, Progress]:
    """The state of the checkpoint in the folder, or that of a new run."""
    path, progress = folder / "checkpoint.pt", Progress()
    model, state = load_model(path, device) if path.exists() else (TorchSpark(shape).to(device), None)
    optimiser = Optimizer(model, matrix_rate=settings.matrix_rate, table_rate=settings.table_rate)
    if state is not None:
        optimiser.load(state["optimiser"])
        known = {field.name for field in fields(Progress)}
        progress = Progress(**{key: value for key, value in state["progress"].items() if key in known})
    return model, optimiser, progress


def _compiled(model: TorchSpark, settings: RunSettings, device: torch.device) -> Callable[..., Any]:
    """The loss of the model, compiled if the settings say so."""
    if not settings.compiled:
        return model.loss
    torch._dynamo.config.recompile_limit = 64
    if device.type != "cpu":
        compiled: Callable[..., Any] = torch.compile(model.loss, dynamic=False)
        return compiled
    model.compile_parts()
    return model.loss


@contextmanager
def _signalled() -> Iterator[list[int]]:
    """A list that gets an item when a signal asks the run to stop."""
    stop: list[int] = []
    numbers = (signal.SIGTERM, signal.SIGINT)
    previous = {number: signal.signal(number, lambda *_: stop.append(1)) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


class _Figures:
    """Loss, share of right tokens and speed of the steps since the last line of the history."""

    def __init__(self, device: torch.device) -> None:
        self._one = torch.ones((), device=device)
        self._sums = torch.zeros(4, device=device)
        self._tokens, self._since = 0, time.perf_counter()

    def add(self, loss: torch.Tensor, right: torch.Tensor, full: torch.Tensor, tokens: int) -> None:
        self._sums += torch.stack([loss.detach().float(), self._one, right.float(), full.float()])
        self._tokens += tokens

    def taken(self, progress: Progress, now: float) -> dict[str, float]:
        """The line for the history; the next one begins at zero."""
        total, count, hits, of = self._sums.tolist()
        rate = self._tokens / max(now - self._since, 1e-9)
        self._sums.zero_()
        self._tokens, self._since = 0, now
        return {
            "step": progress.step,
            "tokens": progress.tokens,
            "minutes": round(progress.seconds / 60, 2),
            "loss": round(total / count, 4),
            "right": round(hits / max(of, 1), 4),
            "tokens_per_s": round(rate),
        }
