"""A small program on which orders are tried, and what the family `statements` makes of one."""

from __future__ import annotations

import pytest

from spark_tui.refactor import known as rooms
from spark_tui.refactor import statements
from spark_tui.refactor.known import PLAIN, known

Hunks = list[tuple[int, int, str]]
"""The first line, how many go, what stands there then."""

SHOP = '''\
"""A small shop."""

import json
import os

TAX = 0.19


class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def add(self, name, price, qty=1):
        print("adding", name)
        self.items.append((name, price, qty))
        return len(self.items)

    def total(self):
        # sum of all items
        result = 0
        for name, price, qty in self.items:
            print(name)
            result += price * qty
        return result * (1 + TAX)

    def save(self):
        with open("cart.json", "w") as f:
            json.dump(self.items, f)


def load(path):
    if not os.path.exists(path):
        return None
    else:
        with open(path) as f:
            data = json.load(f)
        return data


def unused_helper(x):
    y = x * 2
    return x
    print(y)


def main():
    cart = Cart("bob")
    # cart.add("apple", 0.5)
    cart.add("pear", 0.7, 3)
    debug = True
    total = cart.total()
    retries = 3
    while retries > 0:
        try:
            cart.save()
            break
        except OSError as exc:
            retries -= 1
    print("total:", total)
    if total > 100:
        print("free shipping")
    print("DEBUG", cart.items)
    return 0


if __name__ == "__main__":
    main()
'''


def edit(say: str, source: str = SHOP) -> tuple[int, list[str]]:
    """How plain the best edit is, and the texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "RULES", statements.RULES)
        lines = source.split("\n")[:-1]
        found = known(lines, say)
    texts = []
    for one in found:
        out = list(lines)
        for hunk in reversed(one.hunks):
            out[hunk.first : hunk.last] = hunk.new
        texts.append("\n".join(out) + "\n")
    return max((one.plain for one in found), default=0), texts


def plain(say: str, source: str = SHOP, cursor: int | None = None) -> Hunks:
    """The hunks of the one edit that is plainly meant; none where nothing is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "RULES", statements.RULES)
        found = known(source.split("\n")[:-1], say, cursor=cursor)
    if not found or found[0].plain != PLAIN:
        return []
    return [(hunk.first + 1, hunk.last - hunk.first, "\n".join(hunk.new)) for hunk in found[0].hunks]
