"""What words leave open and the code tells: lists of values, calls of one module, statements."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed, edited
from intent.support import PATH, result

PLANS = """class Subscription:
    PLANS = {"basic": 5, "pro": 15}

    def __init__(self, user, plan):
        self.user = user
        self.plan = plan
"""


def test_what_is_unknown_is_not_in_the_list_of_its_name() -> None:
    text = "unknown plans should be rejected in the constructor"
    words = {"condition": "unknown plans", "function": "constructor"}
    assert "if plan not in self.PLANS:" in changed(PLANS, text, "guard_raise", **words)


@pytest.mark.parametrize(
    "said", ["below zero", "negative", "stock would go below zero", "reserve goes below 0"]
)
def test_what_would_be_negative_is_more_than_there_is(said: str) -> None:
    code = "class Product:\n    def reserve(self, quantity):\n        self.stock -= quantity\n"
    text = f"raise ValueError in reserve when {said}"
    words = {"function": "reserve", "condition": said, "exception": "ValueError"}
    assert "if quantity > self.stock:" in changed(code, text, "guard_raise", **words)


def test_a_call_is_replaced_by_one_of_its_module() -> None:
    code = "import time\n\n\ndef f(x):\n    start = time.time()\n    x()\n    return time.time() - start\n"
    after = changed(code, "use perf_counter", "replace_call", new="perf_counter")
    assert after.count("time.perf_counter()") == 2


def test_what_is_always_done_may_be_described() -> None:
    code = """def handle(self, writer):
    self.clients.append(writer)
    work(writer)
    self.clients.remove(writer)
"""
    after = changed(code, "always remove the client", "add_finally", code="remove the client")
    assert "    self.clients.append(writer)\n    try:\n        work(writer)\n    finally:\n" in after
    assert after.endswith("        self.clients.remove(writer)\n")


def test_pieces_with_a_separator_are_joined() -> None:
    code = """def names(fields):
    text = ""
    for field in fields:
        if text:
            text += ", "
        text += field.name
    return text
"""
    after = changed(code, "join in names", "pattern.join", function="names")
    assert 'return ", ".join(field.name for field in fields)' in after


def test_every_if_around_an_early_return_is_turned() -> None:
    code = """def cancel(order):
    if order is not None:
        if order.open:
            order.close()
            return save(order)
        else:
            return "closed", 409
    else:
        return "none", 404
"""
    after = changed(code, "flatten cancel", "pattern.early_return", function="cancel")
    assert "        if " not in after and "else" not in after and after.endswith("    return save(order)\n")


def test_replacing_by_nothing_is_what_removeprefix_does() -> None:
    code = 'def token(head):\n    return head.replace("Bearer ", "")\n'
    answer = answer_to(code, "use removeprefix", "pattern.removeprefix")
    assert 'head.removeprefix("Bearer ")' in changed(code, "use removeprefix", "pattern.removeprefix")
    assert any("at the start only" in mark for mark in answer.ways[0].marked)


def test_a_check_may_be_for_the_plain_truth() -> None:
    code = 'def f(token):\n    if token is None or token == "":\n        return 1\n    return 2\n'
    after = changed(code, "check token for falsy only", "change_condition", old="token", condition="falsy")
    assert "    if not token:" in after


def test_an_error_with_a_status_gets_its_detail() -> None:
    code = """def read(key):
    if not key:
        raise HTTPException(404)
    return key


def close(key):
    if not key:
        raise HTTPException(404)
    return 1
"""
    text = 'say "no such key" in the 404s'
    after = changed(code, text, "replace_message", message="no such key")
    assert after.count('raise HTTPException(404, detail="no such key")') == 2


def test_the_errors_of_a_module_have_a_class() -> None:
    code = """import requests


def f(url):
    try:
        return requests.get(url)
    except:
        return None
"""
    after = changed(code, "only catch requests errors", "set_except", exception="requests errors")
    assert "except requests.RequestException:" in after


def test_a_value_in_a_loop_over_keys_is_looked_up() -> None:
    code = """def warmest(temps):
    best = None
    for city in temps:
        if best is None or temps[city] > temps[best]:
            best = city
    return best
