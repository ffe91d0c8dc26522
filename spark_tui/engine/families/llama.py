"""llama, mistral, qwen2, qwen3: gated decoders that share one layout of tensors."""

from __future__ import annotations

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families.config_reader import ModelConfig, TensorSource, longest, read_rope

STEM = "model."


def llama_arch(settings: ModelConfig, name: str) -> Arch:
    bias = settings.flag("attention_bias", False)
    return _arch(settings, name, "llama", kv_heads=0, head_dim=0, bias_qkv=bias, bias_o=bias, positions=2048)


def mistral_arch(settings: ModelConfig, name: str) -> Arch:
    window = settings.window(4096)
    layers = settings.integer("num_hidden_layers")
    return _arch(
        settings, name, "mistral", kv_heads=8, head_dim=0, windows=(window,) * layers, positions=131_072
    )


def qwen2_arch(settings: ModelConfig, name: str) -> Arch:
    return _arch(
        settings,
        name,
        "qwen2",
        kv_heads=0,
        head_dim=0,
        bias_qkv=True,
        windows=_qwen_windows(settings),
        positions=32_768,
    )


def qwen3_arch(settings: ModelConfig, name: str) -> Arch:
    bias = settings.flag("attention_bias", False)
    return _arch(
        settings,
        name,
        "qwen3",
        kv_heads=0,
        head_dim=128,
        bias_qkv=bias,
        bias_o=bias,
        qk_norm=True,
        windows=_qwen_windows(settings),
        positions=32_768,
    )


def _qwen_windows(settings: ModelConfig) -> tuple[int, ...]:
    layers = settings.integer("num_hidden_layers")
    if not settings.flag("use_sliding_window", False):
        return ()
    window = settings.window(4096)
    first = settings.integer("max_window_layers", 28)
    types = settings.layer_types(layers)
    slides = [kind == "sliding_attention" for kind in types] or [layer >= first for layer in range(layers)]
    return tuple(window if slide else 0 for slide in slides)


def _arch(
    settings: ModelConfig,
    name: str,
    family: str,
    *,
    kv_heads: int,
    head_dim: int,
    positions: int,
    bias_qkv: bool = False,
    bias_o: bool = False,
    qk_norm: bool = False,
    windows: tuple[int, ...] = (),
) -> Arch:
    """`kv_heads` and `head_dim` are what an absent key means to this family; 0 derives them."""
    d_model, heads = settings.integer("hidden_size"), settings.integer("num_attention_heads")
    absent = "num_key_value_heads" not in settings.values
    key_heads = settings.integer("num_key_value_heads", kv_heads if absent and kv_heads else heads)
    size = settings.integer("head_dim", head_dim or d_model // max(heads, 1))
    max_positions = settings.integer("max_position_embeddings", positions)
    rope = read_rope(settings, theta=10_000.0, head_dim=size, max_positions=max_positions)
    eos = settings.ids("eos_token_id")
    return Arch(
        family=family,
        name=name,
        vocab_size=settings.integer("vocab_size"),
        d_model=d_model,
        n_layers=settings.integer("num_hidden_layers"),
        n_heads=heads,
        n_kv_heads=key_heads,
        head_dim=size,
        d_ff=settings.integer("intermediate_size"),
        max_positions=longest(max_positions, rope),
        norm_eps=settings.number("rms_norm_eps", 1e-6),
        activation=settings.activation("hidden_act", "silu"),
        ropes=(rope,),
        windows=windows if any(windows) else (),
        qk_norm=qk_norm,
        bias_qkv=bias_qkv,
        bias_o=bias_o,
        bias_mlp=settings.flag("mlp_bias", False) if family == "llama" else False,
        tied_head=settings.flag("tie_word_embeddings", False),
        eos_ids=eos,
    )


def sources(arch: Arch) -> dict[str, TensorSource]:
    """The weight sources of these families, including gemma's post-norms and the QK-norms."""
    d, f = arch.d_model, arch.d_ff
    q, kv = arch.n_heads * arch.head_dim, arch.n_kv_heads * arch.head_dim
    found = {"embed.tok": TensorSource(f"{STEM}embed_tokens.weight", (arch.vocab_size, d))}
    for layer in range(arch.n_layers):
        ours, theirs = f"layers.{layer}", f"{STEM}layers.{layer}"

        def matrix(
            canonical: str, name: str, shape: tuple[int, int], bias: bool, o: str = ours, t: str = theirs
        ) -> None:
            found[f"{o}.{canonical}"] = TensorSource(f"{t}.{name}.weight", shape)
            if bias:
                found[f"{o}.{canonical}_b"] = TensorSource(f"{t}.{name}.bias", shape[:1])

        matrix("attn.q", "self_attn.q_proj", (q, d), arch.bias_qkv)
        matrix("attn.k", "self_attn.k_proj", (kv, d), arch.bias_qkv)
        matrix("attn.v", "self_attn.v_proj", (kv, d), arch.bias_qkv)
        matrix("attn.o", "self_attn.o_proj", (d, q), arch.bias_o)
        matrix("mlp.gate", "mlp.gate_proj", (f, d), arch.bias_mlp)
        matrix("mlp.up", "mlp.up_proj", (f, d), arch.bias_mlp)
        matrix("mlp.down", "mlp.down_proj", (d, f), arch.bias_mlp)
        found[f"{ours}.attn_norm.w"] = TensorSource(f"{theirs}.input_layernorm.weight", (d,))
        if arch.sandwich_norms:
            found[f"{ours}.attn_post_norm.w"] = TensorSource(
                f"{theirs}.post_attention_layernorm.weight", (d,)
            )
            found[f"{ours}.mlp_norm.w"] = TensorSource(f"{theirs}.pre_feedforward_layernorm.weight", (d,))
            found[f"{ours}.mlp_post_norm.w"] = TensorSource(
                f"{theirs}.post_feedforward_layernorm.weight", (d,)
            )
        else:
            found[f"{ours}.mlp_norm.w"] = TensorSource(f"{theirs}.post_attention_layernorm.weight", (d,))
        if arch.qk_norm:
            found[f"{ours}.attn.q_norm"] = TensorSource(f"{theirs}.self_attn.q_norm.weight", (arch.head_dim,))
            found[f"{ours}.attn.k_norm"] = TensorSource(f"{theirs}.self_attn.k_norm.weight", (arch.head_dim,))
    found["final_norm.w"] = TensorSource(f"{STEM}norm.weight", (d,))
    if not arch.tied_head:
        found["head.w"] = TensorSource("lm_head.weight", (arch.vocab_size, d))
    return found
