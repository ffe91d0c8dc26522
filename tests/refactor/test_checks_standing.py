# ruff: noqa: E501 - cases read better unbroken
"""Values are made clean and kept in bounds where they stand, guards stand behind what is made anew, one order serves several."""

from __future__ import annotations

import pytest

from spark_tui.refactor.each_of import each_of
from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = """import heapq
import logging

log = logging.getLogger(__name__)


def row_of(item, args):
    return {
        "title": item["title"],
        "price": float(item["price"]),
        "author": item.get("author"),
        "tags": item["tags"].split(","),
    }


def make(form):
    limit = int(form.get("limit", 50))
    start = int(form["offset"])
    return User(name=form["name"], mail=form["mail"], age=int(form["age"]), limit=limit, start=start)


def hit(player, power):
    loss = power - player.shield
    player.hp -= loss
    return loss


def scores(players):
    rows = []
    for p in players:
        rows.append({"who": p.who, "points": p.points})
    return rows


class Queue:
    def __init__(self):
        self._heap = []

    def take(self):
        return heapq.heappop(self._heap)

    def head(self):
        return self._heap[0]

    def begin(self):
        self.running = True

    def stop(self):
        self.running = False


def area(w, h):
    return w * h


def perimeter(w, h):
    return 2 * (w + h)


def year_of(text):
    text = text.strip()
    return int(text[:4])


def main(argv):
    count = int(argv[1])
    run(count)
    return 0


def run(count):
    return ["x"] * count


class Box:
    code: str


def tell(text):
    log.warning(text)


def listed(parcels):
    out = []
    for p in parcels:
        out.append(f"{p.code} {p.weight}")
    return out


def boxes_of(rows, carrier="dhl"):
    boxes = []
    for row in rows:
        boxes.append(Box(row["code"], row["carrier"]))
    return boxes
"""
_EMPTY = "        if not self._heap:\n            return None\n"
_NO = "    if w < 0:\n        raise ValueError("


def _plain(order: str) -> str | None:
    lines = CODE.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    return "\n".join(with_hunks(lines, found[0].hunks)) + "\n"


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("strip the title", '"title": item["title"].strip(),'),
        ("strip whitespace off name and mail", 'name=form["name"].strip(), mail=form["mail"].strip()'),
        ("lowercase the mail", 'mail=form["mail"].lower()'),
        ("strip and lowercase the mail in make", 'mail=form["mail"].strip().lower()'),
        ("clamp limit to at most 100", 'limit = min(int(form.get("limit", 50)), 100)'),
        ("limit offset to 1000", 'start = min(int(form["offset"]), 1000)'),
        ("clamp start to 0..500", 'start = max(0, min(int(form["offset"]), 500))'),
        ("restrict limit to a maximum of 99", 'limit = min(int(form.get("limit", 50)), 99)'),
        ("the mail should be stripped", 'mail=form["mail"].strip()'),
        ("name and mail should be stripped", 'name=form["name"].strip(), mail=form["mail"].strip()'),
        ("call lower() on the mail", 'mail=form["mail"].lower()'),
        ("offset should be at most 500", 'start = min(int(form["offset"]), 500)'),
        ("never allow more than 500 for limit", 'limit = min(int(form.get("limit", 50)), 500)'),
        ('year_of("") should return 0', "    text = text.strip()\n    if not text:\n        return 0\n"),
        ('if count is below 1, print "no" to stderr and return 2', '        print("no", file=sys.stderr)\n        return 2\n'),
        ("in hit, loss must not go below 0", "loss = max(0, power - player.shield)"),
        ("loss should never be negative in hit", "loss = max(0, power - player.shield)"),
        ("hp can't drop below zero", "player.hp = max(0, player.hp - loss)"),
        ("sort the rows by points before returning", 'return sorted(rows, key=lambda r: r["points"])'),
        ("year_of should return 0 for an empty text", "    text = text.strip()\n    if not text:\n        return 0\n"),
        ("year_of: raise ValueError when the text is shorter than 4", "    text = text.strip()\n    if len(text) < 4:\n"),
        ("take: return None on an empty heap", _EMPTY),
        ('counts under 1: complain on stderr with "no" and return 2', '        print("no", file=sys.stderr)\n        return 2\n'),
        ('count of 0 or less: print "bad" and return 1', "    count = int(argv[1])\n    if count <= 0:\n"),
        ('run should give ValueError("bad count") for a count of 0 or less', '    if count <= 0:\n        raise ValueError("bad count")\n'),
        ("tell should ignore empty texts", "    if not text:\n        return\n"),
        ("in listed, skip parcels without a code", "        if not p.code:\n            continue\n"),
        ("listed should skip parcels with a weight of 0", "        if p.weight == 0:\n            continue\n"),
        ("use row.get for the carrier, default dhl", 'row.get("carrier", "dhl")'),
        ("sort the boxes by code in boxes_of", "return sorted(boxes, key=lambda b: b.code)"),
        ('log "done" at the end of stop', '        self.running = False\n        log.info("done")\n'),
    ],
)  # fmt: skip
def test_what_is_said_of_a_value_is_done_where_it_stands(order: str, made: str) -> None:
    assert made in (_plain(order) or "")


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("take and head: return None on an empty heap", _EMPTY),
        ("take and head should return None when the heap is empty", _EMPTY),
        ("in area and perimeter, raise ValueError when w is negative", _NO),
        ("raise ValueError when w is negative in area and perimeter", _NO),
        ("log.info('x') at the start of begin and stop", "        log.info('x')\n        self.running"),
        ("add docstrings to area and perimeter", '"""\n    return'),
    ],
)
def test_an_order_for_several_functions_is_done_in_each(order: str, made: str) -> None:
    assert (_plain(order) or "").count(made) == 2


def test_texts_that_are_listed_go_to_functions_in_their_order() -> None:
    new = _plain('log "started" and "stopped" at the end of begin and stop') or ""
    assert '= True\n        log.info("started")\n' in new and '= False\n        log.info("stopped")\n' in new


@pytest.mark.parametrize(
    "order",
    ["lower the price", "strip the tags", "strip the author", "take and cover: return None on an empty heap", "strip the colour"],
)  # fmt: skip
def test_what_is_no_text_or_not_there_is_left(order: str) -> None:
    assert _plain(order) is None


def test_a_list_with_something_else_in_it_is_no_list_of_functions() -> None:
    assert each_of("rename a and b in main", {"main"}) == []
    assert each_of("a and b should return 1", {"a", "b"}) == ["in a, return 1", "in b, return 1"]
