"""A numpy reference of the mesh transformer that knows no tiles and no cores: dense vectors, summed in the order in
which the mesh sums. Written apart from the product so that the two can disagree."""

from __future__ import annotations

import numpy as np

F = np.float32


def groups_of(count: int) -> int:
    best = 1
    for divisor in range(1, count + 1):
        if count % divisor == 0 and divisor * divisor <= count:
            best = divisor
    return best


def from_both_ends(parts):
    """The chain of one group: each side runs to the middle; the middle adds the high side, then the low side."""
    middle = len(parts) // 2
    total = parts[middle]
    high, low = parts[middle + 1 :], parts[:middle]
    if high:
        running = high[-1]
        for part in reversed(high[:-1]):
            running = running + part
        total = running + total
    if low:
        running = low[0]
        for part in low[1:]:
            running = running + part
        total = running + total
    return total


def line_sum(parts):
    """Groups of neighbours first, then the groups."""
    size = len(parts) // groups_of(len(parts))
    return from_both_ends([from_both_ends(parts[at : at + size]) for at in range(0, len(parts), size)])


def product(vector, matrix, side):
    """`vector @ matrix`: the inner index is cut over the cores of a line; each adds its own in order."""
    step = len(vector) // side
    parts = []
    for core in range(side):
        total = np.zeros(matrix.shape[1], dtype=F)
        for k in range(core * step, (core + 1) * step):
            total = total + vector[k] * matrix[k]
        parts.append(total)
    return line_sum(parts)


def norm(vector, gain, side):
    step = len(vector) // side
    parts = []
    for core in range(side):
        total = F(0)
        for value in vector[core * step : (core + 1) * step]:
            total = F(total + value * value)
        parts.append(np.array(total))
    scale = F(1) / np.sqrt(line_sum(parts) / F(len(vector)) + F(1e-6))
    return vector * gain * scale


def rows_of(tokens, side):
    """Contiguous, the first rows fullest."""
    share, extra = divmod(tokens, side)
    found, at = [], 0
    for row in range(side):
        count = share + (row < extra)
        found.append(list(range(at, at + count)))
        at += count
    return found


class Reference:
    """Decodes token by token."""

    def __init__(self, shape, weights, side):
        self.shape, self.w, self.side = shape, weights, side
        self.keys = [[] for _ in range(shape.n_layers)]
        self.values = [[] for _ in range(shape.n_layers)]

    def turn(self, vector, position):
        size = self.shape.head_dim
        out = vector.copy()
        for at in range(0, len(vector), 2):
            rate = 10_000.0 ** (-float(at % size) / size)
            cos, sin = F(np.cos(position * rate)), F(np.sin(position * rate))
            even, odd = vector[at], vector[at + 1]
            out[at], out[at + 1] = even * cos - odd * sin, even * sin + odd * cos
        return out

    def attend(self, layer, query):
        shape, side = self.shape, self.side
        size, width = shape.head_dim, shape.n_heads * shape.head_dim
        column = width // side
        repeat = shape.n_heads // shape.n_kv_heads
        rows = rows_of(len(self.keys[layer]), side)
        out = np.zeros(width, dtype=F)
        for head in range(shape.n_heads):
            mine = range(head * size, (head + 1) * size)
            theirs = (head // repeat) * size
            cores = [mine[at : at + column] for at in range(0, size, min(column, size))]
            scores = []
            for key in self.keys[layer]:
                parts = []
                for core in cores:
                    total = F(0)
                    for index in core:
                        total = F(total + query[index] * key[theirs + index - head * size])
                    parts.append(np.array(total))
                scores.append(line_sum(parts) / F(np.sqrt(size)))
            scores = np.array(scores, dtype=F)
            share = np.exp(scores - scores.max())
            sums = []
            for row in rows:
                total = F(0)
                for token in row:
                    total = F(total + share[token])
                sums.append(np.array(total))
            share = share / line_sum(sums)
            parts = []
            for row in rows:
                total = np.zeros(size, dtype=F)
                for token in row:
                    total = total + share[token] * self.values[layer][token][theirs : theirs + size]
                parts.append(total)
            out[head * size : (head + 1) * size] = line_sum(parts)
        return out

    def decode(self, token):
        w, side = self.w, self.side
        x = w["embed"][token]
        for layer in range(self.shape.n_layers):
            h = norm(x, w[f"{layer}.norm1"], side)
            position = len(self.keys[layer])
            query = self.turn(product(h, w[f"{layer}.q"], side), position)
            self.keys[layer].append(self.turn(product(h, w[f"{layer}.k"], side), position))
            self.values[layer].append(product(h, w[f"{layer}.v"], side))
            x = x + product(self.attend(layer, query), w[f"{layer}.o"], side)
            h = norm(x, w[f"{layer}.norm2"], side)
            gate = product(h, w[f"{layer}.gate"], side)
            inner = product(h, w[f"{layer}.up"], side) * (gate / (F(1) + np.exp(-gate)))
            x = x + product(inner, w[f"{layer}.down"], side)
        return product(norm(x, w["norm"], side), w["head"], side)