"""
    words = {"function": "warmest", "condition": "the temp is None"}
    after = changed(code, "warmest: skip those where the temp is None", "skip_in_loop", **words)
    assert "        if temps[city] is None:\n            continue\n" in after


@pytest.mark.parametrize(
    ("name", "default", "new"),
    [
        ("now", "", "    if now is None:\n        now = datetime.now()\n    print(now, 'size=big', end)\n"),
        ("argv", "None", "parser.parse_args(argv)"),
        ("size", "big", "print(datetime.now(), f'size={size}', end)"),
    ],
)
def test_a_new_parameter_stands_for_what_is_called_like_it(name: str, default: str, new: str) -> None:
    code = """def f(end):
    print(datetime.now(), 'size=big', end)
    parser.parse_args()
"""
    words = {"function": "f", "name": name, **({"default": default} if default else {})}
    assert new in changed(code, f"f should take an optional {name} {default}", "add_parameter", **words)


TASKS = """PRIORITIES = ("low", "high")


class Task:
    def __init__(self, title, priority):
        self.title = title
        self.priority = priority


def count(tasks):
    n = 0
    for task in tasks:
        if task.title:
            n += 1
    return n


def run(command):
    return command == "list"
"""


@pytest.mark.parametrize("condition", ["priority is unknown", "the priority is not valid"])
def test_a_value_that_is_none_of_those_listed_is_in_no_plural_of_it(condition: str) -> None:
    said = {"exception": "ValueError", "condition": condition, "function": "Task"}
    after = changed(TASKS, f"raise ValueError in Task if {condition}", "guard_raise", **said)
    assert "        if priority not in PRIORITIES:\n            raise ValueError(" in after


def test_a_loop_that_counts_is_a_sum_in_one_line() -> None:
    after = changed(TASKS, "count as a one-liner", "pattern.return_condition", function="count")
    assert "return sum(" in after and "n += 1" not in after


def test_a_text_that_is_called_as_what_is_sorted_is_not() -> None:
    assert not answer_to(TASKS, "sort the list", "sort_by", variable="list").ways


def test_a_value_that_is_said_to_be_there_is_not_what_a_call_gives() -> None:
    code = "import game\n\nfood = game.place()\npoints = int(game.setting('points', '10'))\n"
    slots = {"variable": "food", "value": "20", "old": "10"}
    assert not answer_to(code, "20 for food instead of 10", "set_value", **slots).ways
    slots["variable"] = "points"
    assert answer_to(code, "20 for points instead of 10", "set_value", **slots).ways


@pytest.mark.parametrize(
    ("said", "head"),
    [
        ("Late should subclass Exception instead", "class Late(Exception):"),
        ("Early should subclass LookupError instead of ValueError", "class Early(LookupError, Named):"),
        ("Late should also subclass LookupError", "class Late(RuntimeError, LookupError):"),
        ("Late should subclass Named instead", "class Late(Named):"),
    ],
)
def test_instead_says_that_a_base_goes(said: str, head: str) -> None:
    code = "class Named:\n    pass\n\n\nclass Late(RuntimeError):\n    pass\n\n\n"
    code += "class Early(ValueError, Named):\n    pass\n"
    base = said.split(" subclass ")[1].split()[0]
    assert head in changed(code, said, "add_base", **{"class": said.split()[0], "base": base})


def test_the_call_in_the_branch_that_tests_what_is_named_is_meant_and_marked() -> None:
    code = """import warnings


def load(cert, verify):
    if cert:
        warnings.warn("old")
    if verify:
        warnings.warn("older")
"""
    words = {"call": "warning", "argument": "stacklevel", "value": "2"}
    text = "the warning about verify needs stacklevel=2"
    found = answer_to(code, text, "set_argument", **words)
    assert 'warn("older", stacklevel=2)' in result(found, {PATH: code})
    assert 'warn("old")' in result(found, {PATH: code})
    assert any("branch" in mark for mark in found.ways[0].marked)
    both = changed(code, "the warnings need stacklevel=2", "set_argument", **words | {"call": "warnings"})
    assert both.count("stacklevel=2") == 2


def test_what_brings_a_value_into_its_form_comes_after_the_tests_of_its_kind() -> None:
    code = """def load(name):
    if not isinstance(name, str):
        return name
    return read(name, name)
