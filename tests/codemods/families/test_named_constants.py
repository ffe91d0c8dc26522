"""Constants that get a name."""

from __future__ import annotations

from codemods.repositories import after, refusal


def test_the_value_of_a_constant_gets_no_further_name() -> None:
    code = "SIZE = 80\n\n\ndef f(size):\n    return size{}\n"
    assert "SIZE is that constant already" in str(
        refusal("extract_constant 'in m.py' 80 COLS", {"m.py": code.format("")})
    )
    assert "return size > COLS" in after("extract_constant 'in m.py' 80 COLS", code.format(" > 80"))
    local = "size = 80\n\n\ndef f():\n    width = 80\n    return width\n"
    assert "width = COLS" in after("extract_constant 'in f' 80 COLS", local)


def test_the_names_that_a_module_offers_get_no_further_name() -> None:
    code = '__all__ = ["area"]\n\n\ndef area():\n    return "area"\n'
    made = after("extract_constant 'in m.py' \"'area'\" KIND", code)
    assert '__all__ = ["area"]' in made
    assert "return KIND" in made
