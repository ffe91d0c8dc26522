"""The model family `spark` in torch, for training and as the reference for the numpy engine.

The architecture is described in docs/model-format.md.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from spark_tui.train.language_model.presets import ModelSizes


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.eps)


def rotary(length: int, head_dim: int, theta: float, device: torch.device) -> tuple[Tensor, Tensor]:
    """cos and sin, `[T, h/2]` each."""
    inverse = theta ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    angles = torch.arange(length, device=device, dtype=torch.float32)[:, None] * inverse
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    one, two = x.chunk(2, dim=-1)
    cos, sin = cos.to(x.dtype), sin.to(x.dtype)
    return torch.cat([one * cos - two * sin, two * cos + one * sin], dim=-1)


def attend(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Causal attention by torch's own kernel; `[B, H, T, h]` over `[B, G, T, h]`. Window 0 means no
    window."""
    mask = None
    if 0 < window < q.shape[2]:
        places = torch.arange(q.shape[2], device=q.device)
        gap = places[:, None] - places[None, :]
        mask = (gap >= 0) & (gap < window)
    return F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=mask is None, enable_gqa=q.shape[1] != k.shape[1]
    )


BLOCK = 64
"""Query rows of a product on a CPU: small enough for its cache, and most of the upper triangle is never
computed."""


def attend_in_blocks(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """The same by plain products over blocks of queries: torch's CPU kernel takes two to four times as
    long."""
    B, H, T, h = q.shape
    G = k.shape[1]
    q = (q * h**-0.5).reshape(B * G, H // G, T, h)
    k, v = k.reshape(B * G, T, h), v.reshape(B * G, T, h)
    places = torch.arange(T, device=q.device)
    blocks = []
    for start in range(0, T, BLOCK):
        end = min(T, start + BLOCK)
        first = max(0, start - window + 1) if window else 0
        rows = H // G * (end - start)
        scores = q[:, :, start:end].reshape(B * G, rows, h) @ k[:, first:end].transpose(1, 2)
        gap = places[start:end, None] - places[None, first:end]
        seen = (gap >= 0) & (gap < window) if window else gap >= 0
        scores = scores.view(B * G, H // G, end - start, end - first).float().masked_fill(~seen, -1e9)
        shares = torch.softmax(scores, -1).to(v.dtype).view(B * G, rows, end - first)
        blocks.append((shares @ v[:, first:end]).view(B * G, H // G, end - start, h))
    return torch.cat(blocks, 2).view(B, H, T, h)


class TorchAttention(nn.Module):
    def __init__(self, shape: ModelSizes, window: int) -> None:
        super().__init__()
        d, h = shape.hidden_size, shape.head_dim
        self.heads, self.groups, self.head_dim, self.window = (
            shape.num_attention_heads,
            shape.num_key_value_heads,
            h,
            window,
        )
        self.q_proj = nn.Linear(d, self.heads * h, bias=False)
        self.k_proj = nn.Linear(d, self.groups * h, bias=False)
        self.v_proj = nn.Linear(d, self.groups * h, bias=False)
        self.o_proj = nn.Linear(self.heads * h, d, bias=False)
        self.q_norm = RMSNorm(h, shape.rms_norm_eps)
        self.k_norm = RMSNorm(h, shape.rms_norm_eps)
        self.smear = nn.ParameterDict({"weight": nn.Parameter(torch.linspace(-2.0, 1.0, self.groups))})

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        B, T, _ = x.shape
        q = self.q_norm(self.q_proj(x).view(B, T, self.heads, self.head_dim)).transpose(1, 2)  # [B, H, T, h]
        k = self.k_norm(self.k_proj(x).view(B, T, self.groups, self.head_dim)).transpose(1, 2)  # [B, G, T, h]
        v = self.v_proj(x).view(B, T, self.groups, self.head_dim).transpose(1, 2)
        share = torch.sigmoid(self.smear["weight"]).to(k.dtype)[None, :, None, None]
        previous = torch.cat(
            [k[:, :, :1], k[:, :, :-1]], dim=2
        )  # the first row is mixed with itself: unmixed
        k = k + share * (previous - k)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        out = (
            attend_in_blocks(q, k, v, self.window) if x.device.type == "cpu" else attend(q, k, v, self.window)
        )
        rows: Tensor = self.o_proj(out.transpose(1, 2).reshape(B, T, self.heads * self.head_dim))
        return rows


class MLP(nn.Module):
    def __init__(self, shape: ModelSizes) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.up_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.down_proj = nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
        return out


class TorchLayer(nn.Module):
    def __init__(self, shape: ModelSizes, window: int) -> None:
        super().__init__()
        self.input_layernorm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        self.self_attn = TorchAttention(shape, window)
        self.post_attention_layernorm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        self.mlp = MLP(shape)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class Body(nn.Module):
    """Embedding, layers and the last norm. Its parameter names are those of the checkpoint without
    `model.`."""

    def __init__(self, shape: ModelSizes) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(TorchLayer(shape, window) for window in shape.layer_windows)
        self.norm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)


class TorchSpark(nn.Module):
    """`forward` gives the normed hidden rows; `logits` and `loss` use the tied table."""

    def __init__(self, shape: ModelSizes) -> None:
        super().__init__()
        if len(shape.layer_windows) != shape.num_hidden_layers:
            raise ValueError("layer_windows has to name a window for every layer")
        self.shape = shape
        self.model = Body(shape)
        self._start()

    def layers(self) -> list[TorchLayer]:
        return [layer for layer in self.model.layers if isinstance(layer, TorchLayer)]

    def _start(self) -> None:
        """Small embeddings; matrices scaled by their input width; the two that write to the residual stream
        start at zero. Queries start longer than one, since normed keys limit how sharply a row can point."""
        for name, weight in self.named_parameters():
            if name.endswith("embed_tokens.weight"):
                nn.init.normal_(weight, std=0.02)
            elif name.endswith(("o_proj.weight", "down_proj.weight")):
                nn.init.zeros_(weight)
            elif name.endswith("q_norm.weight"):
                nn.init.constant_(weight, 1.5)
            elif weight.dim() == 2:
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5)

    def forward(self, ids: Tensor, tags: Tensor) -> Tensor:
        table = self.model.embed_tokens.weight
        x = F.embedding(ids, table) + F.embedding(tags, table) * (tags > 0)[..., None]  # [B, T, d]
        cos, sin = rotary(ids.shape[1], self.shape.head_dim, self.shape.rope_theta, ids.device)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        out: Tensor = self.model.norm(x)
        return out

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.model.embed_tokens.weight.to(hidden.dtype)).float()

    def loss(
        self, ids: Tensor, tags: Tensor, places: Tensor, targets: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Weighted cross-entropy at `places` of the flattened rows; also how many full-weight targets are
        predicted right, and how many there are."""
        hidden = self(ids, tags).flatten(0, 1)[places]  # [N, d]
        return self.loss_at(hidden, targets, weights)

    def loss_at(self, hidden: Tensor, targets: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        logits = self.logits(hidden)
        each = F.cross_entropy(logits, targets, reduction="none")
        full = weights >= 1.0
        right = ((logits.argmax(-1) == targets) & full).sum()
        return (each * weights).sum() / weights.sum().clamp(min=1e-6), right, full.sum()

    def compile_parts(self) -> None:
        """Compiles the layers and the loss separately: one small graph for all layers of a length, compiled
        in seconds."""
        for layer in self.layers():
            layer.compile(dynamic=False)
        self.loss_at = torch.compile(self.loss_at, dynamic=False)  # type: ignore[method-assign]
