"""Writes shards of examples to disk and reads them back as padded batches of similar length.

A shard is an `.npz` file with token ids, offsets, groups and answer spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.text import token_layout
from spark_tui.train.corpus import Module
from spark_tui.train.examples import Mixer
from spark_tui.train.generated.identifier_randomizer import randomize_identifiers, word_pool
from spark_tui.train.generated.programs import programs
from spark_tui.train.generated.small_files import small_files
from spark_tui.train.sequences import GROUPS, Encode
from spark_tui.train.source_windows import SourceWindow, windows

LENGTHS = (64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096)
"""Padded lengths: few, so that a compiled step is reused."""


POINTING = 2.5
"""Weight of a line's tag in an answer, relative to other tokens: one wrong tag spoils the whole answer. At
70M tokens more than half of the wrong answers went wrong first at a tag."""


@dataclass(frozen=True, slots=True)
class DataStage:
    """The lengths of windows in lines and of sequences in tokens. For each window there are `files` small
    whole files, and for each of both `programs` generated programs of at most `program_lines` lines."""

    window_lines: tuple[int, ...]
    max_tokens: int
    files: float = 0.0
    programs: float = 0.0
    program_lines: int = 95
    strange: float = 0.35
    """Share of windows whose names, numbers and words are replaced."""


STAGES = {
    "short": DataStage((8, 12, 16, 24), 320),
    "middle": DataStage((12, 20, 30, 45, 60), 640, 0.8, 0.33, 52),
    "wide": DataStage((30, 45, 60, 80), 1152, 0.8, 0.36),
    "long": DataStage((16, 30, 60, 90, 140, 220), 2048, 0.5, 0.2),
}


WORDS_FROM = 400
"""Number of modules whose words are used in changed windows and generated programs."""


def cut(modules: Sequence[Module], stage: DataStage, rng: Random, per_module: int = 12) -> list[SourceWindow]:
    """Windows of all modules; larger modules give more."""
    out: list[SourceWindow] = []
    for module in modules:
        count = max(2, min(per_module, len(module.text) // 2500))
        before = len(out)
        for limit in rng.sample(stage.window_lines, min(len(stage.window_lines), 3)):
            out += windows(module.path, module.text, rng, limit=limit, count=max(1, count // 3))
        if stage.files:
            out += small_files(module.path, module.text, rng, count=round(stage.files * (len(out) - before)))
    words = word_pool(module.text for module in rng.sample(modules, min(len(modules), WORDS_FROM)))
    some = programs(rng, words, round(stage.programs * len(out)), stage.program_lines)
    for path, text in some:
        out.append(SourceWindow(path, text))
        out[-1].invented = True
    return [_invented(window, words, rng) if rng.random() < stage.strange else window for window in out]


def _invented(window: SourceWindow, words: Sequence[str], rng: Random) -> SourceWindow:
    """The window with names and words drawn at random, or the window itself if that cannot be done."""
    made = randomize_identifiers(window, words, rng)
    if made is None:
        return window
    made.invented = True
    return made


def write_shard(
    path: Path, mixer: Mixer, encode: Encode, count: int, max_tokens: int, enough: int | None = None
) -> int:
    """Writes `count` examples, or fewer if they reach `enough` tokens; returns the tokens. The file is
    written atomically."""
    ids: list[int] = []
    offsets, groups, span_offsets = [0], [], [0]
    spans: list[tuple[int, int]] = []
    for number, example in enumerate(mixer.examples(encode, max_tokens)):
        if number == count or (enough is not None and len(ids) >= enough):
            break
        ids += example.ids
        offsets.append(len(ids))
        groups.append(GROUPS.index(example.group))
        spans += example.spans
        span_offsets.append(len(spans))
    partial = path.with_suffix(".partial.npz")
    np.savez_compressed(
        partial,
        ids=np.array(ids, np.uint16),
        offsets=np.array(offsets, np.uint32),
        groups=np.array(groups, np.uint8),
        spans=np.array(spans, np.uint16),
        span_offsets=np.array(span_offsets, np.uint32),
    )
    partial.rename(path)
    return len(ids)


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """Padded ids `[B, T]`, the tag rows that go with them (0 for none), and the weight of each target
    token."""

    ids: NDArray[np.int64]
    tags: NDArray[np.int64]
    weights: NDArray[np.float32]
    """`weights[b, t]` is for predicting `ids[b, t + 1]`."""

    @property
    def tokens(self) -> int:
        return int((self.ids != token_layout.PAD).sum())


def tag_rows(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """What `line_tags.TagTrack` adds, for padded sequences at once: the tag's id, or 0."""
    is_operator = ids < token_layout.OPERATOR_COUNT
    is_tag = (ids >= token_layout.TAG_FIRST_ID) & (ids < token_layout.TAG_FIRST_ID + token_layout.TAG_COUNT)
    place = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
    keeps_open = is_operator & ((ids == token_layout.FILE) | (ids == token_layout.GAP))
    last_operator = np.maximum.accumulate(np.where(is_operator, place, -1), axis=1)
    last_tag = np.maximum.accumulate(np.where(is_tag, place, -1), axis=1)
    rows = np.arange(ids.shape[0])[:, None]
    open_here = keeps_open[rows, np.maximum(last_operator, 0)] & (last_operator >= 0)
    active = open_here & (last_tag > last_operator) & ~is_tag & ~is_operator
    return np.where(active, ids[rows, np.maximum(last_tag, 0)], 0)


