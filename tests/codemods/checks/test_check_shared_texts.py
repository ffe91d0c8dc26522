"""Texts that a change takes from one place only, while another place relies on them."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

CODE = """STATES = ("open", "paid")
COLUMNS = ["name", "size"]
PRICES = {"small": 1, "large": 2}


def read(rows, size="small"):
    rows.append(("end", None))
    return {"rows": rows, "price": PRICES[size]}


def go(rows, state="open"):
    found = read(rows)
    if state == "paid" and size == "large":
        return found["price"]
    return rows[-1][0] == "end"


def row(name, size):
    return {"name": name, "size": size}
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('("end", None)', '("eof", None)', "nothing sets 'end' any more"),
        (', "price": PRICES[size]', "", "nothing sets 'price' any more"),
        ('== "end"', '== "eof"', "it still sets 'end', not 'eof'"),
        ('"open", ', "", "it still has 'open'"),
        ('"small": 1, ', "", "it still has 'small'"),
        ('state="open"', 'state="new"', "only 'open' is listed there, not 'new'"),
        ('state="open"', 'state="paid"', ""),
        ('size="small"', 'size="large"', ""),
        ('"paid")', '"paid", "lost")', ""),
        ('"size"]', '"size", "end"]', "nothing has 'end' beside 'name'"),
        ('"paid")', '"paid", "name")', ""),
        ('return rows[-1][0] == "end"', "return None", ""),
        ('"open"', '"new"', ""),
        ('"end"', '"eof"', ""),
    ],
)
def test_a_text_is_missed_where_another_place_relies_on_it(old: str, new: str, reason: str) -> None:
    found = findings("shared texts", {"main.py": CODE}, {"main.py": CODE.replace(old, new)})
    assert [(item.reason, item.sure) for item in found] == ([(reason, False)] if reason else [])
