"""gpt2 and starcoder2: LayerNorms, plain MLPs and biases."""

from __future__ import annotations

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families.config_reader import ModelConfig, TensorSource, read_rope
from spark_tui.errors import Misfit

GPT2_STEM = "transformer."
_STARCODER2_STEM = "model."


def gpt2_arch(settings: ModelConfig, name: str) -> Arch:
    if settings.flag("add_cross_attention", False):
        raise Misfit("add_cross_attention is not supported: there is no encoder", where=settings.where)
    d_model, heads = settings.integer("n_embd", 768), settings.integer("n_head", 12)
    if heads <= 0 or d_model % heads:
        raise settings.error(f"n_embd {d_model} does not divide among n_head {heads}")
    head_dim = d_model // heads
    return Arch(
        family="gpt2",
        name=name,
        vocab_size=settings.integer("vocab_size", 50_257),
        d_model=d_model,
        n_layers=settings.integer("n_layer", 12),
        n_heads=heads,
        n_kv_heads=heads,
        head_dim=head_dim,
        d_ff=settings.integer("n_inner", 4 * d_model),
        max_positions=settings.integer("n_positions", settings.integer("n_ctx", 1024)),
        norm="layer",
        norm_eps=settings.number("layer_norm_epsilon", 1e-5),
        activation=settings.activation("activation_function", "gelu_new"),
        gated_mlp=False,
        learned_positions=True,
        ropes=(),
        attn_scale=float(head_dim) ** -0.5 if settings.flag("scale_attn_weights", True) else 1.0,
        attn_scale_by_layer=settings.flag("scale_attn_by_inverse_layer_idx", False),
        bias_qkv=True,
        bias_o=True,
        bias_mlp=True,
        tied_head=settings.flag("tie_word_embeddings", True),
        eos_ids=settings.ids("eos_token_id"),
    )


def gpt2_sources(arch: Arch) -> dict[str, TensorSource]:
    """gpt2 stores its matrices as `[in, out]`, and q, k, v joined in one."""
    d, f = arch.d_model, arch.d_ff
    found = {
        "embed.tok": TensorSource(f"{GPT2_STEM}wte.weight", (arch.vocab_size, d)),
        "embed.pos": TensorSource(f"{GPT2_STEM}wpe.weight", (arch.max_positions, d)),
    }
    for layer in range(arch.n_layers):
        ours, theirs = f"layers.{layer}", f"{GPT2_STEM}h.{layer}"
        for third, key in enumerate("qkv"):
            rows = (third * d, (third + 1) * d)
            found[f"{ours}.attn.{key}"] = TensorSource(f"{theirs}.attn.c_attn.weight", (d, 3 * d), True, rows)
            found[f"{ours}.attn.{key}_b"] = TensorSource(f"{theirs}.attn.c_attn.bias", (3 * d,), False, rows)
        for canonical, their_name, into, out in (
            ("attn.o", "attn.c_proj", d, d),
            ("mlp.up", "mlp.c_fc", d, f),
            ("mlp.down", "mlp.c_proj", f, d),
        ):
            found[f"{ours}.{canonical}"] = TensorSource(f"{theirs}.{their_name}.weight", (into, out), True)
            found[f"{ours}.{canonical}_b"] = TensorSource(f"{theirs}.{their_name}.bias", (out,))
        _norm(found, f"{ours}.attn_norm", f"{theirs}.ln_1", d)
        _norm(found, f"{ours}.mlp_norm", f"{theirs}.ln_2", d)
    _norm(found, "final_norm", f"{GPT2_STEM}ln_f", d)
    if not arch.tied_head:
        found["head.w"] = TensorSource("lm_head.weight", (arch.vocab_size, d))
    return found


def starcoder2_arch(settings: ModelConfig, name: str) -> Arch:
    d_model, heads = settings.integer("hidden_size"), settings.integer("num_attention_heads")
    layers = settings.integer("num_hidden_layers")
    head_dim = settings.integer("head_dim", d_model // max(heads, 1))
    max_positions = settings.integer("max_position_embeddings", 4096)
    window = settings.window(0)
    bias = settings.flag("use_bias", True)
    return Arch(
        family="starcoder2",
        name=name,
        vocab_size=settings.integer("vocab_size"),
        d_model=d_model,
        n_layers=layers,
        n_heads=heads,
        n_kv_heads=settings.integer("num_key_value_heads", 2),
        head_dim=head_dim,
        d_ff=settings.integer("intermediate_size"),
        max_positions=max_positions,
        norm="layer",
        norm_eps=settings.number("norm_epsilon", 1e-5),
        activation=settings.activation("hidden_act", "gelu_pytorch_tanh"),
        gated_mlp=False,
        ropes=(read_rope(settings, theta=10_000.0, head_dim=head_dim, max_positions=max_positions),),
        windows=(window,) * layers if window else (),
        bias_qkv=bias,
        bias_o=bias,
        bias_mlp=bias,
        tied_head=settings.flag("tie_word_embeddings", True),
        eos_ids=settings.ids("eos_token_id"),
    )


def starcoder2_sources(arch: Arch) -> dict[str, TensorSource]:
    d, f = arch.d_model, arch.d_ff
    q, kv = arch.n_heads * arch.head_dim, arch.n_kv_heads * arch.head_dim
    found = {"embed.tok": TensorSource(f"{_STARCODER2_STEM}embed_tokens.weight", (arch.vocab_size, d))}
    for layer in range(arch.n_layers):
        ours, theirs = f"layers.{layer}", f"{_STARCODER2_STEM}layers.{layer}"
        for canonical, their_name, out, into in (
            ("attn.q", "self_attn.q_proj", q, d),
            ("attn.k", "self_attn.k_proj", kv, d),
            ("attn.v", "self_attn.v_proj", kv, d),
            ("attn.o", "self_attn.o_proj", d, q),
            ("mlp.up", "mlp.c_fc", f, d),
            ("mlp.down", "mlp.c_proj", d, f),
        ):
            found[f"{ours}.{canonical}"] = TensorSource(f"{theirs}.{their_name}.weight", (out, into))
            if arch.bias_qkv:
                found[f"{ours}.{canonical}_b"] = TensorSource(f"{theirs}.{their_name}.bias", (out,))
        _norm(found, f"{ours}.attn_norm", f"{theirs}.input_layernorm", d)
        _norm(found, f"{ours}.mlp_norm", f"{theirs}.post_attention_layernorm", d)
    _norm(found, "final_norm", f"{_STARCODER2_STEM}norm", d)
    if not arch.tied_head:
        found["head.w"] = TensorSource("lm_head.weight", (arch.vocab_size, d))
    return found


def _norm(found: dict[str, TensorSource], ours: str, theirs: str, d: int) -> None:
    found[f"{ours}.w"] = TensorSource(f"{theirs}.weight", (d,))
    found[f"{ours}.b"] = TensorSource(f"{theirs}.bias", (d,))
