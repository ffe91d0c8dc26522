import pytest

from spark_tui.intent.words.tokens import tokenize


def texts(instruction):
    return [token.text for token in tokenize(instruction).items]


def test_names_paths_and_operators_stay_whole():
    assert texts("in shop/cart.py: Cart.add(qty) -> None, not `a.b`") == [
        *("in", "shop/cart.py", ":", "Cart.add", "(", "qty", ")", "->", "None", ",", "not", "`", "a.b", "`")
    ]


def test_a_substitution_with_slashes_is_no_path():
    assert texts("s/qty/quantity/") == ["s", "/", "qty", "/", "quantity", "/"]


def test_quoted_pieces_know_their_content_and_whether_they_are_code():
    tokens = tokenize("""say "no such user" in `find`, don't use 'x'""")
    content = [tokens.text[piece.inner_start : piece.inner_end] for piece in tokens.quoted]
    assert content == ["no such user", "find", "x"]
    assert [piece.code for piece in tokens.quoted] == [False, True, False]
    assert [token.text for token in tokens.items if token.inside == 0] == ['"', "no", "such", "user", '"']


def test_chinese_is_cut_into_characters_and_names_stay_whole():
    assert texts("把add里的qty改掉。") == ["把", "add", "里", "的", "qty", "改", "掉", "。"]


def test_french_articles_and_possessives_are_tokens_of_their_own():
    assert texts("l'argument d’add, add's default, don't") == [
        *("l'", "argument", "d’", "add", ",", "add", "'s", "default", ",", "don't")
    ]


def test_every_token_stands_where_it_says():
    instruction = 'Réécris « total » à l\'été: ```x = 1``` "a" \x00 \ud800 `'
    for token in tokenize(instruction).items:
        assert instruction[token.start : token.end].startswith(token.text[:1])


def test_of_a_long_text_the_first_and_last_tokens_are_kept():
    tokens = tokenize(" ".join(f"w{n}" for n in range(1000)), most=100)
    kept = [token.text for token in tokens.items]
    assert len(kept) == 100
    assert kept[0] == "w0"
    assert kept[-1] == "w999"


@pytest.mark.parametrize("sign", "-.'`/")
def test_a_long_run_of_signs_is_looked_at_once(sign):
    assert len(tokenize(sign * 300_000, most=100).items) <= 100
