"""A numpy reference of the mesh transformer that knows no tiles and no cores: dense vectors, summed in the
order in which the mesh sums. Written apart from the product so that the two can disagree."""

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
    """The chain of one group: each side runs to the middle; the middle adds the high side, then the low
    side."""
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

    # -- a whole prompt, as cyclic shifts sum it
    # ---------------------------------------------------------------------

    def shifted_product(self, rows, matrix):
        """`rows[y]` are the vectors of grid row y. Column x of row y takes the inner blocks in ring order,
        starting where the places of y and x meet."""
        side = self.side
        ring = [*range(0, side, 2), *reversed(range(1, side, 2))]
        place = [ring.index(at) for at in range(side)]
        inner, outer = matrix.shape[0] // side, matrix.shape[1] // side
        found = []
        for y, vectors in enumerate(rows):
            out = []
            for vector in vectors:
                total = np.zeros(matrix.shape[1], dtype=F)
                for x in range(side):
                    mine = slice(x * outer, (x + 1) * outer)
                    for step in range(side):
                        block = ring[(place[y] + place[x] + step) % side]
                        for k in range(block * inner, (block + 1) * inner):
                            total[mine] = total[mine] + vector[k] * matrix[k, mine]
                out.append(total)
            found.append(out)
        return found

    def prefill(self, tokens):
        """Logits of every position."""
        w, side = self.w, self.side
        rows = rows_of(len(tokens), side)
        x = [[w["embed"][tokens[at]] for at in row] for row in rows]

        def each(of, *lists):
            return [[of(*items) for items in zip(*parts, strict=True)] for parts in zip(*lists, strict=True)]

        for layer in range(self.shape.n_layers):
            m = {name: w[f"{layer}.{name}"] for name in ("q", "o", "up", "gate", "down")}
            for name in ("k", "v"):
                m[name] = self.widened(w[f"{layer}.{name}"])
            h = each(lambda vector, at=layer: norm(vector, w[f"{at}.norm1"], side), x)
            q, k, v = (self.shifted_product(h, m[name]) for name in ("q", "k", "v"))
            q, k = each(self.turn, q, rows), each(self.turn, k, rows)
            x = each(np.add, x, self.shifted_product(self.attend_all(q, k, v, rows), m["o"]))
            h = each(lambda vector, at=layer: norm(vector, w[f"{at}.norm2"], side), x)
            up, gate = self.shifted_product(h, m["up"]), self.shifted_product(h, m["gate"])
            inner = each(lambda u, g: u * (g / (F(1) + np.exp(-g))), up, gate)
            x = each(np.add, x, self.shifted_product(inner, m["down"]))
        h = each(lambda vector: norm(vector, w["norm"], side), x)
        vocabulary = w["head"].shape[1]
        head = np.pad(w["head"], ((0, 0), (0, -vocabulary % side)))
        return np.stack([vector[:vocabulary] for row in self.shifted_product(h, head) for vector in row])

    def widened(self, matrix):
        shape = self.shape
        repeat = shape.n_heads // shape.n_kv_heads
        cut = [matrix[:, at : at + shape.head_dim] for at in range(0, matrix.shape[1], shape.head_dim)]
        return np.concatenate([part for part in cut for _ in range(repeat)], axis=1)

    def attend_all(self, q, k, v, rows):
        """Keys and values come by row after row, the own row first; softmax divides at the end."""
        shape, side = self.shape, self.side
        size = shape.head_dim
        column = shape.n_heads * size // side
        out = []
        for y, row in enumerate(rows):
            vectors = []
            for own, position in enumerate(row):
                result = np.zeros(shape.n_heads * size, dtype=F)
                for head in range(shape.n_heads):
                    mine = list(range(head * size, (head + 1) * size))
                    cores = [mine[at : at + column] for at in range(0, size, min(column, size))]
                    order = [
                        ((y + step) % side, at)
                        for step in range(side)
                        for at in range(len(rows[(y + step) % side]))
                    ]
                    scores = {}
                    for there, at in order:
                        if rows[there][at] > position:
                            continue
                        parts = []
                        for core in cores:
                            total = F(0)
                            for index in core:
                                total = F(total + q[y][own][index] * k[there][at][index])
                            parts.append(np.array(total))
                        scores[there, at] = line_sum(parts) / F(np.sqrt(size))
                    share = np.exp(np.array(list(scores.values()), dtype=F) - max(scores.values()))
                    total, summed = F(0), np.zeros(size, dtype=F)
                    for weight, (there, at) in zip(share, scores, strict=True):
                        total = F(total + weight)
                        summed = summed + weight * v[there][at][mine[0] : mine[-1] + 1]
                    result[mine[0] : mine[-1] + 1] = summed / total
                vectors.append(result)
            out.append(vectors)
        return out
