"""The sizes that a run can have, from a test's to a GPU's: corpus, data, model and budget."""

from __future__ import annotations

from dataclasses import dataclass, field

from spark_tui.train.run_settings import ModelSizes, RunSettings


@dataclass(frozen=True, slots=True)
class Preset:
    """One size of run. `packages` None takes all permissive ones; `data` names stages and their shards."""

    name: str
    shape: ModelSizes
    settings: RunSettings
    data: tuple[tuple[str, int], ...]
    per_shard: int = 20_000
    packages: frozenset[str] | None = None
    limit_bytes: int = 2_500_000
    test_per_kind: dict[str, int] | None = None
    test_others: dict[str, int] | None = None
    evaluated: int = 0
    """Number of development cases that `all` calibrates with; 0 is all of them."""
    notes: tuple[str, ...] = field(default=())


TIGHT = (96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1152)
"""Padded lengths for slow machines: a tenth of the tokens is padding; with half as many lengths it is a
quarter."""

PRESETS = {
    "tiny": Preset(
        "tiny",
        ModelSizes(64, 128, 2, 2, 1, 32, (64, 0)),
        RunSettings(minutes=0.7, tokens_per_batch=2048, warmup_steps=10, max_steps=120, half=False),
        (("short", 1),),
        per_shard=400,
        packages=frozenset({"python", "click", "rich"}),
        limit_bytes=900_000,
        test_per_kind={"seen": 1, "phrasing": 1, "package": 1},
        test_others={"composition": 2, "steer": 2, "no-edit": 2, "cannot": 2, "again": 1},
        evaluated=12,
        notes=("for tests: proves the pipeline, learns nothing",),
    ),
    "small": Preset(
        "small",
        ModelSizes(256, 512, 6, 4, 2, 64, (1024, 1024, 0, 1024, 1024, 0)),
        RunSettings(minutes=240, tokens_per_batch=4096, matrix_rate=0.012, lengths=TIGHT, compiled=True),
        (("short", 8), ("middle", 8), ("wide", 12)),
        per_shard=6_000,
        notes=("one CPU core, some hours",),
    ),
    "default": Preset(
        "default",
        ModelSizes(384, 1024, 6, 6, 2, 64, (1024, 1024, 0, 1024, 1024, 0)),
        RunSettings(
            minutes=27,
            tokens_per_batch=65536,
            warmup_steps=100,
            lengths=(128, 256, 512, 1024, 2048),
            compiled=True,
        ),
        (("short", 10), ("middle", 12), ("long", 10)),
        notes=("a data-centre GPU, half an hour; several hours of a CPU",),
    ),
}
