"""Operations on values, statements, guards, errors and comments: before and after, and what they refuse."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, swapped

BEFORE = '''import os

LIMIT = 10  # most
A, B = 1, 2


class Cart:
    size: int

    def __init__(self):
        self.x = (1 +
                  2)

    def add(self, a, b):
        """Add."""
        for one in a:
            print("a", one)  # note
        try:
            total(a, b, k=1)
        except (KeyError):
            raise ValueError("x")
        return a*b + (
            a)


def total(*a, k=None): pass
'''


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ("set_value LIMIT 20", "= 10  #", "= 20  #"),
        ("set_value Cart.x 'y if z else 1'", "(1 +\n                  2)", "(y if z else 1)"),
        ("set_value B 7", "= 1, 2", "= 1, 7"),
        ("set_value Cart.size 3", "size: int", "size: int = 3"),
        ("set_return Cart.add 'a or b'", "a*b + (\n            a)", "a or b"),
        ("change_operator 'in Cart.add' + -", "a*b + (", "a*b - ("),
        ("set_argument total 'in Cart.add' k 2", "k=1", "k=2"),
        ("remove_argument total 'in Cart.add' b", "(a, b, k=1)", "(a, k=1)"),
        ("swap_arguments total 'in Cart.add' 1 2", "(a, b, k=1)", "(b, a, k=1)"),
        ("add_argument total 'in Cart.add' c", "(a, b, k=1)", "(a, b, c, k=1)"),
        ("replace_expression 'in Cart.add' 'a*b' 'a or b'", "a*b +", "(a or b) +"),
        ("set_except 'in Cart.add' OSError", "(KeyError)", "(OSError)"),
        ("raise_from 'in Cart.add' None", 'ValueError("x")', 'ValueError("x") from None'),
        ("set_comment m.py:3 other", "# most", "# other"),
        ("remove_comments 'in Cart.add'", "  # note", ""),
        ("add_comment m.py:4 pair behind", "A, B = 1, 2", "A, B = 1, 2  # pair"),
    ],
)
def test_a_part_of_a_line_changes_and_the_rest_stays(call: str, old: str, new: str) -> None:
    swapped(call, BEFORE, (old, new))


def test_docs_comment_stays() -> None:
    assert after("set_comment m.py:1 c", "a = 1  #: b\n") == "a = 1  #: c\n"


def test_an_exception_without_a_name_gets_one_that_is_free() -> None:
    swapped(
        "raise_from 'in Cart.add'",
        BEFORE,
        ("(KeyError):", "(KeyError) as error:"),
        ('("x")', '("x") from error'),
    )


@pytest.mark.parametrize(
    ("call", "behind", "lines"),
    [
        (
            "add_guard 'in Cart.add' 'not a' 'raise ValueError(a)'",
            '"""Add."""\n',
            "        if not a:\n            raise ValueError(a)\n",
        ),
        (
            "add_guard 'in Cart.add' 'not one' continue",
            "for one in a:\n",
            "            if not one:\n                continue\n",
        ),
        (
            "add_finally 'in Cart.add' 'b.close()'",
            'ValueError("x")\n',
            "        finally:\n            b.close()\n",
        ),
        (
            "add_handler 'in Cart.add' OSError pass",
            'ValueError("x")\n',
            "        except OSError:\n            pass\n",
        ),
        ("insert_statements 'in Cart.add' 'print(1)'", 'ValueError("x")\n', "        print(1)\n"),
        ("insert_statements 'after LIMIT' 'MORE = 2'", "# most\n", "MORE = 2\n"),
        (
            "insert_statements 'after Cart.__init__' 'def k(self):\n  pass'",
            "2)\n",
            "\n    def k(self):\n        pass\n",
        ),
        ("add_comment m.py:4 'a pair'", "# most\n", "# a pair\n"),
    ],
)
def test_lines_are_put_in_at_the_indentation_of_their_place(call: str, behind: str, lines: str) -> None:
    swapped(call, BEFORE, (behind, behind + lines))


def test_statements_in_a_try_move_one_level_deeper_and_keep_their_comments() -> None:
    swapped(
        "wrap_in_try m.py:17 OSError 'raise' name=error",
        BEFORE,
        (
            '            print("a", one)  # note\n',
            '            try:\n                print("a", one)  # note\n'
            "            except OSError as error:\n"
            "                raise\n",
        ),
    )


def test_the_inside_of_a_string_stays_where_statements_are_indented() -> None:
    text = 'def f():\n\tx = """a\n  b"""\n\treturn x\n'
    assert (
        after("wrap_in_with m.py:2-3 'lock'", text)
        == 'def f():\n\twith lock:\n\t\tx = """a\n  b"""\n\treturn x\n'
    )


def test_new_lines_take_the_line_endings_and_tabs_of_the_file() -> None:
    text = "def f(a):\r\n\tif a:\r\n\t\treturn 1\r\n\tb = a\r\n"
    guarded = after("add_guard 'in f' 'a < 0' 'raise ValueError(a)'", text)
    assert guarded == text.replace("f(a):\r\n", "f(a):\r\n\tif a < 0:\r\n\t\traise ValueError(a)\r\n")
    assert (
        after("insert_statements 'in f' 'if b:\n    print(b)'", text) == text + "\tif b:\r\n\t\tprint(b)\r\n"
    )


def test_a_file_without_a_last_line_ending_keeps_to_that() -> None:
    assert (
        after("insert_statements 'in f' 'print(1)'", "def f():\n    x = 1")
        == "def f():\n    x = 1\n    print(1)"
    )


def test_a_body_that_is_left_empty_gets_pass() -> None:
    assert after("delete_statements m.py:2", "def f():\n    print(1)\n") == "def f():\n    pass\n"


def test_the_blank_lines_above_the_last_statement_of_a_body_go_with_it() -> None:
    text = 'class A:\n    """One."""\n\n    pass\n\n\nclass B:\n    x = 1\n\n    y = 2\n\n\nprint(B)\n'
    assert after("delete_statements m.py:4", text) == text.replace("\n    pass\n", "")
    assert after("delete_statements m.py:8", text) == text.replace("    x = 1\n", "")
    assert after("delete_statements m.py:13", text) == text.replace("\n\nprint(B)\n", "")


def test_a_moved_statement_takes_the_comment_above_it_along() -> None:
    text = "def f(a):\n    x = a\n    # about y\n    y = 2\n    return x + y\n"
    assert (
        after("move_statements m.py:4 m.py:2", text)
        == "def f(a):\n    # about y\n    y = 2\n    x = a\n    return x + y\n"
    )
    assert "is set on one side" in str(refusal("move_statements m.py:2 m.py:5 after", {"m.py": text}))


def test_a_decorator_belongs_to_what_moves_and_to_what_is_extracted() -> None:
    text = "x = 1\ny = print\n\n\n@y\ndef f(): ...\n\n\n@y\ndef g(): ...\n"
    assert "y is set on one side" in str(refusal("move_statements m.py:5-6 m.py:1", {"m.py": text}))
    assert after("move_statements m.py:9-10 m.py:5-6", text).index("g()") < text.index("g()")
    text = "def f(wraps):\n    a = 1\n    @wraps\n    def g(): ...\n    g()\n    return a\n"
    assert "def h(wraps):" in after("extract_function m.py:3-5 h", text)


@pytest.mark.parametrize(
    "call", ["move_statements m.py:4 m.py:7 after", "replace_statements m.py:7 'return 1'"]
)
def test_a_statement_goes_where_the_file_still_compiles(call: str) -> None:
    text = "def f(a):\n    if a:\n        print(a)\n    return 1\n\n\nprint(2)\n"
    assert "'return' outside function" in str(refusal(call, {"m.py": text}))
    moved = after("move_statements m.py:4 m.py:3 after", text)
    assert moved == "def f(a):\n    if a:\n        print(a)\n        return 1\n\n\nprint(2)\n"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [("5-6", "decorator is above"), ("4", "no complete"), ("1-4", "ends outside"), ("1-5", "ends outside")],
)
@pytest.mark.parametrize(
    "call", ["delete_statements {}", "move_statements {} m.py:7 after", "wrap_in_if {} x"]
)
def test_lines_that_part_a_definition_from_its_decorator_or_body_are_refused(
    call: str, lines: str, reason: str
) -> None:
    text = "import abc\n\n\n@abc.abstractmethod\ndef f():\n    print(1)\nprint(2)\n"
    assert reason in str(refusal(call.format(f"m.py:{lines}"), {"m.py": text}))


CLAUSES = (
    "async def f(a):\n    if a:\n        b = 1\n    else:\n        b = 2\n    while b:\n        b -= 1\n"
    "    return b\n\n\ndef g():\n    pass\n\n\nprint(f(1))\n"
)


@pytest.mark.parametrize("call", ["delete_statements {}", "wrap_in_if {} a", "replace_statements {} pass"])
@pytest.mark.parametrize(
    ("lines", "reason"),
    [("4", "no complete statement"), ("4-5", "`else:` is part of"), ("3-4", "m.py:4: `else:` is part of")],
)
def test_the_line_of_an_else_belongs_to_its_if(call: str, lines: str, reason: str) -> None:
    assert reason in str(refusal(call.format(f"m.py:{lines}"), {"m.py": CLAUSES}))


@pytest.mark.parametrize("side", ["before", "after", "start", "end"])
def test_nothing_is_inserted_at_the_line_of_an_else(side: str) -> None:
    assert "no complete" in str(refusal(f"insert_statements m.py:4 'x = 1' {side}", {"m.py": CLAUSES}))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("insert_statements m.py:15 'return 1' after", "'return' outside function"),
        ("insert_statements m.py:15 'yield 1' after", "'yield' outside function"),
        ("insert_statements m.py:15 'await f(1)'", "'await' outside function"),
        ("insert_statements m.py:12 'await f(1)'", "'await' outside async function"),
        ("insert_statements m.py:12 'break' after", "'break' outside loop"),
        ("insert_statements m.py:6 'if b:\n    continue'", "'continue' not properly in loop"),
        ("replace_expression m.py:15 f(1) '(yield)'", "'yield' outside function"),
        ("insert_statements m.py:3 'return 7'", "would never run"),
        ("insert_statements 'in f' 'return 7'", "would never run"),
        ("insert_statements 'in f' 'return 7' start", "would never run"),
    ],
)
def test_what_may_not_stand_there_is_refused(call: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": CLAUSES}))


@pytest.mark.parametrize(
    ("call", "behind", "line"),
    [
        ("insert_statements m.py:3 'return 7' after", "b = 1\n", "        return 7\n"),
        ("insert_statements m.py:7 'break' after", "b -= 1\n", "        break\n"),
        ("insert_statements m.py:6 'await f(b)'", "b = 2\n", "    await f(b)\n"),
        ("insert_statements 'in g' 'return 7'", "pass\n", "    return 7\n"),
    ],
)
def test_what_leaves_or_waits_goes_where_it_may_stand(call: str, behind: str, line: str) -> None:
    swapped(call, CLAUSES, (behind, behind + line))


def test_a_function_that_is_removed_goes_with_its_comments_and_blank_lines() -> None:
    text = "a = 1\n\n\n# about f\ndef f():\n    pass\n\n\nb = 2\n"
    assert after("remove_definition f", text) == "a = 1\n\n\nb = 2\n"


def test_what_somebody_imports_or_calls_is_not_removed() -> None:
    files = {
        "m.py": "def f():\n    pass\n\n\nclass A:\n    def g(self):\n        return 1\n",
        "n.py": "from m import A, f\n\nA().g()\n",
    }
    assert "n.py:1" in str(refusal("remove_definition f", files))
    assert "n.py:3" in str(refusal("remove_definition A.g", files))
    assert "f" in str(refusal("delete_statements m.py:1-2", files))


def test_an_unknown_object_with_that_method_is_named() -> None:
    files = {
        "m.py": "class A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n",
        "n.py": "def f(x):\n    x.g()\n",
    }
    assert [unfollowed.path for unfollowed in plan("remove_definition A.g", files).unfollowed] == ["n.py"]


def test_prints_become_log_calls_with_a_logger_of_the_file() -> None:
    text = 'import os\n\n\ndef f(a, b):\n    print("a", a)  # note\n    print(a, b)\n    print(f"x{a}")\n'
    wanted = (
        "import logging\nimport os\n\nlogger = logging.getLogger(__name__)\n\n\ndef f(a, b):\n"
        '    logger.info("a %s", a)  # note\n    logger.info("%s %s", a, b)\n    logger.info(f"x{a}")\n'
    )
    assert after("print_to_logging 'in f'", text) == wanted
    assert "returns is used" in str(refusal("print_to_logging 'in m.py'", {"m.py": "x = print(1)\n"}))


def test_a_logger_is_made_above_the_definitions_and_what_runs_before_it_is_named() -> None:
    text = "import os\n\n\ndef f():\n    return os\n\n\nX = f()\nimport json\n"
    top = "import logging\nimport os\n\nlogger = logging.getLogger(__name__)\n\n\n"
    logged = after("add_log 'in f' '\"x\"'", text)
    assert logged == top + text[len("import os\n\n\n") :].replace("():\n", '():\n    logger.info("x")\n')
    late = "def f():\n    return 1\n\n\nX = f()\nimport logging\nlogger = logging.getLogger()\n"
    files = {"m.py": late, "n.py": "import m\n"}
    assert "before there is a logger" in str(plan("add_log 'in f' '\"x\"'", files).unfollowed)
    assert "before there can be" in str(refusal("add_log m.py:5 '\"x\"'", files))


def test_a_local_of_the_name_is_no_logger() -> None:
    text = "def f():\n    log = []\n    return log\n\n\ndef g():\n    return 1\n"
    assert after("add_log 'in f' '\"x\"'", text).count("logger") == 2
    text = f"import logging\nlog = logging.getLogger()\n\n\n{text}"
    assert "local name" in str(refusal("add_log 'in f' '\"x\"'", {"m.py": text}))
    assert 'log.info("x")' in after("add_log 'in g' '\"x\"'", text)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("set_value LIMIT 10", "already"),
        ("set_value LIMIT '1 +'", "not a valid expression"),
        ("set_value Nothing 1", "no symbol"),
        ("set_return Cart.__init__ 1", "no return"),
        ("change_operator 'in Cart.add' + and", "cannot become"),
        ("change_operator 'in Cart.add' '*' '+'", None),
        ("set_argument total 'in Cart.add' bad 2", "bad"),
        ("remove_argument total 'in Cart.add' a", "would become other arguments"),
        ("add_guard 'in Cart.add' 'not a' 'print(a)'", "does not leave"),
        ("add_guard 'in total' 'not a' 'return'", "line of its head"),
        ("add_guard 'in Cart.__init__' a continue", "no loops"),
        ("wrap_in_try m.py:18-19 OSError", "a statement begins there"),
        ("add_handler 'in Cart.add' KeyError pass", "already"),
        ("name_exception 'in Cart.add' one", "exists there"),
        ("insert_statements 'in Cart.add' '# only'", "no statements"),
        ("insert_statements m.py:22 'x = 1' side=after", "never run"),
        ("delete_statements m.py:3-7", "ends outside"),
        ("replace_statements m.py:3 'LIMIT = 10'", "already"),
        ("add_comment m.py:15 note", None),
        ("remove_definition total", "is used"),
    ],
)
def test_what_cannot_be_exact_is_refused_with_its_reason(call: str, reason: str | None) -> None:
    if reason is None:
        assert after(call, BEFORE) != BEFORE
    else:
        assert reason in str(refusal(call, {"m.py": BEFORE}))


def test_a_finally_without_a_try_needs_one_place() -> None:
    twice = "def f(x):\n    yield 1\n    print(1)\n    yield 2\n    print(2)\n"
    for code in (twice, "def f(x):\n    return x\n", "def f(x):\n    yield x\n"):
        assert "there is no try" in str(refusal("add_finally 'in f'", {"m.py": code}))
    made = after("add_finally 'in f' 'print(2)'", "def f(x):\n    yield 1\n    print(2)\n")
    assert "has a finally" in str(refusal("add_finally 'in f' 'print(2)'", {"m.py": made}))


def test_what_a_function_above_sets_only_when_it_is_called_counts_as_not_set() -> None:
    code = "def run():\n    global last\n    last = 1\n\n\nlast = None\nprint(last)\nrun()\n"
    (doubt,) = plan("delete_statements m.py:6", {"m.py": code}).unfollowed
    assert doubt.reason == "last may have no value there any more"


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ("set_argument open m.py:1 mode '\"a\"'", 'open(p, "w")', 'open(p, "a")'),
        ("set_argument open m.py:1 mode '\"w\"'", 'open(p, "w")', 'open(p, mode="w")'),
        ("set_argument p.split m.py:1 maxsplit 1", 'p.split("=", 1)', 'p.split("=", maxsplit=1)'),
        ("set_argument p.split m.py:1 maxsplit 2", 'p.split("=", 1)', 'p.split("=", 2)'),
    ],
)
def test_an_argument_that_is_passed_by_its_place_is_not_passed_twice(call: str, old: str, new: str) -> None:
    assert after(call, f"x = {old}\n") == f"x = {new}\n"


def test_a_name_that_is_passed_already_is_not_passed_by_name_too() -> None:
    assert refusal("set_argument p.read m.py:1 a a", {"m.py": "x = p.read(a)\n"}).why == "nothing"