FILE_SHARE, FILE_WEIGHT = 0.125, 0.2
"""The share of the tokens of a file that are targets, too, and their weight."""


class Shards:
    """The shards of a folder. The folder is listed again at each pass, so that new shards are used."""

    def __init__(
        self, folder: Path, *, lengths: Sequence[int] = LENGTHS, share: tuple[int, int] = (0, 1)
    ) -> None:
        """`share` is the index of this reader and the number of readers. All draw the same batches, and each
        takes its own rows."""
        self.folder = folder
        self.lengths = lengths
        self.share = share

    def paths(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("*.npz") if ".partial" not in path.name)

    def batches(self, tokens_per_batch: int, seed: int) -> Iterator[TrainingBatch]:
        """Yields batches without end. A shard that has not been read comes before any is read again."""
        rng = np.random.default_rng(seed)
        seen: set[Path] = set()
        while True:
            paths = self.paths()
            if not paths:
                raise FileNotFoundError(f"no shards in {self.folder}")
            fresh = [path for path in paths if path not in seen]
            for number in rng.permutation(len(fresh or paths))[:4]:
                path = (fresh or paths)[number]
                seen.add(path)
                with np.load(path) as data:
                    shard = {key: data[key] for key in data.files}
                mine, count = self.share
                for length, rows in self._plan(shard["offsets"], tokens_per_batch, rng):
                    own = np.random.default_rng((int(rng.integers(1 << 31)), mine))
                    yield self.batch(shard, rows[mine::count] or rows, length, own)

    def _plan(
        self, offsets: NDArray[np.uint32], tokens: int, rng: np.random.Generator
    ) -> list[tuple[int, list[int]]]:
        """Groups rows of similar length, in random order."""
        sizes = np.diff(offsets.astype(np.int64))
        plans: list[tuple[int, list[int]]] = []
        low = 0
        for length in self.lengths:
            rows = rng.permutation(np.nonzero((sizes > low) & (sizes <= length))[0]).tolist()
            step = max(1, tokens // length // self.share[1]) * self.share[1]
            plans += [
                (length, rows[at : at + step])
                for at in range(0, len(rows), step)
                if len(rows[at : at + step]) == step or at == 0
            ]
            low = length
        return [plans[number] for number in rng.permutation(len(plans))]

    def batch(
        self, shard: Mapping[str, NDArray[Any]], rows: list[int], length: int, rng: np.random.Generator
    ) -> TrainingBatch:
        """Pads rows of a shard. Answers have full weight, their tags more, and a random share of the other
        tokens little."""
        out = np.zeros((len(rows), length), np.int64)
        weights = np.zeros((len(rows), length), np.float32)
        code = GROUPS.index("code")
        for place, row in enumerate(rows):
            piece = shard["ids"][shard["offsets"][row] : shard["offsets"][row + 1]].astype(np.int64)
            out[place, : len(piece)] = piece
            light = rng.random(len(piece) - 1) < FILE_SHARE
            weights[place, : len(piece) - 1][light] = FILE_WEIGHT
            weights[place, 0] = 0.0
            full = 0.4 if shard["groups"][row] == code else 1.0
            for start, end in shard["spans"][shard["span_offsets"][row] : shard["span_offsets"][row + 1]]:
                answer = slice(int(start) - 1, int(end) - 1)
                tags = (piece[int(start) : int(end)] >= token_layout.TAG_FIRST_ID) & (full >= 1.0)
                weights[place, answer] = np.where(tags, POINTING * full, full)
        return TrainingBatch(out, tag_rows(out), weights)
