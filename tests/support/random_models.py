"""Random small checkpoints of every family, as `transformers` itself writes them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

FAMILIES = ("Llama", "Mistral", "Qwen2", "Qwen3", "Gemma2", "Gemma3", "GPT2", "Starcoder2")
ROPES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope")
VOCAB = 97


def rope(kind: str, head_dim: int, pick: random.Random) -> dict[str, Any]:
    settings: dict[str, Any] = {"rope_type": kind, "rope_theta": pick.choice([50.0, 10_000.0, 5e5])}
    if kind != "default":
        settings["factor"] = pick.choice([1.5, 2.0, 8.0])
    if kind in ("yarn", "llama3", "longrope"):
        settings["original_max_position_embeddings"] = pick.choice([32, 128])
    if kind == "llama3":
        settings |= {"low_freq_factor": 1.0, "high_freq_factor": pick.choice([2.0, 4.0])}
    if kind == "longrope":
        settings["short_factor"] = [pick.uniform(1, 2) for _ in range(head_dim // 2)]
        settings["long_factor"] = [pick.uniform(1, 8) for _ in range(head_dim // 2)]
    return settings


def settings_of(family: str, rope_kind: str, seed: int) -> dict[str, Any]:
    """A configuration with grouped keys, odd sizes, biases, windows and caps, as the seed decides."""
    pick = random.Random(f"{family}-{rope_kind}-{seed}")
    heads = pick.choice([2, 3, 4, 6])
    keys = pick.choice([divisor for divisor in range(1, heads + 1) if heads % divisor == 0])
    head_dim = pick.choice([4, 6, 10, 16, 24])
    layers = pick.randint(1, 4)
    window = pick.choice([3, 17, 64, 100])
    if family == "GPT2":
        size = heads * pick.choice([5, 7, 12])
        return {
            "vocab_size": VOCAB,
            "n_embd": size,
            "n_head": heads,
            "n_layer": layers,
            "n_positions": 256,
            "n_inner": pick.choice([None, 37]),
            "activation_function": pick.choice(["gelu_new", "gelu", "relu"]),
            "scale_attn_weights": pick.random() < 0.7,
            "scale_attn_by_inverse_layer_idx": pick.random() < 0.5,
            "tie_word_embeddings": pick.random() < 0.5,
        }
    common: dict[str, Any] = {
        "vocab_size": VOCAB,
        "hidden_size": heads * head_dim if family == "Starcoder2" else heads * pick.choice([8, 10]),
        "intermediate_size": pick.choice([33, 48, 70]),
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": keys,
        "max_position_embeddings": 120 if rope_kind == "dynamic" else 256,
        "tie_word_embeddings": pick.random() < 0.5,
        "rope_parameters": rope(rope_kind, head_dim, pick),
        "pad_token_id": None,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    bias = pick.random() < 0.5
    if family == "Starcoder2":
        return {**common, "use_bias": bias, "sliding_window": pick.choice([None, window])}
    if family == "Qwen2":
        common["hidden_size"] = heads * head_dim
        return {
            **common,
            "use_sliding_window": bias,
            "sliding_window": window,
            "max_window_layers": layers // 2,
        }
    common["head_dim"] = head_dim
    if family == "Llama":
        return {**common, "attention_bias": bias, "mlp_bias": pick.random() < 0.5}
    if family == "Mistral":
        return {**common, "sliding_window": pick.choice([None, window])}
    if family == "Qwen3":
        more = {"use_sliding_window": bias, "sliding_window": window, "max_window_layers": layers // 2}
        return {**common, **more, "attention_bias": pick.random() < 0.5}
    common |= {
        "sliding_window": window,
        "query_pre_attn_scalar": pick.choice([5, 16]),
        "attention_bias": bias,
    }
    common["final_logit_softcapping"] = pick.choice([None, 4.0])
    if family == "Gemma2":
        return {**common, "attn_logit_softcapping": pick.choice([None, 3.0])}
    common["layer_types"] = [pick.choice(["full_attention", "sliding_attention"]) for _ in range(layers)]
    common["rope_parameters"] = {
        "full_attention": rope(rope_kind, head_dim, pick),
        "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
    }
    return common


def build(family: str, settings: dict[str, Any], folder: Path, seed: int = 0) -> Any:
    """The reference model, in float32, with weights large enough to be felt; saved to `folder`."""
    import torch
    import transformers

    kind = "Gemma3Text" if family == "Gemma3" else family
    config = getattr(transformers, f"{kind}Config")(**settings)
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    suffix = "LMHeadModel" if family == "GPT2" else "ForCausalLM"
    model = getattr(transformers, f"{family}{suffix}")(config).float().eval()
    with torch.no_grad():
        for name, value in model.named_parameters():
            if value.ndim == 1:
                value.add_(torch.randn(value.shape) * 0.2)
            else:
                spread = (
                    0.5
                    if "embed" in name or ".wte" in name or ".wpe" in name
                    else 1.3 / value.shape[-1] ** 0.5
                )
                value.copy_(torch.randn(value.shape) * spread)
    model.save_pretrained(folder)
    return model
