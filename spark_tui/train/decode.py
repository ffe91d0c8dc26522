"""Greedy decoding in torch with a key-value cache.

It is used for evaluation during training and as a reference for the engine.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from spark_tui.engine import token_layout
from spark_tui.train.model import TorchAttention, TorchSpark, rotate


@dataclass(slots=True)
class LayerCache:
    """Mixed, rotated keys and values so far `[G, T, h]`, and the last unmixed key `[G, 1, h]`."""

    keys: Tensor
    values: Tensor
    last: Tensor


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The decoded ids with the log-probability of each; `first` are the log-probabilities at the first
    position."""

    ids: list[int]
    logprobs: list[float]
    first: Tensor


def _attend(
    layer: TorchAttention, x: Tensor, cos: Tensor, sin: Tensor, past: LayerCache | None
) -> tuple[Tensor, LayerCache]:
    T = x.shape[0]
    q = layer.q_norm(layer.q_proj(x).view(T, layer.heads, layer.head_dim)).transpose(0, 1)  # [H, T, h]
    k0 = layer.k_norm(layer.k_proj(x).view(T, layer.groups, layer.head_dim)).transpose(0, 1)  # [G, T, h]
    v = layer.v_proj(x).view(T, layer.groups, layer.head_dim).transpose(0, 1)
    share = torch.sigmoid(layer.smear["weight"])[:, None, None]
    before = past.last if past is not None else k0[:, :1]
    k = k0 + share * (torch.cat([before, k0[:, :-1]], dim=1) - k0)
    q, k = rotate(q, cos, sin), rotate(k, cos, sin)
    keys = torch.cat([past.keys, k], dim=1) if past is not None else k
    values = torch.cat([past.values, v], dim=1) if past is not None else v
    S = keys.shape[1]
    rows = torch.arange(S - T, S)[:, None]
    columns = torch.arange(S)[None, :]
    mask = columns <= rows
    if layer.window:
        mask &= rows - columns < layer.window
    repeat = layer.heads // layer.groups
    out = F.scaled_dot_product_attention(
        q[None],
        keys.repeat_interleave(repeat, 0)[None],
        values.repeat_interleave(repeat, 0)[None],
        attn_mask=mask,
    )[0]
    joined: Tensor = layer.o_proj(out.transpose(0, 1).reshape(T, layer.heads * layer.head_dim))
    return joined, LayerCache(keys, values, k0[:, -1:])


class Decoder:
    """Decodes one sequence. `feed` appends ids and returns the logits of the last row."""

    def __init__(self, model: TorchSpark) -> None:
        self.model = model
        self.tags = token_layout.TagState()
        self.caches: list[LayerCache | None] = [None] * model.shape.num_hidden_layers
        self.length = 0

    @torch.no_grad()
    def feed(self, ids: list[int]) -> Tensor:
        table = self.model.model.embed_tokens.weight
        rows = torch.tensor(self.tags.rows(ids))
        x = table[torch.tensor(ids)] + table[rows.clamp(min=0)] * (rows >= 0)[:, None]
        half = self.model.shape.head_dim
        inverse = self.model.shape.rope_theta ** (-torch.arange(0, half, 2, dtype=torch.float32) / half)
        angles = torch.arange(self.length, self.length + len(ids), dtype=torch.float32)[:, None] * inverse
        cos, sin = angles.cos(), angles.sin()
        for number, layer in enumerate(self.model.layers()):
            normed = layer.input_layernorm(x)
            added, self.caches[number] = _attend(layer.self_attn, normed, cos, sin, self.caches[number])
            x = x + added
            x = x + layer.mlp(layer.post_attention_layernorm(x))
        self.length += len(ids)
        return self.model.logits(self.model.model.norm(x[-1:]))[0]


def greedy(model: TorchSpark, prompt: list[int], max_tokens: int = 400) -> DecodedText:
    """Writes until `<|eos|>` (kept in the ids) or `max_tokens`."""
    decoder = Decoder(model)
    logits = decoder.feed(prompt)
    first = torch.log_softmax(logits, -1)
    ids: list[int] = []
    logprobs: list[float] = []
    while len(ids) < max_tokens:
        chances = torch.log_softmax(logits, -1)
        token = int(chances.argmax())
        ids.append(token)
        logprobs.append(float(chances[token]))
        if token == token_layout.EOS:
            break
        logits = decoder.feed([token])
    return DecodedText(ids, logprobs, first)
