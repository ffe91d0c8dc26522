"""The reader's network in torch. Names of parameters are those that `intent.network` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from spark_tui.intent.reading.features import BUCKETS, FLAGS, grams
from spark_tui.intent.reading.intent_table import Intent
from spark_tui.intent.reading.network import LEFT_OUT, REACH, label_words
from spark_tui.train.reader.dataset import IGNORED

FREE_DROPPED = 0.08
"""Share of intents whose learned part is left out in a step, so that their texts carry meaning."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = 160
    layers: int = 4
    heads: int = 5
    hidden: int = 640
    gram_width: int = 96
    dropout: float = 0.1


@dataclass
class Batch:
    """Examples of similar length, padded. Words are numbers of the rows of `word_grams`."""

    gram_ids: Tensor  # [G] of the distinct words, one after the other
    gram_offsets: Tensor  # [W]
    words: Tensor  # [B, T] into the distinct words
    flags: Tensor  # [B, T, F]
    sizes: Tensor  # [B]
    earlier: Tensor  # [B], -1 for none
    boundary: Tensor  # [B, T] 1.0 where an order begins after the first
    rows: Tensor  # [R] example of each order
    first: Tensor  # [R]
    last: Tensor  # [R]
    intents: Tensor  # [R]
    everywhere: Tensor  # [R]
    tags: Tensor  # [R, T] number within the tags of the intent, IGNORED elsewhere


class Dropout(nn.Module):
    """Dropout with masks cut from a pool of random numbers: to draw them anew takes a sixth of a step."""

    pool: Tensor

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        kept = (torch.rand(4_000_037) >= share).float() / (1 - share)
        self.register_buffer("pool", kept, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or x.numel() >= len(self.pool):
            return x
        at = int(torch.randint(len(self.pool) - x.numel(), ()))
        return x * self.pool[at : at + x.numel()].view_as(x)


class Layer(nn.Module):
    def __init__(self, shape: Shape, drop: Dropout) -> None:
        super().__init__()
        self.heads, self.drop = shape.heads, drop
        self.norm1, self.norm2 = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.up = nn.Linear(shape.width, shape.hidden)
        self.down = nn.Linear(shape.hidden, shape.width)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, t, d)))
        hidden = F.gelu(self.up(self.norm2(x)), approximate="tanh")
        out: Tensor = x + self.drop(self.down(hidden))
        return out


