"""Windows with other names, numbers and words keep their form."""

from __future__ import annotations

import ast
from random import Random

from spark_tui.train.generated.identifier_randomizer import (
    new_name,
    new_number,
    randomize_identifiers,
    word_pool,
)
from spark_tui.train.source_windows import SourceWindow

TEXT = """import json

RETRIES = 3


class Basket:
    def __init__(self, owner, limit=25):
        self.owner = owner
        self.limit = limit

    def label(self):
        return "%s has %d left" % (self.owner, self.limit)


def load_basket(path, owner):
    with open(path) as handle:
        rows = json.load(handle)
    print(f"read {len(rows)} rows of {owner}")
    if len(rows) > 40:
        raise ValueError("too many rows")
    return rows, RETRIES
"""


def shape(text: str) -> list[str]:
    return [type(node).__name__ for node in ast.walk(ast.parse(text))]


def test_a_strange_window_has_the_same_form_and_other_words() -> None:
    words = word_pool(["purpleLantern gravel_marsh HTTPServer seven kettles"])
    assert {"purple", "lantern", "gravel", "http", "server"} <= set(words)
    window = SourceWindow("a.py", TEXT)
    made = [randomize_identifiers(window, words, Random(seed)) for seed in range(60)]
    found = [item for item in made if item is not None]
    assert len(found) > 50
    assert all("import json\n" in item.text and "json.load(" in item.text for item in found)
    same_form = [item for item in found if shape(item.text) == shape(TEXT)]
    assert len(same_form) > 20
    assert any("RETRIES" not in item.text for item in same_form)
    assert any("25" not in item.text for item in same_form)
    assert all(("%s" in item.text) == ("%d" in item.text) for item in same_form)
    with_constants = [item for item in found if len(item.tree.body) > len(ast.parse(TEXT).body)]
    assert with_constants
    for item in with_constants:
        assert item.text.startswith("import json\n")


def test_names_keep_their_manner_and_numbers_their_type() -> None:
    rng = Random(2)
    for _ in range(200):
        assert new_name("MAX_SIZE", ["salt"], rng).isupper()
        assert new_name("Basket", ["salt"], rng)[0].isupper()
        assert new_name("_rows", ["salt"], rng).startswith("_")
        assert new_number("10", rng).isdigit()
        assert "." in new_number("0.5", rng)
