"""The same weights in each peer's own format.

(ONNX has a graph to write: `onnx_graph.py`.)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families import FAMILIES
from spark_tui.engine.families.tensor_names import GGUF
from spark_tui.errors import Misfit

Weights = Mapping[str, npt.NDArray[np.float32]]


def require_plain(arch: Arch, peer: str) -> None:
    """Peers other than transformers are given plain llamas only: same weights means same arithmetic."""
    odd = (
        arch.windows
        or arch.qk_norm
        or arch.bias_qkv
        or arch.sandwich_norms
        or arch.norm != "rms"
        or arch.smear
    )
    if (
        arch.family not in ("llama", "mistral")
        or odd
        or arch.ropes[0].kind != "default"
        or not arch.tied_head
    ):
        raise Misfit(f"{peer} is compared on plain llama shapes, not on {arch.family}", where=arch.name)


def write_hf(arch: Arch, weights: Weights, folder: Path) -> Path:
    """`config.json` and `model.safetensors`, as transformers writes them."""
    from safetensors.numpy import save_file

    if arch.family not in ("llama", "qwen2"):
        raise Misfit(f"weights of {arch.family} are not written for peers", where=arch.name)
    config: dict[str, Any] = {
        "architectures": ["LlamaForCausalLM" if arch.family == "llama" else "Qwen2ForCausalLM"],
        "model_type": arch.family,
        "vocab_size": arch.vocab_size,
        "hidden_size": arch.d_model,
        "intermediate_size": arch.d_ff,
        "num_hidden_layers": arch.n_layers,
        "num_attention_heads": arch.n_heads,
        "num_key_value_heads": arch.n_kv_heads,
        "head_dim": arch.head_dim,
        "max_position_embeddings": arch.max_positions,
        "rms_norm_eps": arch.norm_eps,
        "rope_theta": arch.ropes[0].theta,
        "tie_word_embeddings": arch.tied_head,
        "bos_token_id": None,
        "eos_token_id": None,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    sources = FAMILIES[arch.family].sources(arch)
    tensors = {sources[name].name: np.ascontiguousarray(values) for name, values in weights.items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def write_gguf(arch: Arch, weights: Weights, path: Path, kind: str) -> Path:
    """One file of `kind` (F32, Q8_0, …) with a vocabulary of numbers, which llama.cpp requires."""
    import gguf

    require_plain(arch, "llama.cpp")
    quantized = gguf.GGMLQuantizationType[kind]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(arch.max_positions)
    writer.add_embedding_length(arch.d_model)
    writer.add_block_count(arch.n_layers)
    writer.add_feed_forward_length(arch.d_ff)
    writer.add_head_count(arch.n_heads)
    writer.add_head_count_kv(arch.n_kv_heads)
    writer.add_key_length(arch.head_dim)
    writer.add_value_length(arch.head_dim)
    writer.add_rope_dimension_count(arch.head_dim)
    writer.add_layer_norm_rms_eps(arch.norm_eps)
    writer.add_rope_freq_base(arch.ropes[0].theta)
    writer.add_vocab_size(arch.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([f"t{number}" for number in range(arch.vocab_size)])
    writer.add_token_types([1] * arch.vocab_size)
    writer.add_token_merges(["t 0"])
    sources = GGUF.sources(arch)
    for name, values in weights.items():
        target = sources[name].name
        if name.endswith(("attn.q", "attn.k")):
            heads = arch.n_heads if name.endswith("q") else arch.n_kv_heads
            halves = values.reshape(heads, 2, arch.head_dim // 2, -1)
            values = np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(values.shape)
        if values.ndim == 2 and kind != "F32":
            writer.add_tensor(target, gguf.quants.quantize(values, quantized), raw_dtype=quantized)
        else:
            writer.add_tensor(target, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_ctranslate2(arch: Arch, weights: Weights, folder: Path) -> Path:
    """A CTranslate2 decoder in float32; the library can quantize it at load time."""
    import ctranslate2
    from ctranslate2.specs import common_spec, transformer_spec

    require_plain(arch, "ctranslate2")
    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        arch.n_layers,
        arch.n_heads,
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=False,
        rotary_base=arch.ropes[0].theta,
        num_heads_kv=arch.n_kv_heads if arch.n_kv_heads != arch.n_heads else None,
        head_dim=arch.head_dim,
    )
    decoder = spec.decoder
    decoder.scale_embeddings = False
    decoder.embeddings.weight = weights["embed.tok"]
    decoder.projection.weight = weights["embed.tok"]
    decoder.layer_norm.gamma = weights["final_norm.w"]
    for index, layer in enumerate(decoder.layer):
        at = f"layers.{index}"
        layer.self_attention.layer_norm.gamma = weights[f"{at}.attn_norm.w"]
        layer.self_attention.linear[0].weight = np.concatenate(
            [weights[f"{at}.attn.{part}"] for part in "qkv"]
        )
        layer.self_attention.linear[1].weight = weights[f"{at}.attn.o"]
        layer.ffn.layer_norm.gamma = weights[f"{at}.mlp_norm.w"]
        layer.ffn.linear_0.weight = weights[f"{at}.mlp.gate"]
        layer.ffn.linear_0_noact.weight = weights[f"{at}.mlp.up"]
        layer.ffn.linear_1.weight = weights[f"{at}.mlp.down"]
    spec.register_vocabulary([f"t{number}" for number in range(arch.vocab_size)])
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = f"t{arch.vocab_size - 1}"
    spec.config.layer_norm_epsilon = arch.norm_eps
    spec.validate()
    spec.optimize(quantization=None)
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    assert ctranslate2.contains_model(str(folder))
    return folder