class ReaderNetwork(nn.Module):
    amends: Tensor
    tag_table: Tensor
    pair_intent: Tensor
    pair_slot: Tensor

    def __init__(self, intents: Sequence[Intent], shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or Shape()
        self.intents = tuple(intents)
        width, small = shape.width, shape.gram_width
        self.drop = Dropout(shape.dropout)
        self.grams = nn.EmbeddingBag(BUCKETS, small, mode="mean")
        self.word = nn.Linear(small, width)
        self.flags = nn.Parameter(torch.randn(len(FLAGS), width) * 0.01)
        self.start = nn.Parameter(torch.randn(width) * 0.02)
        self.distance = nn.Parameter(torch.zeros(shape.heads, 2 * REACH + 1))
        self.earlier = nn.Linear(width, width)
        self.norm_in, self.norm_out = nn.LayerNorm(width), nn.LayerNorm(width)
        self.norm_query = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(shape, self.drop) for _ in range(shape.layers))
        self.label_in, self.label_out = nn.Linear(2 * small, width), nn.Linear(width, width)
        self.free = nn.Parameter(torch.randn(len(intents), width) * 1.4)
        self.intent_bias = nn.Parameter(torch.zeros(len(intents)))
        self.slot_in = nn.Linear(small, width)
        self.pair = nn.Linear(2 * width, width)
        self.begin, self.inside = nn.Linear(width, width), nn.Linear(width, width)
        self.outside = nn.Parameter(torch.randn(width) * 0.1)
        self.token = nn.Linear(width, width)
        self.query = nn.Linear(3 * width, width)
        self.boundary, self.everywhere = nn.Linear(width, 1), nn.Linear(2 * width, 1)
        nn.init.normal_(self.grams.weight, std=0.1)
        self._lay_out_labels()

    def _lay_out_labels(self) -> None:
        """Texts of labels as buckets, and the place of each pair of intent and slot."""
        slots = sorted({name for intent in self.intents for name in (*intent.slot_names, LEFT_OUT)})
        texts = [
            *(intent.name for intent in self.intents),
            *(intent.about for intent in self.intents),
            *slots,
        ]
        cut = [label_words(text) for text in texts]
        distinct = {word: place for place, word in enumerate(dict.fromkeys(chain(*cut)))}
        pieces = [grams(word) for word in distinct]
        self.register_buffer("label_grams", torch.tensor(list(chain(*pieces))), persistent=False)
        ends = torch.tensor([0, *map(len, pieces[:-1])]).cumsum(0)
        self.register_buffer("label_ends", ends, persistent=False)
        mixing = torch.zeros(len(texts), len(distinct))
        for row, found in enumerate(cut):
            for word in found:
                mixing[row, distinct[word]] += 1 / len(found)
        self.register_buffer("label_mixing", mixing, persistent=False)
        number = {slot: place for place, slot in enumerate(slots)}
        self.tag_count = 1 + 2 * max(len(intent.slots) + 1 for intent in self.intents)
        pair_intent, pair_slot = list[int](), list[int]()
        table = torch.full((len(self.intents), self.tag_count), -1, dtype=torch.long)
        for row, intent in enumerate(self.intents):
            table[row, 0] = 0
            for place, slot in enumerate((*intent.slot_names, LEFT_OUT)):
                table[row, 1 + 2 * place] = 1 + 2 * len(pair_intent)
                table[row, 2 + 2 * place] = 2 + 2 * len(pair_intent)
                pair_intent.append(row)
                pair_slot.append(number[slot])
        self.register_buffer("tag_table", table, persistent=False)
        self.register_buffer("pair_intent", torch.tensor(pair_intent), persistent=False)
        self.register_buffer("pair_slot", torch.tensor(pair_slot), persistent=False)
        amends = torch.tensor([intent.amends for intent in self.intents])
        self.register_buffer("amends", amends, persistent=False)

    def labels(self) -> tuple[Tensor, Tensor]:
        """The vectors of intents [I, D], and of all tags [1 + 2 P, D]."""
        means = self.label_mixing @ self.grams(self.label_grams, self.label_ends)
        count = len(self.intents)
        both = torch.cat([means[:count], means[count : 2 * count]], 1)
        made = self.label_out(F.gelu(self.label_in(both), approximate="tanh"))
        if self.training:
            kept = torch.rand(count, 1, device=made.device) >= FREE_DROPPED
            made = made + self.free * kept.float()
        else:
            made = made + self.free
        slots = self.slot_in(means[2 * count :])
        joined = torch.cat([F.embedding(self.pair_slot, slots), F.embedding(self.pair_intent, made)], 1)
        hidden = F.gelu(self.pair(joined), approximate="tanh")
        tags = torch.stack([self.begin(hidden), self.inside(hidden)], 1).reshape(-1, self.shape.width)
        return made, torch.cat([self.outside[None], tags])

    def encode(self, batch: Batch, intent_vectors: Tensor) -> tuple[Tensor, Tensor]:
        """The vectors of the tokens [B, T, D] in their context, and before it."""
        distinct = self.word(self.grams(batch.gram_ids, batch.gram_offsets))
        x = F.embedding(batch.words, distinct) + batch.flags @ self.flags
        b, t, _ = x.shape
        behind = (batch.earlier >= 0)[:, None].float()
        start = self.start + self.earlier(F.embedding(batch.earlier.clamp(min=0), intent_vectors)) * behind
        x = self.drop(self.norm_in(torch.cat([start[:, None], x], 1)))
        places = torch.arange(t + 1, device=x.device)
        distance = (places[None] - places[:, None]).clamp(-REACH, REACH) + REACH
        hidden = places[None] > batch.sizes[:, None]
        bias = F.embedding(distance, self.distance.T).permute(2, 0, 1)[None] + torch.zeros(
            b, 1, 1, t + 1, device=x.device
        ).masked_fill(hidden[:, None, None], -1e4)
        words = x[:, 1:]
        for layer in self.layers:
            x = layer(x, bias)
        return self.norm_out(x)[:, 1:], words

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores: intents [R, I], *everywhere* [R], tags of the right intent [R, T, K], boundaries [B, T]."""
        intent_vectors, tag_vectors = self.labels()
        encoded, words = self.encode(batch, intent_vectors)
        own = encoded.index_select(0, batch.rows)  # [R, T, D]
        places = torch.arange(own.shape[1], device=own.device)
        inside = (places >= batch.first[:, None]) & (places < batch.last[:, None])
        count = inside.sum(1, keepdim=True)
        mean = (own * inside[..., None]).sum(1) / count
        bag = (words.index_select(0, batch.rows) * inside[..., None]).sum(1) / count
        peak = own.masked_fill(~inside[..., None], -1e4).max(1).values
        pooled = self.drop(torch.cat([mean, peak], 1))
        query = self.norm_query(self.query(torch.cat([pooled, self.drop(bag)], 1)))
        scores = query @ intent_vectors.T / self.shape.width**0.5 + self.intent_bias
        alone = batch.earlier[batch.rows] < 0
        scores = scores.masked_fill(alone[:, None] & self.amends[None], -1e4)
        which = self.tag_table[batch.intents]  # [R, K]
        tags = (
            self.token(own)
            @ F.embedding(which.clamp(min=0), tag_vectors).transpose(1, 2)
            / self.shape.width**0.5
        )
        tags = tags.masked_fill(which[:, None] < 0, -1e4)
        return scores, self.everywhere(pooled)[:, 0], tags, self.boundary(encoded)[..., 0]


def loss_of(model: ReaderNetwork, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss and its parts. Nothing here waits for the device."""
    scores, everywhere, tags, boundary = model(batch)
    smoothing = 0.05 if model.training else 0.0
    allowed = scores > -5e3
    logs = F.log_softmax(scores, 1)
    right = logs.gather(1, batch.intents[:, None])[:, 0]
    spread = (logs * allowed).sum(1) / allowed.sum(1)
    intent = -((1 - smoothing) * right + smoothing * spread).mean()
    known = (batch.tags != IGNORED).sum().clamp(min=1)
    slot = F.cross_entropy(tags.flatten(0, 1), batch.tags.flatten(), ignore_index=IGNORED, reduction="sum")
    slot = slot / known
    broad = F.binary_cross_entropy_with_logits(everywhere, batch.everywhere)
    there = torch.arange(boundary.shape[1], device=boundary.device) < batch.sizes[:, None]
    split = F.binary_cross_entropy_with_logits(boundary, batch.boundary, reduction="none")
    split = (split * there).sum() / there.sum()
    total = intent + 3 * slot + 0.5 * broad + 3 * split
    parts = {"intent": intent, "slots": slot, "everywhere": broad, "boundary": split}
    return total, {name: part.detach() for name, part in parts.items()}
