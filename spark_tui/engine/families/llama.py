"""llama, mistral, qwen2 and qwen3, and what every `config.json` of a decoder has in common with theirs."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families.config_reader import ModelConfig, longest, read_rope


def llama_arch(settings: ModelConfig, name: str) -> Arch:
    arch = decoder_arch(settings, name, "llama", positions=2048)
    return replace(_with_bias(settings, arch), bias_mlp=settings.flag("mlp_bias", False))


def mistral_arch(settings: ModelConfig, name: str) -> Arch:
    arch = decoder_arch(settings, name, "mistral", kv_heads=8, positions=131_072)
    return windowed(arch, [True] * arch.n_layers, settings.window(4096))


def qwen2_arch(settings: ModelConfig, name: str) -> Arch:
    arch = decoder_arch(settings, name, "qwen2", positions=32_768)
    return replace(_qwen_windows(settings, arch), bias_qkv=True)


def qwen3_arch(settings: ModelConfig, name: str) -> Arch:
    arch = decoder_arch(settings, name, "qwen3", head_dim=128, positions=32_768)
    return replace(_qwen_windows(settings, _with_bias(settings, arch)), qk_norm=True)


def _with_bias(settings: ModelConfig, arch: Arch) -> Arch:
    bias = settings.flag("attention_bias", False)
    return replace(arch, bias_qkv=bias, bias_o=bias)


def _qwen_windows(settings: ModelConfig, arch: Arch) -> Arch:
    if not settings.flag("use_sliding_window", False):
        return arch
    first, types = settings.integer("max_window_layers", 28), settings.layer_types(arch.n_layers)
    slides = [kind == "sliding_attention" for kind in types]
    return windowed(arch, slides or [layer >= first for layer in range(arch.n_layers)], settings.window(4096))


def windowed(arch: Arch, slides: list[bool], window: int) -> Arch:
    """The layers that slide see a window; 0 is none."""
    windows = tuple(window if slide else 0 for slide in slides)
    return replace(arch, windows=windows if any(windows) else ())


def decoder_arch(
    settings: ModelConfig,
    name: str,
    family: str,
    *,
    positions: int,
    kv_heads: int = 0,
    head_dim: int = 0,
    tied: bool = False,
) -> Arch:
    """Sizes, one rope, activation and the ids that end a text. `kv_heads`, `head_dim` and the others are what
    an absent key means to this family; 0 derives them."""
    d_model, heads = settings.integer("hidden_size"), settings.integer("num_attention_heads")
    absent = "num_key_value_heads" not in settings.values
    size = settings.integer("head_dim", head_dim or d_model // max(heads, 1))
    max_positions = settings.integer("max_position_embeddings", positions)
    rope = read_rope(settings, head_dim=size, max_positions=max_positions)
    return Arch(
        family=family,
        name=name,
        vocab_size=settings.integer("vocab_size"),
        d_model=d_model,
        n_layers=settings.layers(),
        n_heads=heads,
        n_kv_heads=settings.integer("num_key_value_heads", kv_heads if absent and kv_heads else heads),
        head_dim=size,
        d_ff=settings.integer("intermediate_size"),
        max_positions=longest(max_positions, rope),
        norm_eps=settings.number("rms_norm_eps", 1e-6),
        activation=settings.activation("hidden_act", "silu"),
        ropes=(rope,),
        tied_head=settings.flag("tie_word_embeddings", tied),
        eos_ids=settings.ids("eos_token_id"),
    )
