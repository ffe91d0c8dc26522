"""Where something goes and which form it gets, as the words say: lines, starts, errors, loops and texts."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed, edited
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

RUN = "def run(a):\n    x = a\n    y = 2\n    z = 3\n    return x\n"


@pytest.mark.parametrize(
    ("instruction", "new"),
    [
        ("move line 3 below line 4", "    z = 3\n    y = 2\n"),
        ("todo: move line 4 before line 3.", "    z = 3\n    y = 2\n"),
        ("delete lines 3 and 4", "    x = a\n    return"),
    ],
)
def test_lines_that_are_to_move_are_not_deleted(instruction: str, new: str) -> None:
    here = situation({PATH: RUN})
    found = answer(instruction, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert found.kind == "edit"
    assert new in (found.ways[0].plan.texts(here.repo)[PATH] or "")


def test_what_is_raised_is_another_error_where_a_raise_would_be_tried() -> None:
    code = "def run(a):\n    if a:\n        raise TypeError(a)\n"
    text = "on raise TypeError(a) raise OSError instead"
    made = changed(code, text, "try_raise", code="raise TypeError(a)", exception="OSError")
    assert made == code.replace("TypeError", "OSError")
    tried = changed(
        "def run(a):\n    go(a)\n", "go(a) raises OSError", "try_raise", code="go(a)", exception="OSError"
    )
    assert "try:" in tried


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("run should strip name at the start", "name = name.strip()"),
        ("run should strip leading blanks of name", "name = name.lstrip()"),
        ("run should strip whitespace at the start of name", "name = name.lstrip()"),
    ],
)
def test_the_start_of_a_function_is_not_that_of_a_text(text: str, new: str) -> None:
    code = "def run(name):\n    return name\n"
    made = changed(code, text, "strip_value", variable="name", function="run")
    assert f"    {new}\n" in made


@pytest.mark.parametrize(
    ("text", "last"),
    [("set self.b = a in __init__", True), ("at the start of __init__ set self.b = a", False)],
)
def test_an_attribute_is_set_last_in_a_constructor(text: str, last: bool) -> None:
    code = "class Cart:\n    def __init__(self, a):\n        self.a = a\n"
    made = changed(code, text, "insert_at_start", code="self.b = a", function="__init__")
    assert made.endswith("self.b = a\n") is last


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("_run lacks the self parameter", "def _run(self, a)"),
        ("_run does not need self, make it static", "@staticmethod"),
        ("make _run a static method", "@staticmethod"),
    ],
)
@pytest.mark.parametrize("intent", ["make_static", "make_class_method"])
def test_a_method_without_self_gets_it_where_that_is_said_to_be_missing(
    text: str, new: str, intent: str
) -> None:
    code = "class Job:\n    def _run(a):\n        return a\n"
    kind = new.replace("static", "class") if intent == "make_class_method" else new
    assert kind in changed(code, text, intent, function="_run")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("use % formatting instead of the f-string in go", '"{} is %s%%" % (a,)'),
        ("use .format() instead of the f-string in go", '"{{}} is {}%".format(a)'),
        ("no f-string in go, concatenate", '"{} is " + str(a) + "%"'),
    ],
)
def test_an_f_string_is_taken_apart_in_the_form_that_is_said(text: str, new: str) -> None:
    code = 'def go(a):\n    return f"{{}} is {a}%"\n'
    assert new in changed(code, text, "from_f_string", function="go")


def test_a_log_call_is_no_function_to_apply() -> None:
    code = "import logging\n\n\ndef go(a):\n    return a\n"
    text = "let go say 'entering' through logging.debug first"
    slots = {"function": "go", "variable": "entering", "transform": "logging.debug"}
    made = changed(code, text, "apply_function", **slots)
    assert "def go(a):\n    logging.debug(" in made and made.endswith("return a\n")


def test_a_range_that_stops_one_before_does_not_stop_two_before() -> None:
    code = "def go(rows):\n    for at in range(len(rows) - 1):\n        print(at)\n"
    assert answer_to(
        code, "the range in go stops before its end", "exclude_boundary", function="go"
    ).kind != ("edit")


@pytest.mark.parametrize(
    ("text", "end"),
    [("the range in go ends one too soon", "last + 1"), ("the range in go runs one too far", "last - 1")],
)
def test_a_range_goes_the_way_that_is_said(text: str, end: str) -> None:
    code = "def go(first, last):\n    for at in range(first, last):\n        print(at)\n"
    for intent in ("exclude_boundary", "include_boundary"):
        assert f"range(first, {end})" in changed(code, text, intent, function="go")


def test_the_last_item_is_about_the_loop_and_not_about_a_guard() -> None:
    loop = "        for at in range(1, len(rows) - 1):\n            go(at)\n"
    code = f"def go(rows):\n    if len(rows) > 2:\n{loop}"
    text = "off by one in go, it misses the last item"
    for intent in ("include_boundary", "fix_error"):
        assert "range(1, len(rows))" in changed(code, text, intent, function="go")


def test_two_arguments_that_are_named_change_places_once() -> None:
    code = "def go(self, box):\n    box.put(self.left, self.right)\n"
    text = "give box.put self.right before self.left in go"
    slots = {"argument": "self.right + self.left", "call": "box.put", "function": "go"}
    assert "box.put(self.right, self.left)" in (edited(text, "swap_arguments", slots, code) or "")


def test_branches_that_cannot_change_places_are_not_half_turned() -> None:
    test = "    if size > 3:  # too large\n        return grow\n    else:\n        return shrink\n"
    code, text = f"def go(size, grow, shrink):\n{test}", "negate the test in go and exchange its branches"
    assert answer_to(code, text, "negate_condition", function="go").kind != "edit"
    turned = changed(code.replace("  # too large", ""), text, "negate_condition", function="go")
    assert "if not size > 3:\n        return shrink\n    else:\n        return grow\n" in turned


def test_a_single_parameter_is_not_said_to_stand_first_already() -> None:
    code = "class Tape:\n    def wind(self, far=1):\n        return far\n"
    text = "wind should show far first"
    found = answer_to(code, text, "move_parameter_first", function="wind", parameter="far")
    assert found.kind not in ("nothing", "edit")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("in line 2 drop depth", "    show(find(a), width=width)\n"),
        ("on line 2, get rid of width", "    show(find(a, depth=depth))\n"),
    ],
)
def test_an_argument_of_a_line_goes_and_not_the_line(text: str, line: str) -> None:
    code = "def go(a, depth, width):\n    show(find(a, depth=depth), width=width)\n"
    assert changed(code, text, "delete_lines", line="2").endswith(line)


def test_a_statement_that_is_to_move_is_not_deleted() -> None:
    code = "def go(a):\n    low = a - 1\n    high = a + 1\n    return low, high\n"
    text, slots = "put low = a - 1 after the line that sets high", {"code": "low = a - 1"}
    assert edited(text, "delete_statement", slots, code, probability=0.6) is None
    text = "get rid of low = a - 1"
    assert edited(text, "delete_statement", slots, code, probability=0.6) is not None


def test_an_empty_text_is_returned() -> None:
    code = "def go(a):\n    found = a.read()\n    return found\n"
    made = changed(
        code, "let go return an empty string", "set_return", result="an empty string", function="go"
    )
    assert made == code.replace("return found", 'return ""')


def test_of_two_decorators_of_one_name_the_one_that_is_shown_goes() -> None:
    code = "@register(int)\n@register(float, late=True)\ndef go(a):\n    return a\n"
    for shown, left in (
        ("register(int)", "@register(float, late=True)"),
        ("register(float, late=True)", "int"),
    ):
        text = f"take @{shown} off go"
        made = changed(code, text, "remove_decorator", decorator=f"@{shown}", function="go")
        assert made.count("@") == 1 and left in made


def test_what_is_to_be_called_otherwise_is_not_passed_by_name() -> None:
    code = "def go(size):\n    return size\n"
    slots = {"function": "go", "parameter": "size"}
    assert answer_to(code, "size of go should be called width", "make_keyword_only", **slots).kind != "edit"
    assert answer_to(code, "size of go should be named only", "make_keyword_only", **slots).kind == "edit"


BOX = (
    "class Box:\n    def __init__(self, size):\n        self._size = size\n\n"
    "    def size(self):\n        return self._size\n"
)


def test_a_member_that_is_shown_is_no_other_one_of_a_like_name() -> None:
    code = BOX.replace("self._size = size", "super().__init__(size)")
    text = "all `self._size` should be `extent`"
    assert "def extent" not in (edited(text, "rename", {"symbol": "self._size", "new": "extent"}, code) or "")


def test_a_member_that_is_renamed_everywhere_is_no_parameter_of_its_name() -> None:
    code = BOX.replace("_size", "size").replace("def size", "def area")
    slots = {"symbol": "self.size", "new": "extent"}
    made = edited("replace `self.size` with `extent` everywhere", "rename", slots, code) or ""
    assert "self.extent = size\n" in made and "return self.extent" in made


def test_a_member_is_no_decorator() -> None:
    text = "put self._size on size"
    assert answer_to(BOX, text, "add_decorator", decorator="self._size", function="size").kind != "edit"


def test_what_is_just_to_return_something_does_nothing_else() -> None:
    code = "def go(a):\n    a.clear()\n    a.close()\n"
    made = changed(code, "let go just return 0", "set_return", function="go", result="0")
    assert made == "def go(a):\n    return 0\n"
    made = changed(code, "just let go return 0", "set_return", function="go", result="0")
    assert made == f"{code}    return 0\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [("get rid of the debug prints", "debug prints"), ("strip the debug output", "debug")],
)
def test_prints_of_which_none_says_so_may_be_for_debugging(text: str, said: str) -> None:
    code = "def go(a):\n    print(a)\n    a.sort()\n    print('done')\n    return a\n"
    found = answer_to(code, text, "delete_calls", call=said)
    assert found.ways[0].marked
    assert changed(code, text, "delete_calls", call=said) == "def go(a):\n    a.sort()\n    return a\n"
    told = code.replace("print(a)", "print('debug', a)")
    assert changed(told, text, "delete_calls", call=said) == code.replace("    print(a)\n", "")


def test_a_sign_alone_names_no_function() -> None:
    code = "def go(a, b):\n    if a == b:\n        return a\n    return b\n"
    text = "in line 2, use a > b as the condition"
    assert "    if a > b:\n" in changed(code, text, "change_condition", function=",", condition="a > b")


def test_a_fixture_of_pytest_is_a_decorator() -> None:
    text = "make rows a pytest fixture"
    made = changed(
        "def rows():\n    return []\n", text, "add_decorator", decorator="a pytest fixture", function="rows"
    )
    assert "@pytest.fixture\ndef rows" in made


@pytest.mark.parametrize(
    ("said", "body", "after"),
    [
        ("price has LOW instead of TOP", "base * LOW", "base * TOP"),
        ("price uses LOW rather than TOP", "base * LOW", "base * TOP"),
        ("price multiplies by LOW instead of TOP", "base * LOW", "base * TOP"),
        ("price uses LOW rather than TOP", "base * TOP", "base * LOW"),
        ("in price use LOW instead of TOP", "base * TOP", "base * LOW"),
    ],
)
def test_what_a_function_is_said_to_have_and_has_goes(said: str, body: str, after: str) -> None:
    code = (
        f"LOW = 1\nTOP = 2\n\n\ndef price(base):\n    return {body}\n\n\ndef other():\n    return LOW + TOP\n"
    )
    made = changed(code, said, "replace_name_use", function="price", new="LOW", old="TOP")
    assert made == code.replace(body, after)


def test_without_a_function_the_file_is_said_to_have_it() -> None:
    code = "A = 1\nB = 2\n\n\ndef show():\n    log.info(A)\n"
    made = changed(code, "the log line has A instead of B", "replace_name_use", new="A", old="B")
    assert made == code.replace("info(A)", "info(B)")
