"""gpt2 and starcoder2: LayerNorms, plain MLPs and biases."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.engine.architecture import Arch
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.families.llama import decoder_arch, windowed
from spark_tui.errors import Misfit


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
        n_layers=settings.layers("n_layer", 12),
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


def starcoder2_arch(settings: ModelConfig, name: str) -> Arch:
    arch = decoder_arch(settings, name, "starcoder2", kv_heads=2, positions=4096, tied=True)
    bias = settings.flag("use_bias", True)
    return replace(
        windowed(arch, [True] * arch.n_layers, settings.window(0)),
        norm="layer",
        norm_eps=settings.number("norm_epsilon", 1e-5),
        activation=settings.activation("hidden_act", "gelu_pytorch_tanh"),
        gated_mlp=False,
        bias_qkv=bias,
        bias_o=bias,
        bias_mlp=bias,
    )
