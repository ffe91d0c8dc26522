"""The built-in family, as specified in `docs/decisions/0003-spark-family.md`.

The tensors are those of `llama.sources` plus the smear gates.
"""

from __future__ import annotations

from spark_tui.engine.architecture import Arch, Tags
from spark_tui.engine.families import llama
from spark_tui.engine.families.config_reader import ModelConfig, TensorSource, read_rope
from spark_tui.errors import Misfit


def spark_arch(settings: ModelConfig, name: str) -> Arch:
    layout = settings.section("spark").integer("layout", 1)
    if layout != 1:
        raise Misfit(
            f"this model uses layout {layout}, but this version of spark supports layout 1",
            where=settings.where,
            hint="Update spark, or use a model of layout 1.",
        )
    heads, layers = settings.integer("num_attention_heads"), settings.integer("num_hidden_layers")
    head_dim = settings.integer("head_dim")
    max_positions = settings.integer("max_position_embeddings")
    if not settings.flag("tie_word_embeddings", True):
        raise settings.error("tie_word_embeddings is false: a spark model has a tied head")
    windows = tuple(int(width) for width in settings.numbers("layer_windows"))
    tags = None
    if settings.flag("tag_embeddings", True):
        tags = Tags(
            first=settings.integer("tag_first_id"),
            count=settings.integer("tag_count"),
            ends=tuple(range(settings.integer("operator_count"))),
        )
    return Arch(
        family="spark",
        name=name,
        vocab_size=settings.integer("vocab_size"),
        d_model=settings.integer("hidden_size"),
        n_layers=layers,
        n_heads=heads,
        n_kv_heads=settings.integer("num_key_value_heads", heads),
        head_dim=head_dim,
        d_ff=settings.integer("intermediate_size"),
        max_positions=max_positions,
        norm_eps=settings.number("rms_norm_eps", 1e-6),
        ropes=(read_rope(settings, theta=10_000.0, head_dim=head_dim, max_positions=max_positions),),
        windows=windows if any(windows) else (),
        qk_norm=True,
        smear=settings.flag("smear_keys", True),
        tags=tags,
        page_select=settings.flag("page_select", False),
        eos_ids=settings.ids("eos_token_id"),
    )


def sources(arch: Arch) -> dict[str, TensorSource]:
    found = llama.sources(arch)
    if arch.smear:
        for layer in range(arch.n_layers):
            name = f"{llama.STEM}layers.{layer}.self_attn.smear.weight"
            found[f"layers.{layer}.attn.smear"] = TensorSource(name, (arch.n_kv_heads,))
    return found
