"""The items of a loop that counts get the name that the words say."""

import pytest
from intent.asking import after

CODE = "def widths(rows):\n    for i in range(len(rows)):\n        print(i, len(rows[i]))\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("use enumerate in widths, naming the element line", "line"),
        ("enumerate in widths, cell as the item", "cell"),
        ("range(len(rows)) → enumerate in widths (entry)", "entry"),
        ("nutze enumerate in widths und nenne das Element zeile", "zeile"),
        ("use enumerate in widths (PEP8)", "row"),
    ],
)
def test_the_items_are_called_as_the_words_say(text: str, name: str) -> None:
    assert f"for i, {name} in enumerate(rows):" in after("pattern.enumerate", text, CODE, function="widths")
