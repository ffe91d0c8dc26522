"""Constants for several values get a name each."""

from __future__ import annotations

from intent.asking import edited

CODE = "def f(price):\n    if price > 5:\n        price = price * 0.9\n    return price * 0.95\n"


def test_each_of_several_values_gets_a_name_of_its_own() -> None:
    made = edited("move the 0.9 and 0.95 into constants", "extract_constant", {"value": "0.9 + 0.95"}, CODE)
    uses = CODE.replace("0.95", "F_VALUE_2").replace("0.9", "F_VALUE")
    assert made == f"F_VALUE = 0.9\nF_VALUE_2 = 0.95\n\n\n{uses}"
