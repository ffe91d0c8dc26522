"""One entry per family of checkpoints: how to read its `config.json`, and where to find its weights.

Adding a family means adding one entry here; nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families import gemma, gpt2, llama, spark
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.families.tensor_names import GEMMA, GPT2, LLAMA, STARCODER2, TensorNames, TensorSource
from spark_tui.errors import Misfit


@dataclass(frozen=True, slots=True)
class Family:
    """Files may spell the stem of the `names` as any of `stems`; None: as its own, or not at all."""

    arch: Callable[[ModelConfig, str], Arch]
    names: TensorNames = LLAMA
    stems: tuple[str, ...] | None = None
    spare_special_ids: bool = False
    """The family's tokenizers carry special ids (for images) that its text embeddings do not."""

    def sources(self, arch: Arch) -> dict[str, TensorSource]:
        """Where the weights are."""
        return self.names.sources(arch)


_MULTIMODAL = ("model.", "", "language_model.model.", "model.language_model.")

FAMILIES: dict[str, Family] = {
    "llama": Family(llama.llama_arch),
    "mistral": Family(llama.mistral_arch),
    "qwen2": Family(llama.qwen2_arch),
    "qwen3": Family(llama.qwen3_arch),
    "gemma2": Family(gemma.gemma2_arch, GEMMA),
    "gemma3_text": Family(gemma.gemma3_arch, GEMMA, _MULTIMODAL, spare_special_ids=True),
    "gemma3": Family(gemma.gemma3_arch, GEMMA, _MULTIMODAL, spare_special_ids=True),
    "gpt2": Family(gpt2.gpt2_arch, GPT2),
    "starcoder2": Family(gpt2.starcoder2_arch, STARCODER2),
    "spark": Family(spark.spark_arch, stems=("model.",)),
}


def family_of(config: Mapping[str, Any], where: str) -> Family:
    """The family of a `config.json`. An unknown or missing `model_type` lists what is supported."""
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        found = f"model_type {model_type!r} is not supported" if model_type else "model_type is missing"
        raise Misfit(found, where=where, hint=f"Supported: {', '.join(sorted(FAMILIES))}.")
    if config.get("quantization_config"):
        method = config["quantization_config"]
        kind = method.get("quant_method", "unknown") if isinstance(method, Mapping) else "unknown"
        raise Misfit(
            f"weights quantized by {kind} are not supported",
            where=where,
            hint="Use the checkpoint in bf16, fp16 or fp32, or a GGUF file of it.",
        )
    return FAMILIES[model_type]
