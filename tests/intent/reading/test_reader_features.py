import pytest

from spark_tui.intent.reading.features import BUCKETS, FLAGS, describe_tokens, grams
from spark_tui.intent.reading.symbol_roles import RoleTable, repository_roles
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree

SHOP = """
TAX_RATE = 0.2

class Cart:
    def apply_discount(self, qty, *, code="none"):
        total = qty * TAX_RATE
        self.lines.append(total)
        raise ValueError("bad code")
"""


@pytest.fixture
def symbols():
    index = Index(DictTree({"shop/cart.py": SHOP, "app.toml": 'timeout = 3\n[tool.x]\n"debug" = true\n'}))
    return repository_roles(index, ["shop/cart.py"])


def seen(instruction, symbols):
    """Of each token the word and the names of its flags."""
    features = describe_tokens(tokenize(instruction), symbols)
    return [
        (feature.word, {name for place, name in enumerate(FLAGS) if feature.flags >> place & 1})
        for feature in features
    ]


def test_letters_of_names_are_hidden_and_their_roles_are_seen(symbols):
    (word, flags), (other, _) = seen("apply_discount load_rows", symbols)
    assert word == other
    assert {"method", "snake", "hidden"} <= flags
    assert seen("use TAX_RATE", symbols)[1][1] >= {"constant", "upper", "hidden"}
    assert seen("the `total`", symbols)[2][1] >= {"local", "in_code", "hidden"}


def test_letters_of_keywords_errors_builtins_and_ordinary_words_are_seen(symbols):
    words = [word for word, _ in seen("please raise ValueError if `print` fails", symbols)]
    assert "please" in words[0]
    assert "raise" in words[1]
    assert "ValueError" in words[2]
    assert "print" in words[5]


def test_a_word_of_a_name_is_known_as_a_part_of_it(symbols):
    assert "part_callable" in seen("the discount", symbols)[1][1]
    assert "part_callable" not in seen("the weather", symbols)[1][1]


def test_files_their_modules_and_configuration_keys_have_roles(symbols):
    assert seen("in cart.py", symbols)[1][1] >= {"file", "path"}
    assert "file" not in seen("in other.py", symbols)[1][1]
    assert "config_key" in symbols.roles("timeout")
    assert "config_key" in symbols.roles("debug")
    assert "module" in symbols.roles("shop.cart")


def test_a_quoted_string_of_the_code_is_known(symbols):
    assert "string" in seen('say "bad code"', symbols)[2][1]
    assert "string" not in seen('say "good code"', symbols)[2][1]


def test_grams_do_not_depend_on_accents_and_stay_in_range():
    assert set(grams("parametre")) <= set(grams("paramètre"))
    assert len(set(grams("rename")) & set(grams("renmae"))) >= 2
    assert all(0 <= bucket < BUCKETS for word in ("", "a", "改", "\x02name") for bucket in grams(word))


def test_roles_of_two_tables_are_joined():
    one, two = RoleTable(), RoleTable()
    one.add("add_item", "function")
    two.add("add_item", "import")
    one.merge(two)
    assert one.roles("add_item") == {"function", "import"}
    assert one.word_roles("item") == {"function", "import"}
    assert one.roles("other") == frozenset()
