"""The sizes that a run can have, from a test's to a GPU's: corpus, data, model and budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from spark_tui.engine.text import token_layout
from spark_tui.train.dataset import LENGTHS
from spark_tui.train.dev_set import DEV_PER_KIND
from spark_tui.train.templates.tables import table


@dataclass(frozen=True, slots=True)
class ModelSizes:
    """The sizes of the model; names as in `config.json`."""

    hidden_size: int = 256
    intermediate_size: int = 704
    num_hidden_layers: int = 4
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    head_dim: int = 64
    layer_windows: tuple[int, ...] = (1024, 0, 1024, 0)
    vocab_size: int = token_layout.TAG_FIRST_ID + token_layout.TAG_COUNT
    rms_norm_eps: float = 1e-6
    rope_theta: float = 10000.0
    max_position_embeddings: int = 8192

    def config(self) -> dict[str, Any]:
        sizes: dict[str, Any] = asdict(self)
        sizes["layer_windows"] = list(self.layer_windows)
        return {
            "model_type": "spark",
            "architectures": ["SparkForCausalLM"],
            "torch_dtype": "bfloat16",
            **sizes,
            "smear_keys": True,
            "tag_embeddings": True,
            "tie_word_embeddings": True,
            "operator_count": token_layout.OPERATOR_COUNT,
            "tag_first_id": token_layout.TAG_FIRST_ID,
            "tag_count": token_layout.TAG_COUNT,
            "eos_token_id": token_layout.EOS,
            "pad_token_id": token_layout.PAD,
            "bos_token_id": None,
            "spark": {"layout": 1, "max_window_lines": token_layout.MAX_WINDOW_LINES},
        }


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run. `minutes` is the whole budget, including earlier parts of a resumed run."""

    minutes: float
    tokens_per_batch: int = 4096
    threads: int = 1
    warmup_steps: int = 60
    cooldown: float = 0.45
    """The last part of the budget, over which the rates fall to a twentieth."""
    matrix_rate: float = 0.02
    table_rate: float = 0.003
    save_minutes: float = 5.0
    compiled: bool = False
    seed: int = 1
    max_steps: int = 0
    half: bool = True
    lengths: tuple[int, ...] = LENGTHS


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
    dev_per_kind: int = DEV_PER_KIND
    dev_others: dict[str, int] | None = None
    evaluated: int = 0
    """Number of development cases that `all` calibrates with; 0 is all of them."""


def _preset(name: str, row: Mapping[str, Any]) -> Preset:
    shape, settings = ModelSizes(**row["shape"]), RunSettings(**row["settings"])
    more = {key: value for key, value in row.items() if key not in ("shape", "settings")}
    if "packages" in more:
        more["packages"] = frozenset(more["packages"])
    return Preset(name, shape, settings, **more)


PRESETS = {name: _preset(name, row) for name, row in table("language_model/presets").items()}
