"""The architecture of a model as plain switches, and the canonical names of its weights.

`Arch` and `weight_shapes(arch)` are the contract between checkpoint readers and the forward pass.

Canonical weight names (every array float32; a matrix is `[out, in]`, so `y = W @ x`)::

    embed.tok                 [vocab, d_model]
    embed.pos                 [max_positions, d_model]        learned_positions
    layers.I.attn_norm.w      [d_model]                       .b with norm == "layer"
    layers.I.attn.q           [n_heads * head_dim, d_model]   .q_b with bias_qkv
    layers.I.attn.k           [n_kv_heads * head_dim, d_model]  .k_b with bias_qkv
    layers.I.attn.v           [n_kv_heads * head_dim, d_model]  .v_b with bias_qkv
    layers.I.attn.o           [d_model, n_heads * head_dim]   .o_b with bias_o
    layers.I.attn.q_norm      [head_dim]                      qk_norm
    layers.I.attn.k_norm      [head_dim]                      qk_norm
    layers.I.attn.smear       [n_kv_heads]                    smear (the gate before its sigmoid)
    layers.I.attn_post_norm.w [d_model]                       sandwich_norms
    layers.I.mlp_norm.w       [d_model]                       .b with norm == "layer"
    layers.I.mlp.gate         [d_ff, d_model]                 gated_mlp; .gate_b with bias_mlp
    layers.I.mlp.up           [d_ff, d_model]                 .up_b with bias_mlp
    layers.I.mlp.down         [d_model, d_ff]                 .down_b with bias_mlp
    layers.I.mlp_post_norm.w  [d_model]                       sandwich_norms
    final_norm.w              [d_model]                       .b with norm == "layer"
    head.w                    [vocab, d_model]                not tied_head

Rotary halves are laid out as Hugging Face does it (first half, second half), not interleaved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spark_tui.errors import Misfit
from spark_tui.shapes import ModelShape

RopeKind = Literal["default", "linear", "dynamic", "yarn", "llama3", "longrope"]
NormKind = Literal["rms", "layer"]
Activation = Literal["silu", "gelu", "gelu_tanh", "relu"]

NO_ROPE = -1


@dataclass(frozen=True, slots=True)
class Rope:
    """One way to turn a position into angles. A kind ignores the fields that it does not name.
    `max_positions` is the checkpoint's `max_position_embeddings`; `original_max_positions` the length
    it was first trained at (`original_max_position_embeddings`), or 0 if the file does not give it."""

    kind: RopeKind = "default"
    theta: float = 10_000.0
    rotary_dim: int = 0
    """Leading dimensions of each head that turn; 0 means all."""
    factor: float | None = None
    max_positions: int = 0
    original_max_positions: int = 0
    attention_factor: float | None = None
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    mscale: float | None = None
    mscale_all_dim: float | None = None
    truncate: bool = True
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()

    @property
    def depends_on_length(self) -> bool:
        """Whether the angles of one position change with the length of the whole sequence."""
        return self.kind in ("dynamic", "longrope")


@dataclass(frozen=True, slots=True)
class Tags:
    """Line tags of the `spark` family: a token of a file line also gets the embedding of its line's tag.

    A tag is any id in `[first, first + count)`. Reading from the left, an id of `opens` begins a file part,
    one of `gaps` keeps it open and ends the line, and any other of `ends` closes it. Inside a file part a tag
    applies to the plain ids that follow it; nothing is added to the rows of tags, `opens`, `gaps` and `ends`.
    """

    first: int
    count: int
    ends: tuple[int, ...] = ()
    opens: tuple[int, ...] = (2,)
    gaps: tuple[int, ...] = (22,)


@dataclass(frozen=True, slots=True)
class Arch:
    """Everything that the forward pass needs to know about a model, for all families."""

    family: str
    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    d_ff: int
    max_positions: int

    norm: NormKind = "rms"
    norm_eps: float = 1e-6
    norm_offset: float = 0.0
    """Added to every RMS weight: 1 for gemma, whose files store `w - 1`."""
    activation: Activation = "silu"
    gated_mlp: bool = True

    learned_positions: bool = False
    ropes: tuple[Rope, ...] = (Rope(),)
    layer_ropes: tuple[int, ...] = ()
    """Index into `ropes` for each layer, `NO_ROPE` for none; empty means 0 for all of them."""
    windows: tuple[int, ...] = ()
    """Window of each layer: a row sees itself and the `window - 1` positions before it. 0 is global; empty
    means all global."""

    attn_scale: float = 0.0
    """What queries are multiplied with; 0 means `head_dim ** -0.5`."""
    attn_scale_by_layer: bool = False
    """Divide the scale of layer I by I + 1 (gpt2's `scale_attn_by_inverse_layer_idx`)."""
    attn_softcap: float = 0.0
    final_softcap: float = 0.0
    qk_norm: bool = False

    bias_qkv: bool = False
    bias_o: bool = False
    bias_mlp: bool = False
    sandwich_norms: bool = False
    embed_scale: float = 1.0
    tied_head: bool = True

    smear: bool = False
    tags: Tags | None = None
    page_select: bool = False
    """Global layers may attend to the best pages only in long contexts (layers were trained so)."""

    eos_ids: tuple[int, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        where = f"architecture of {self.name or self.family}"
        for key in (
            "vocab_size",
            "d_model",
            "n_layers",
            "n_heads",
            "n_kv_heads",
            "head_dim",
            "d_ff",
            "max_positions",
        ):
            if getattr(self, key) <= 0:
                raise Misfit(f"{key} is {getattr(self, key)}, it has to be positive", where=where)
        if self.n_heads % self.n_kv_heads:
            raise Misfit(
                f"{self.n_heads} query heads do not divide among {self.n_kv_heads} key heads", where=where
            )
        for key in ("windows", "layer_ropes"):
            got = len(getattr(self, key))
            if got not in (0, self.n_layers):
                raise Misfit(f"{key} names {got} layers of {self.n_layers}", where=where)
        if min(self.windows, default=0) < 0:
            raise Misfit(f"a layer has a window of {min(self.windows)} tokens", where=where)
        for index in self.layer_ropes:
            if index != NO_ROPE and not 0 <= index < len(self.ropes):
                raise Misfit(f"a layer asks for rope {index} of {len(self.ropes)}", where=where)
        turns = any(self.rope_of(layer) is not None for layer in range(self.n_layers))
        for rope in self.ropes if turns else ():
            turned = rope.rotary_dim or self.head_dim
            if turned % 2 or not 0 < turned <= self.head_dim:
                raise Misfit(f"{turned} of {self.head_dim} head dimensions cannot turn in pairs", where=where)

    @property
    def group(self) -> int:
        """Query heads that share one key head."""
        return self.n_heads // self.n_kv_heads

    def window_of(self, layer: int) -> int:
        """The window of a layer, 0 for a global one."""
        return self.windows[layer] if self.windows else 0

    def rope_of(self, layer: int) -> Rope | None:
        """The rope of a layer, None for none."""
        if not self.ropes:
            return None
        index = self.layer_ropes[layer] if self.layer_ropes else 0
        return None if index == NO_ROPE else self.ropes[index]

    def scale_of(self, layer: int) -> float:
        """What the queries of a layer are multiplied with."""
        scale = self.attn_scale or float(self.head_dim) ** -0.5
        return scale / (layer + 1) if self.attn_scale_by_layer else scale

    @property
    def window_tokens(self) -> int:
        """The longest sequence it takes: RoPE that stretches with the length goes beyond `max_positions`."""
        stretch = max((rope.factor or 1.0 for rope in self.ropes if rope.kind == "dynamic"), default=1.0)
        return int(self.max_positions * stretch)

    @property
    def shape(self) -> ModelShape:
        """The sizes that the mesh needs."""
        return ModelShape(
            name=self.name or self.family,
            vocab_size=self.vocab_size,
            d_model=self.d_model,
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            n_kv_heads=self.n_kv_heads,
            head_dim=self.head_dim,
            d_ff=self.d_ff,
            gated_mlp=self.gated_mlp,
            tied_head=self.tied_head,
            windows=self.windows,
            max_positions=self.max_positions,
        )


def weight_shapes(arch: Arch) -> dict[str, tuple[int, ...]]:
    """Every weight that `Model` needs for this architecture, in the order it reads them."""
    d, f, hd = arch.d_model, arch.d_ff, arch.head_dim
    q, kv = arch.n_heads * hd, arch.n_kv_heads * hd
    shapes: dict[str, tuple[int, ...]] = {"embed.tok": (arch.vocab_size, d)}
    if arch.learned_positions:
        shapes["embed.pos"] = (arch.max_positions, d)

    def norm(name: str) -> None:
        shapes[f"{name}.w"] = (d,)
        if arch.norm == "layer":
            shapes[f"{name}.b"] = (d,)

    def matrix(name: str, out: int, into: int, bias: bool) -> None:
        shapes[name] = (out, into)
        if bias:
            shapes[f"{name}_b"] = (out,)

    for layer in range(arch.n_layers):
        at = f"layers.{layer}"
        norm(f"{at}.attn_norm")
        for key, out in (("q", q), ("k", kv), ("v", kv)):
            matrix(f"{at}.attn.{key}", out, d, arch.bias_qkv)
        matrix(f"{at}.attn.o", d, q, arch.bias_o)
        if arch.qk_norm:
            shapes[f"{at}.attn.q_norm"] = shapes[f"{at}.attn.k_norm"] = (hd,)
        if arch.smear:
            shapes[f"{at}.attn.smear"] = (arch.n_kv_heads,)
        if arch.sandwich_norms:
            norm(f"{at}.attn_post_norm")
        norm(f"{at}.mlp_norm")
        if arch.gated_mlp:
            matrix(f"{at}.mlp.gate", f, d, arch.bias_mlp)
        matrix(f"{at}.mlp.up", f, d, arch.bias_mlp)
        matrix(f"{at}.mlp.down", d, f, arch.bias_mlp)
        if arch.sandwich_norms:
            norm(f"{at}.mlp_post_norm")
    norm("final_norm")
    if not arch.tied_head:
        shapes["head.w"] = (arch.vocab_size, d)
    return shapes
