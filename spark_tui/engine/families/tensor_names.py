"""Where a file keeps each canonical weight: what a family calls the modules, and how it lays them out.

Shapes follow from `architecture.weight_shapes`; only gpt2 joins its queries, keys and values, and turns its
matrices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from spark_tui.engine.architecture import Arch, weight_shapes

_KEY = re.compile(r"(?:layers\.(\d+)\.)?(.+?)(\.w|[._]b)?")
"""A canonical name: its layer, its module, and whether it is a norm's weight or a bias."""


@dataclass(frozen=True, slots=True)
class TensorSource:
    """The source of one canonical weight: a tensor of the file, optionally transposed or cut to some of its
    rows.

    `shape` is the tensor's shape *in the file*. Rows are cut after transposing, so that gpt2's fused `[d,
    3d]` matrix is read as `[3d, d]` and its three thirds become q, k and v.
    """

    name: str
    shape: tuple[int, ...]
    transpose: bool = False
    rows: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TensorNames:
    """`modules` by their canonical names, those of a layer without `layers.I.`. All names but that of the
    head begin with `stem`."""

    modules: Mapping[str, str]
    stem: str = "model."
    layers: str = "layers"
    transposed: bool = False
    """Matrices of layers are stored as `[in, out]`."""

    def sources(self, arch: Arch) -> dict[str, TensorSource]:
        """The source of every weight of this architecture."""
        return {key: self._source(key, shape) for key, shape in weight_shapes(arch).items()}

    def _source(self, key: str, shape: tuple[int, ...]) -> TensorSource:
        found = _KEY.fullmatch(key)
        assert found is not None
        layer, module, kind = found.groups()
        rows = None
        if "attn.qkv" in self.modules and module in ("attn.q", "attn.k", "attn.v"):
            third, size = "qkv".index(module[-1]), shape[0]
            module, rows = "attn.qkv", (third * size, (third + 1) * size)
            shape = (3 * size, *shape[1:])
        turned = self.transposed and layer is not None and len(shape) == 2
        name = self.modules[module] + (".bias" if kind in (".b", "_b") else ".weight")
        if layer is not None:
            name = f"{self.layers}.{layer}.{name}"
        stem = "" if module == "head" else self.stem
        return TensorSource(stem + name, shape[::-1] if turned else shape, turned, rows)


LLAMA = TensorNames(
    {
        "embed.tok": "embed_tokens",
        "attn_norm": "input_layernorm",
        "attn.q": "self_attn.q_proj",
        "attn.k": "self_attn.k_proj",
        "attn.v": "self_attn.v_proj",
        "attn.o": "self_attn.o_proj",
        "attn.q_norm": "self_attn.q_norm",
        "attn.k_norm": "self_attn.k_norm",
        "attn.smear": "self_attn.smear",
        "mlp_norm": "post_attention_layernorm",
        "mlp.gate": "mlp.gate_proj",
        "mlp.up": "mlp.up_proj",
        "mlp.down": "mlp.down_proj",
        "final_norm": "norm",
        "head": "lm_head",
    }
)
GEMMA = TensorNames(
    {
        **LLAMA.modules,
        "attn_post_norm": "post_attention_layernorm",
        "mlp_norm": "pre_feedforward_layernorm",
        "mlp_post_norm": "post_feedforward_layernorm",
    }
)
STARCODER2 = TensorNames({**LLAMA.modules, "mlp.up": "mlp.c_fc", "mlp.down": "mlp.c_proj"})
GPT2 = TensorNames(
    {
        "embed.tok": "wte",
        "embed.pos": "wpe",
        "attn_norm": "ln_1",
        "attn.qkv": "attn.c_attn",
        "attn.o": "attn.c_proj",
        "mlp_norm": "ln_2",
        "mlp.up": "mlp.c_fc",
        "mlp.down": "mlp.c_proj",
        "final_norm": "ln_f",
        "head": "lm_head",
    },
    stem="transformer.",
    layers="h",
    transposed=True,
)
GGUF = TensorNames(
    {
        "embed.tok": "token_embd",
        "embed.pos": "position_embd",
        "attn_norm": "attn_norm",
        "attn.q": "attn_q",
        "attn.k": "attn_k",
        "attn.v": "attn_v",
        "attn.o": "attn_output",
        "attn.q_norm": "attn_q_norm",
        "attn.k_norm": "attn_k_norm",
        "attn_post_norm": "post_attention_norm",
        "mlp_norm": "ffn_norm",
        "mlp.gate": "ffn_gate",
        "mlp.up": "ffn_up",
        "mlp.down": "ffn_down",
        "mlp_post_norm": "post_ffw_norm",
        "final_norm": "output_norm",
        "head": "output",
    },
    stem="",
    layers="blk",
)
GGUF_GPT2 = TensorNames({**GGUF.modules, "attn.qkv": "attn_qkv"}, stem="", layers="blk")
