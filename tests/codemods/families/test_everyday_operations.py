"""Chains of ifs, public names, slots, sorted definitions and timed functions: what is refused or marked."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, texts_after

OBJECT = "class A:\n    def __init__(self):\n        self.x = 1\n"


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        ("if_to_match m.py:1", "if x == a:\n    y = 1\nelif x == 2:\n    y = 2\n", "`x == a` does not"),
        ("if_to_match m.py:1", "if x == 1:\n    y = 1\nelif z == 2:\n    y = 2\n", "`z == 2` does not"),
        ("if_to_match m.py:1", "if x == 1:\n    y = 1\nelif x > 2:\n    y = 2\n", "`x > 2` does not"),
        ("if_to_match m.py:1", "if x() == 1:\n    y = 1\nelif x() == 2:\n    y = 2\n", "`x() == 1` does"),
        ("if_to_match m.py:1", "if x == None:\n    y = 1\nelif x == 2:\n    y = 2\n", "`x == None` does"),
        ("if_to_match m.py:1", "if x == 1:\n    y = 1\nelse:\n    y = 2\n", "no chain of ifs"),
        (
            "if_to_match m.py:1",
            "if x.y == 1 and f(x):\n    y = 1\nelif x.y == 2:\n    y = 2\n",
            "x.y may change",
        ),
        (
            "if_to_lookup m.py:1",
            "if x == 1:\n    y = f()\nelif x == 2:\n    y = 2\nelse:\n    y = 3\n",
            "f()",
        ),
        (
            "if_to_lookup m.py:1",
            "if x == 1:\n    y = 1\nelif x == 2:\n    z = 2\nelse:\n    y = 3\n",
            "`y =`",
        ),
        ("if_to_lookup m.py:1", "if x == 1:\n    y = 1\nelif x == 2:\n    y = 2\n", "y would be set to None"),
        (
            "if_to_lookup m.py:1",
            "if x == 1:\n    y = 1\nelif x == 1.0:\n    y = 2\nelse:\n    y = 3\n",
            "1.0 cannot be a key",
        ),
        (
            "if_to_lookup m.py:1",
            "if x == 1:\n    f(1, 2)\nelif x == 2:\n    g(1, 3)\n",
            "each branch must return a value",
        ),
        (
            "if_to_lookup m.py:2",
            "x = 1\nif x == 1:\n    x = 1\nelif x == 2:\n    x = 2\n",
            "x would be set to None",
        ),
        (
            "add_slots A",
            "class A:\n    x = 0\n\n    def go(self):\n        self.x = 1\n",
            "set in the body of A",
        ),
        (
            "add_slots A",
            "class A(Exception):\n    def go(self):\n        self.x = 1\n",
            "a base class that is not",
        ),
        (
            "add_slots A",
            "class A:\n    def go(self, k):\n        setattr(self, k, 1)\n",
            "setattr there needs objects",
        ),
        ("add_slots A", f"{OBJECT}\n\nclass B:\n    pass\n\n\nclass C(A, B):\n    pass\n", "C inherits from"),
        ("add_slots A", "class A:\n    __slots__ = ('x',)\n", "has __slots__ already"),
        ("list_public_names m.py", "__all__ = ['a']\n__all__ += ['b']\na = b = 1\n", "not one plain list"),
        ("list_public_names m.py", "__all__ = ['a']\na = 1\n", "every public name already"),
        ("list_public_names m.py", "_a = 1\n", "no public names"),
        ("drop_python2 'in m.py'", "x = 'a'\n", "nothing there is for Python 2"),
        (
            "sort_definitions 'in m.py'",
            "def b():\n    pass\n\n\n# part two\n\n\ndef a():\n    pass\n",
            "a comment stands",
        ),
        (
            "sort_definitions 'in m.py'",
            "def b(f):\n    return f\n\n\n@b\ndef a():\n    pass\n",
            "a needs b above it",
        ),
        ("sort_definitions 'in m.py'", "def a():\n    pass\n\n\ndef b():\n    pass\n", "sorted already"),
        ("log_duration f", "def f(x):\n    yield x\n", "is a generator"),
        (
            "log_duration f",
            "import time\n\n\ndef f():\n    return time.perf_counter()\n",
            "the clock already",
        ),
        (
            "log_duration f",
            "import logging\n\nlog = logging.getLogger()\n\n\ndef f(log):\n    log()\n",
            "log means something else in f",
        ),
        ("log_duration f", 'def f():\n    """Doc."""\n', "does nothing"),
        ("apply_pattern removeprefix m.py:1", 'if s.startswith("ab"):\n    s = s[3:]\n', "is not the length"),
        ("list_public_names m.py", "__all__ = ['a']\nglobals().update(a=1)\n_b = 1\n", "no public names"),
        (
            "move_statements m.py:3-4 m.py:7 after",
            "import re\n\ndef a(x=re.I):\n    pass\n\n\ndel re\n",
            "re is set on one side",
        ),
        (
            "move_statements m.py:1-2 m.py:9 after",
            "def a():\n    return 1\n\n\ndef b():\n    return a()\n\n\nx = b()\n",
            "a is set on one side",
        ),
    ],
)
def test_what_would_not_do_the_same_is_refused(call: str, code: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": code}))


@pytest.mark.parametrize(
    ("call", "files", "mark"),
    [
        (
            "if_to_match m.py:1",
            {
                "m.py": "if x == 1:\n    y = 1\nelif x == 2:\n    y = 2\n",
                "setup.cfg": "python_requires = >=3.8",
            },
            "setup.cfg asks for Python 3.8, where `match` fails",
        ),
        (
            "if_to_lookup 'in f'",
            {"m.py": "def f(x):\n    if x == 1:\n        return 1\n    if x == 2:\n        return 2\n"},
            "if x is a list, dictionary or set, this fails now",
        ),
        (
            "add_slots A",
            {"m.py": f"{OBJECT}\n    def copy(self, other):\n        other.y = 2\n"},
            "other.y has no slot",
        ),
        ("to_enum m.py C", {"m.py": "C_A = 1\nC_B = 2\nprint(repr(C_A))\n"}, "repr shows a member of C"),
        ("add_slots A", {"m.py": f"{OBJECT}\n\na = A()\na.q = 1\n"}, "a.q has no slot"),
        ("add_slots A", {"m.py": OBJECT, "n.py": "import m\n\nprint(vars(m.A()))\n"}, "vars fails there"),
        ("add_slots A", {"m.py": f"from weakref import ref\n\n\n{OBJECT}"}, "a weak reference to A fails"),
        ("add_slots B", {"m.py": f"{OBJECT}\n\nclass B(A):\n    pass\n"}, "A has no __slots__"),
        (
            "list_public_names m.py",
            {"m.py": "a = 1\n", "n.py": "from m import *\n"},
            "the star import brings",
        ),
        (
            "sort_definitions 'in m.py'",
            {"m.py": "def b():\n    pass\n\n\n@app.get\ndef a():\n    pass\n"},
            "@get may ask in which order",
        ),
    ],
)
def test_what_cannot_be_known_is_marked(call: str, files: dict[str, str], mark: str) -> None:
    assert any(mark in one.reason for one in plan(call, files).unfollowed)


def test_a_project_for_older_pythons_keeps_its_slices() -> None:
    files = {"m.py": 's = s[1:] if s.startswith("a") else s\n', "setup.cfg": "python_requires = >=3.8"}
    assert "where removeprefix fails" in str(refusal("apply_pattern removeprefix 'in m.py'", files))


def test_a_timed_function_gives_and_raises_what_it_did(caplog: pytest.LogCaptureFixture) -> None:
    files = {"m.py": "def f(x):\n    if not x:\n        raise ValueError('none')\n    return x + 1\n"}
    text = texts_after("log_duration f warning", files)["m.py"]
    scope: dict[str, object] = {"__name__": "m"}
    exec(str(text), scope)
    timed = scope["f"]
    assert callable(timed)
    assert timed(1) == 2
    with pytest.raises(ValueError, match="none"):
        timed(0)
    assert [one.message.startswith("f took 0.") for one in caplog.records] == [True, True]


@pytest.mark.parametrize("form", ["if_to_match", "if_to_lookup"])
def test_a_chain_in_another_form_gives_the_same(form: str) -> None:
    code = 'def f(x: str):\n    if x == "a" or x == "b":\n        return 1\n    elif x in ("c", "d"):\n'
    code += "        return 2\n    return None\n"
    files = {"m.py": code}
    both = []
    for text in (code, str(texts_after(f"{form} 'in f'", files)["m.py"])):
        scope: dict[str, object] = {}
        exec(text, scope)
        function = scope["f"]
        assert callable(function)
        both.append([function(x) for x in ("a", "b", "c", "d", "e", "")])
    assert both[0] == both[1] == [1, 1, 2, 2, None, None]


def test_constants_that_another_file_uses_stay() -> None:
    files = {"m.py": "C_A = 1\nC_B = 2\n", "n.py": "import m\n\nprint(m.C_A)\n"}
    assert str(refusal("to_enum m.py C", files)) == "n.py uses C_A"


@pytest.mark.parametrize("older", ["", "python_requires = >=3.10"])
def test_a_member_compares_and_shows_as_its_text(older: str) -> None:
    code = 'S_A = "a"\nS_B = "b"\n\n'
    code += 'shown = (S_A == "a", f"{S_A} {S_B:>3} {str(S_B)}", {"a": 1}[S_A], S_B + "c")\n'
    files = {"m.py": code, "setup.cfg": older}
    scope: dict[str, object] = {"__name__": "m"}
    exec(str(texts_after("to_enum m.py S", files)["m.py"]), scope)
    assert scope["shown"] == (True, "a   b b", 1, "bc")


def test_a_number_behind_others_in_order_is_marked() -> None:
    code = 'LEVELS = [(9, "a"), (5, "b"), (0, "c")]\nSIZES = [3, 1, 2]\n'
    found = plan("add_item 'in m.py' '(12, \"d\")' target=LEVELS", {"m.py": code})
    assert [one.reason for one in found.unfollowed] == ['the items are in order, and (12, "d") is at the end']
    assert not plan("add_item 'in m.py' 9 target=SIZES", {"m.py": code}).unfollowed
    assert not plan("add_item 'in m.py' '(-1, \"d\")' target=LEVELS", {"m.py": code}).unfollowed


def test_a_text_that_was_a_sum_in_brackets_needs_none() -> None:
    code = "def f(folder, name):\n    return folder / (name + '.json')\n"
    assert "return folder / f'{name}.json'\n" in after("to_f_string 'in m.f'", code)


def test_a_print_becomes_a_call_of_the_module_that_the_file_logs_by() -> None:
    code = "import logging\n\n\ndef f(x):\n    logging.info('a')\n    print('b', x)\n"
    found = after("print_to_logging 'in m.f'", code)
    assert '    logging.info("b %s", x)\n' in found and "getLogger" not in found


def test_supers_lose_the_arguments_that_only_python_2_needs() -> None:
    text = "class A(B):\n    def go(self):\n        return {}.go()\n"
    assert after("drop_python2 'in m.py'", text.format("super(A, self)")) == text.format("super()")


def test_a_word_that_is_corrected_is_no_part_of_the_right_one() -> None:
    code = 'def load():\n    """The actual pattern."""\n'
    assert refusal("replace_in_strings m.py actua actual", {"m.py": code}).reason
