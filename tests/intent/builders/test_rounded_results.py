"""What is rounded where a function is named for its result: neither objects nor numbers that are written."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """class Line:
    def __init__(self, price):
        self.price = price


def first(prices):
    line = Line(prices[0])
    return line


def free(prices):
    return 0


def total(prices):
    return sum(prices) * 1.19
"""


def test_a_name_of_a_function_is_its_result() -> None:
    written = changed(CODE, "round the total to 2 decimals", "round_value", variable="total", count="2")
    assert written == CODE.replace("sum(prices) * 1.19", "round(sum(prices) * 1.19, 2)")


def test_neither_an_object_nor_a_written_number_is_rounded() -> None:
    found = answer_to(CODE, "round it to 2 decimals", "round_value", count="2")
    best = found.ways or ((found.best,) if found.best is not None else ())
    texts = [str(getattr(call, "old", "")) for way in best for call in way.calls]
    assert texts and "line" not in texts and "0" not in texts


def test_a_value_is_rounded_where_it_is_put_under_a_key() -> None:
    code = "def bill(nights):\n    cost = nights * 80\n    return {'nights': nights, 'tax': cost * 0.07}\n"
    after = changed(code, "round the tax to cents", "round_value", variable="tax", count="cents")
    assert "'tax': round(cost * 0.07, 2)" in after


def test_what_is_rounded_already_gets_other_digits() -> None:
    code = "def bill(cost):\n    return {'cost': round(cost, 9)}\n"
    after = changed(code, "round the cost to 6 digits", "round_value", variable="the cost", count="6")
    assert after == code.replace("9", "6")


def test_what_is_quantized_gets_another_step() -> None:
    code = 'def gross(net):\n    return (net * RATE).quantize(Decimal("0.01"), rounding=UP)\n'
    after = changed(code, "round to 3 digits in gross", "round_value", function="gross", count="3")
    assert after == code.replace("0.01", "0.001")
    other = answer_to(
        code.replace('Decimal("0.01")', "STEP"),
        "round to 3 digits in gross",
        "round_value",
        function="gross",
        count="3",
    )
    assert not other.ways


def test_a_key_in_a_number_that_is_formatted_has_other_quotes() -> None:
    code = 'def show(slip):\n    print(slip["name"], slip["net"])\n'
    made = changed(code, "print net with two decimals", "format_number", variable="net", count="two")
    assert """print(slip["name"], f'{slip["net"]:.2f}')""" in made