"""
    words = {"function": "load", "variable": "name"}
    after = changed(code, "load should strip name first", "strip_value", **words)
    assert "        return name\n    name = name.strip()\n    return" in after
    plain = changed(
        code.replace("isinstance(name, str)", "name"), "load should strip name", "strip_value", **words
    )
    assert "def load(name):\n    name = name.strip()\n" in plain


def test_nothing_is_moved_into_the_branch_of_a_default() -> None:
    code = """def walk(root, links=None, error=None):
    if error is not None and not callable(error):
        raise TypeError(error)
    if links is None:
        links = True
    go(root, links)
"""
    text = "the callable check should come after links = True"
    after = changed(code, text, "move_after", code="the callable check", anchor="links = True")
    assert "        links = True\n    if error is not None" in after


def test_one_place_where_two_are_said_is_marked_and_both_functions_of_a_name_are_meant() -> None:
    code = """class A:
    def run(self):
        if self.a:
            return 1
        else:
            return 2


class B:
    def run(self):
        there = 1
        return there


class C:
    def run(self):
        there = 2
        return there
"""
    text = "A.run doesn't need the two elses"
    found = answer_to(code, text, "pattern.remove_else", function="A.run")
    assert any("two are said" in mark for mark in found.ways[0].marked)
    code = code.replace("class A:\n    def run", "class A:\n    def go")
    words = {"symbol": "there", "new": "here", "function": "run"}
    after = changed(code, "rename there to here in both run", "rename", **words)
    assert after.count("return here") == 2


def test_the_only_parameter_of_a_function_is_renamed_and_not_the_function() -> None:
    code = "def ask(prompt):\n    return input(prompt)\n\n\ndef tell(name, text):\n    print(name, text)\n"
    for said, slot in (("the parameter of ask", "function"), ("ask's parameter", "symbol")):
        after = changed(code, f"rename {said} to text", "rename", new="text", **{slot: "ask"})
        assert after.startswith("def ask(text):\n    return input(text)\n")
    after = changed(code, "rename tell to say", "rename", symbol="tell", new="say")
    assert "def say(name, text)" in after


@pytest.mark.parametrize(
    ("said", "head"),
    [
        ("path should be a Path", "def load(path: Path, size=None):"),
        ("path should accept a Path too", "def load(path: str | Path, size=None):"),
        ("size is an optional int", "def load(path: str, size: int | None = None):"),
    ],
)
def test_a_type_keeps_what_is_said_or_has_to_be_kept(said: str, head: str) -> None:
    code = "from pathlib import Path\n\n\ndef load(path: str, size=None):\n    return path, size\n"
    words = {"parameter": said.split()[0], "type": "int" if "int" in said else "Path"}
    assert head in changed(code, said, "annotate_parameter", **words)


CART = "class Cart:\n    def __init__(self):\n        self.items = []\n        self.owner = None\n"


@pytest.mark.parametrize(
    ("said", "name", "lines"),
    [
        (
            "add an is_empty property to Cart",
            "is_empty",
            "@property\n    def is_empty(self):\n        return not self.items",
        ),
        (
            "add a method item_count to Cart",
            "item_count",
            "def item_count(self):\n        return len(self.items)",
        ),
    ],
)
def test_a_method_does_what_its_name_says(said: str, name: str, lines: str) -> None:
    words = {"name": name, "class": "Cart"}
    assert lines in changed(CART, said, "add_method", **words)
    assert not answer_to(
        CART, "add an is_empty property to Cart", "add_field", **{**words, "name": "is_empty"}
    ).ways


def test_a_class_with_several_collections_leaves_the_choice() -> None:
    code = CART.replace("None\n", "{}\n") + "\n    def get(self, at):\n"
    code += "        return self.items[at] or self.owner[at]\n"
    answer = answer_to(code, "Cart should support len()", "add_special_method", **{"class": "Cart"})
    assert [one.title for one in answer.ways] == [
        f"add special method len of {name} to Cart" for name in ("items", "owner")
    ]


def test_each_of_several_values_gets_a_name_from_what_it_stands_for() -> None:
    code = "def size(cols, rows):\n    return cols or 80, rows or 24\n"
    said = "the 80 and 24 in size should be constants"
    done = edited(said, "extract_constant", {"value": "80 + 24", "function": "size"}, code)
    assert done is not None
    assert done.startswith("DEFAULT_COLS = 80\nDEFAULT_ROWS = 24\n")
