"""In a large repository ordinary words are names only if the files near the open one have them."""

from spark_tui.intent.reading.near_roles import MOST_NEAR, MessageRoles, near_files
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree

PATH = "shop/orders/cart.py"
STEPS = "".join(f"def step_{number}(value):\n    return value\n\n\n" for number in range(MOST_NEAR // 2))
NEAR = {
    PATH: "def total(items):\n    return sum(items)\n",
    "shop/orders/price.py": "def discount(price):\n    return price\n",
    "shop/prices.py": "def tax(price):\n    return price\n",
}
FAR = {
    "tools/a.py": STEPS,
    "tools/b.py": STEPS,
    "tools/names.py": "def add_import(name):\n    return name\n\n\ndef method(each):\n    return each\n",
    "web/names.py": "def method(each):\n    return each\n",
}
FILES = {**NEAR, **FAR}


def index(files: dict[str, str]) -> Index:
    return Index(DictTree(files))


def test_files_of_other_folders_are_near_if_they_are_imported() -> None:
    assert near_files(index(FILES), PATH) == {*NEAR}
    files = {**FILES, "shop/tools.py": "from tools.names import method\n"}
    assert near_files(index(files), PATH) == {*NEAR, "shop/tools.py"}
    files = {**FILES, PATH: f"from tools.names import method\n{FILES[PATH]}"}
    assert near_files(index(files), PATH) == {*NEAR, "tools/names.py"}
    files = {**FILES, "tests/test_cart.py": "from shop.orders import cart\n", "shop/orders/__init__.py": ""}
    assert near_files(index(files), PATH) == {*NEAR, "tests/test_cart.py", "shop/orders/__init__.py"}


def test_of_a_file_that_is_in_no_folder_all_are_as_near() -> None:
    files = {**FILES, "run.py": "print(1)\n"}
    assert {"run.py", "shop/prices.py", "tools/a.py"} <= near_files(index(files), "run.py")


def test_all_files_of_a_small_repository_are_near() -> None:
    assert not near_files(index(NEAR), PATH)


def test_a_file_with_many_names_does_not_hide_those_behind_it() -> None:
    files = {**NEAR, "shop/all.py": STEPS * 3, "shop/zones.py": "def zone(place):\n    return place\n"}
    assert near_files(index(files), PATH) == {*NEAR, "shop/zones.py"}


def test_an_ordinary_word_is_no_name_of_a_far_file() -> None:
    text = "add a method discount beside step_3"
    roles = MessageRoles().of(text, index(FILES), PATH)
    assert roles.roles("discount") == {"function"}
    assert not roles.roles("method")
    assert not roles.word_roles("import")
    assert roles.roles("step_3") == {"function"}
    quoted = text.replace("method", "`method`")
    assert MessageRoles().of(quoted, index(FILES), PATH).roles("method") == {"function"}


def test_without_an_open_file_the_one_that_defines_a_named_function_counts() -> None:
    roles = MessageRoles().of("add a method to discount", index(FILES), "")
    assert roles.roles("discount") == {"function"}
    assert not roles.roles("method")
    assert MessageRoles().of("add a method", index(FILES), "").roles("method") == {"function"}


def test_ordinary_words_do_not_spell_a_name_of_a_far_file() -> None:
    text = "add import logging"
    (order,) = Reader.load().read(text, MessageRoles().of(text, index(FILES), PATH))
    assert order.readings[0].intent == "add_import"


def test_a_word_that_asks_for_an_edit_is_not_looked_up_in_far_files() -> None:
    files = {
        **FILES,
        "z/sorting.py": "def imports(names):\n    return names\n\n\ndef parsed(names):\n    return names\n"
        "\n\ndef variables(names):\n    return names\n\n\ndef everywhere(names):\n    return names\n",
    }
    for text in ("sort the imports", "remove unused variables", "rename total to amount everywhere"):
        assert not MessageRoles().of(text, index(files), PATH).roles(text.split()[-1])
    roles = MessageRoles().of("rename parsed to other", index(files), PATH)
    assert roles.roles("parsed") == {"function"}


def test_what_changes_in_a_near_file_is_seen_by_the_next_message() -> None:
    known = MessageRoles()
    assert not known.of("rename rebate", index(FILES), PATH).roles("rebate")
    changed = {**FILES, "shop/prices.py": "def rebate(price):\n    return price\n"}
    assert known.of("rename rebate", index(changed), PATH).roles("rebate") == {"function"}
