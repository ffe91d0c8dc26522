from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.fuzzy import best, score

FILES = ["shop/cart.py", "shop/cli.py", "tests/test_cart.py", "README.md", "docs/architecture.md"]


def found(query: str) -> list[str]:
    return best(query, ((file, file) for file in FILES))


def test_a_few_letters_find_the_file() -> None:
    assert found("scart")[0] == "shop/cart.py"
    assert found("tcart")[0] == "tests/test_cart.py"


def test_the_name_counts_more_than_the_folder() -> None:
    assert found("cart")[:2] == ["shop/cart.py", "tests/test_cart.py"]


def test_without_a_query_all_stay_in_their_order() -> None:
    assert found("") == FILES


def test_letters_that_are_not_there_in_order_find_nothing() -> None:
    assert found("yp.trac") == []


@given(st.text("abc/", max_size=8), st.text("abc/", max_size=5))
def test_what_is_part_of_a_text_is_found_and_what_has_other_letters_is_not(text: str, query: str) -> None:
    if query in text:
        assert score(query, text) is not None
    assert score(query + "z", text) is None
