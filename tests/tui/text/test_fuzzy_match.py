from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.text.fuzzy_match import FuzzyFinder, best, match_positions, score

FILES = ["shop/cart.py", "shop/cli.py", "tests/test_cart.py", "README.md", "docs/architecture.md"]


def found(query: str) -> list[str]:
    return best(query, ((file, file) for file in FILES))


def test_a_few_letters_find_the_file() -> None:
    assert found("scart")[0] == "shop/cart.py"
    assert found("tcart")[0] == "tests/test_cart.py"


def test_the_name_counts_more_than_the_folder() -> None:
    assert found("cart")[:2] == ["shop/cart.py", "tests/test_cart.py"]


def test_what_begins_with_the_query_goes_before_what_only_has_a_word_of_it() -> None:
    names = ["paid_orders", "shop/orders.py", "tests/test_orders.py"]
    assert best("orders", ((name, name) for name in names)) == [names[1], names[0], names[2]]
    assert best("paid", ((name, name) for name in names)) == names[:1]


def test_without_a_query_all_stay_in_their_order() -> None:
    assert found("") == FILES


def test_letters_that_are_not_there_in_order_find_nothing() -> None:
    assert found("yp.trac") == []


@given(st.text("abc/", max_size=8), st.text("abc/", max_size=5))
def test_what_is_part_of_a_text_is_found_and_what_has_other_letters_is_not(text: str, query: str) -> None:
    if query in text:
        assert score(query, text) is not None
    assert score(query + "z", text) is None


@given(st.lists(st.text("abc/", max_size=6), max_size=30), st.text("abc", max_size=4), st.integers(0, 30))
def test_narrowing_letter_by_letter_finds_what_one_look_finds(
    texts: list[str], query: str, later: int
) -> None:
    items, finder = [(text, at) for at, text in enumerate(texts)], FuzzyFinder[int]()
    for end in range(len(query)):
        finder.find(query[:end], items[: len(items) - min(later, len(items))], 200, lambda: False)
    assert finder.find(query, items, 200, lambda: False) == (
        best(query, items),
        len(best(query, items, 10_000)),
    )


def test_a_search_that_is_given_up_spoils_nothing() -> None:
    finder = FuzzyFinder[str]()
    items = [(file, file) for file in FILES]
    assert finder.find("c", items, 9, lambda: True) is None
    assert finder.find("ca", items, 9, lambda: False) == (found("ca"), len(found("ca")))


def test_the_letters_that_were_meant_are_marked() -> None:
    assert match_positions("cart", "tests/test_cart.py") == [11, 12, 13, 14]
    assert match_positions("scy", "shop/cart.py") == [0, 5, 11]
    assert match_positions("zz", "shop/cart.py") == []
