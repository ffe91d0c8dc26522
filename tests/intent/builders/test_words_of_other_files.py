"""Names and texts change in files of other languages, by whole words."""

from __future__ import annotations

import pytest
from intent.asking import PATH, answer_to
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.answering.text_file_orders import as_substitutions
from spark_tui.intent.words.readings import Order, Reading, Span

STORE = "const todos = [];\n// todos are kept here\nfunction addTodo(title) {\n  todos.push(title);\n}\n"
SERVER = 'const { addTodo } = require("./store");\naddTodo("todos");\n'
GO = "func Find(id int) int { return id }\n"
PYTHON = {PATH: "def load(path):\n    return path\n"}
FILES = {**PYTHON, "web/store.js": STORE, "web/server.js": SERVER, "cmd/main.go": GO}


def edits(found: Answer, files: dict[str, str]) -> list[dict[str, str | None]]:
    return [dict(way.plan.texts(situation(files).repo)) for way in found.ways]


def test_a_name_changes_in_all_files_of_its_language() -> None:
    found = answer_to(FILES, "rename addTodo to createTodo", "rename", symbol="addTodo", new="createTodo")
    [after] = edits(found, FILES)
    assert after == {
        "web/store.js": STORE.replace("addTodo", "createTodo"),
        "web/server.js": SERVER.replace("addTodo", "createTodo"),
    }


def test_comments_and_strings_stay() -> None:
    found = answer_to(FILES, "rename todos to items", "rename", symbol="todos", new="items")
    [after] = edits(found, FILES)
    kept = STORE.replace("todos", "items").replace("// items", "// todos")
    assert after == {"web/store.js": kept}


def test_each_language_may_be_meant() -> None:
    files = {**FILES, "web/find.js": "function find(id) {\n  return id;\n}\n"}
    found = answer_to(files, "rename id to key", "rename", symbol="id", new="key")
    assert found.kind == "choices"
    assert [set(after) for after in edits(found, files)] == [{"cmd/main.go"}, {"web/find.js"}]


def test_of_a_name_in_the_file_that_is_said_the_other_files_may_be_meant_too() -> None:
    text = "rename addTodo to createTodo in web/store.js"
    slots = {"symbol": "addTodo", "new": "createTodo", "file": "web/store.js"}
    found = answer_to(FILES, text, "rename", **slots)
    assert [len(after) for after in edits(found, FILES)] == [2, 1]


def test_a_parameter_is_one_of_the_file() -> None:
    files = {**FILES, "web/find.js": "function find(title) {\n  return title;\n}\n"}
    text = "rename the title parameter to name in web/store.js"
    found = answer_to(files, text, "rename", symbol="title", new="name", file="web/store.js")
    assert [set(after) for after in edits(found, files)] == [{"web/store.js"}]


def test_a_name_of_python_is_renamed_by_what_it_means() -> None:
    files = {**FILES, "web/load.js": "load();\n"}
    found = answer_to(files, "rename load to read", "rename", symbol="load", new="read")
    assert [set(after) for after in edits(found, files)] == [{PATH}]


def test_a_name_as_it_is_written_goes_before_one_that_is_like_it() -> None:
    files = {PATH: "def load_items():\n    return 1\n", "web/load.js": "loadItems();\n"}
    text = "rename loadItems to fetchItems"
    found = answer_to(files, text, "rename", symbol="loadItems", new="fetchItems")
    assert edits(found, files) == [{"web/load.js": "fetchItems();\n"}]


def test_a_keyword_is_no_name() -> None:
    files = {**PYTHON, "web/load.js": "class Load {}\n"}
    assert not answer_to(files, "rename class to kind", "rename", symbol="class", new="kind").ways


def exchanged(intent: str, text: str, old: str, new: str, files: dict[str, str]) -> Answer:
    said = {
        slot: (Span(text.index(words), text.index(words) + len(words), words),)
        for slot, words in (("old", old), ("new", new), ("file", "web/app.js"))
    }
    order = Order(0, len(text), (Reading(intent, 0.95, said),))
    where = situation(files, instruction=text)
    return answer_orders(as_substitutions([order], where), where)


@pytest.mark.parametrize("intent", ["replace_value", "replace_text", "set_return", "replace_call"])
def test_what_is_exchanged_is_the_text(intent: str) -> None:
    app = "get(20);\nput(200, 2.20);\n"
    files = {**PYTHON, "web/app.js": app}
    slot = {"set_return": "result"}.get(intent, "new")
    text = "use 50 instead of 20 in web/app.js"
    said = {"old": "20", slot: "50", "file": "web/app.js"}
    spans = {
        name: (Span(text.index(words), text.index(words) + len(words), words),)
        for name, words in said.items()
    }
    order = Order(0, len(text), (Reading(intent, 0.95, spans),))
    where = situation(files, instruction=text)
    found = answer_orders(as_substitutions([order], where), where)
    assert edits(found, files) == [{"web/app.js": "get(50);\nput(200, 2.20);\n"}]


def test_several_places_are_told() -> None:
    files = {**PYTHON, "web/app.js": "get(20);\nput(20);\n"}
    found = exchanged("replace_value", "use 50 instead of 20 in web/app.js", "20", "50", files)
    assert edits(found, files) == [{"web/app.js": "get(50);\nput(50);\n"}]
    assert "2 places fit" in found.ways[0].marked


def test_a_number_is_the_value_of_what_it_is_said_for() -> None:
    files = {**PYTHON, "web/app.js": 'const PORT = 3000;\nlog("port " + PORT);\n'}
    found = exchanged("substitute", "change PORT to 8080 in web/app.js", "PORT", "8080", files)
    assert edits(found, files) == [{"web/app.js": 'const PORT = 8080;\nlog("port " + PORT);\n'}]


def test_an_order_about_python_stays_with_its_best_reading_first() -> None:
    said = {"old": (Span(0, 2, "20"),), "new": (Span(3, 5, "50"),)}
    order = Order(0, 20, (Reading("replace_value", 0.2, said), Reading("impossible", 0.3)))
    assert as_substitutions([order], situation(PYTHON)) == (order,)


def test_a_word_of_very_many_files_is_no_one_name() -> None:
    files = {**PYTHON, **{f"web/a{n}.js": "run();\n" for n in range(201)}}
    found = answer_to(files, "rename run to start", "rename", symbol="run", new="start")
    assert not found.ways
    assert "run stands in more than 200 files" in found.reason


def test_what_is_no_name_is_told() -> None:
    found = answer_to(FILES, "rename addTodo to 9090", "rename", symbol="addTodo", new="9090")
    assert not found.ways
    assert "'9090' is not a valid name" in found.reason
