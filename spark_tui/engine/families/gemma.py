"""gemma2 and the text half of gemma3: pre- and post-norms, soft-caps, windows, scaled embeddings."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.engine.architecture import Arch, Rope
from spark_tui.engine.families.config_reader import ModelConfig, read_rope, rope_from
from spark_tui.errors import Misfit

_SLIDING, _FULL = "sliding_attention", "full_attention"


def gemma2_arch(settings: ModelConfig, name: str) -> Arch:
    layers = settings.layers()
    types = settings.layer_types(layers) or tuple(_FULL if layer % 2 else _SLIDING for layer in range(layers))
    head_dim = settings.integer("head_dim", 256)
    rope = read_rope(
        settings, head_dim=head_dim, max_positions=settings.integer("max_position_embeddings", 8192)
    )
    return _arch(settings, name, "gemma2", types, (rope,), (), caps=(50.0, 30.0), positions=8192)


def gemma3_arch(settings: ModelConfig, name: str) -> Arch:
    """The text model; a multimodal file carries its settings under `text_config`."""
    outer = settings
    if settings.text("model_type") == "gemma3":
        settings = settings.section("text_config")
    layers = settings.layers()
    pattern = settings.integer("sliding_window_pattern", settings.integer("_sliding_window_pattern", 6))
    if pattern < 1:
        raise settings.error(f"sliding_window_pattern is {pattern}, expected 1 or more")
    types = settings.layer_types(layers) or tuple(
        _SLIDING if (layer + 1) % pattern else _FULL for layer in range(layers)
    )
    head_dim = settings.integer("head_dim", 256)
    positions = settings.integer("max_position_embeddings", 131_072)
    full, sliding = _gemma3_ropes(settings, head_dim, positions)
    kinds = tuple(int(kind == _SLIDING) for kind in types)
    arch = _arch(
        settings, name, "gemma3", types, (full, sliding), kinds, caps=(None, None), positions=131_072
    )
    return replace(arch, eos_ids=outer.ids("eos_token_id") or arch.eos_ids)


def _gemma3_ropes(settings: ModelConfig, head_dim: int, positions: int) -> tuple[Rope, Rope]:
    """The rope of the global layers and that of the sliding ones."""
    parts = settings.section("rope_parameters")
    full = parts.section(_FULL) if settings.has("rope_parameters") else settings.section("rope_scaling")
    return (
        rope_from(
            full, theta=settings.number("rope_theta", 1_000_000.0), head_dim=head_dim, max_positions=positions
        ),
        rope_from(
            parts.section(_SLIDING),
            theta=settings.number("rope_local_base_freq", 10_000.0),
            head_dim=head_dim,
            max_positions=positions,
        ),
    )


def _arch(
    settings: ModelConfig,
    name: str,
    family: str,
    types: tuple[str, ...],
    ropes: tuple[Rope, ...],
    layer_ropes: tuple[int, ...],
    *,
    caps: tuple[float | None, float | None],
    positions: int,
) -> Arch:
    if settings.flag("use_bidirectional_attention", False):
        raise Misfit(
            "use_bidirectional_attention is not supported: text is written left to right",
            where=settings.where,
        )
    d_model, window = settings.integer("hidden_size"), settings.window(4096)
    scalar = settings.number("query_pre_attn_scalar", 256)
    if scalar <= 0:
        raise settings.error(f"query_pre_attn_scalar is {scalar}, it has to be positive")
    windows = tuple(window if kind == _SLIDING else 0 for kind in types)
    bias = settings.flag("attention_bias", False)
    return Arch(
        family=family,
        name=name,
        vocab_size=settings.integer("vocab_size", 262_208 if family == "gemma3" else 256_000),
        d_model=d_model,
        n_layers=len(types),
        n_heads=settings.integer("num_attention_heads", 8),
        n_kv_heads=settings.integer("num_key_value_heads", 4),
        head_dim=settings.integer("head_dim", 256),
        d_ff=settings.integer("intermediate_size"),
        max_positions=settings.integer("max_position_embeddings", positions),
        norm_eps=settings.number("rms_norm_eps", 1e-6),
        norm_offset=1.0,
        activation=settings.activation("hidden_activation", "gelu_pytorch_tanh"),
        ropes=ropes,
        layer_ropes=layer_ropes,
        windows=windows if any(windows) else (),
        attn_scale=scalar**-0.5,
        # gemma3's files may name the cap; its layers, normalized by QK-norm, are run without one everywhere.
        attn_softcap=0.0
        if family == "gemma3"
        else settings.optional_number("attn_logit_softcapping", caps[0]) or 0.0,
        final_softcap=settings.optional_number("final_logit_softcapping", caps[1]) or 0.0,
        qk_norm=family == "gemma3",
        bias_qkv=bias,
        bias_o=bias,
        sandwich_norms=True,
        embed_scale=float(d_model) ** 0.5,
        tied_head=settings.flag("tie_word_embeddings", True),
        eos_ids=settings.ids("eos_token_id") or (1,),
    )
