"""Templates: what is a hole, where a form fits, and what it becomes."""

from __future__ import annotations

import pytest

from spark_tui.next_edit.changes import changes
from spark_tui.next_edit.generalize import explains, unified, window
from spark_tui.next_edit.patterns import patterns
from spark_tui.next_edit.search import places_in
from spark_tui.next_edit.template import Template
from spark_tui.next_edit.tokens import tokens_of


def _change(old, new):
    found = changes("a.py", old, new)
    assert found is not None and len(found) == 1
    return found[0]


def _applied(template: Template, text: str) -> str:
    out, done = [], 0
    for found in places_in(template, "a.py", tokens_of(text)):
        out += [text[done : found.edit.start], found.edit.new]
        done = found.edit.end
    return "".join([*out, text[done:]])


def _of(old, new):
    change = _change(old, new)
    template = window(change, *change.old, keep=False)
    assert template is not None and explains(template, change)
    return template


@pytest.mark.parametrize(
    "old, new, text, wanted",
    [
        (
            "x: Optional[int] = 1\n",
            "x: int | None = 1\n",
            "y: Optional[Dict[str, int]]\n",
            "y: Dict[str, int] | None\n",
        ),
        ("x: Union[str, int]\n", "x: str | int\n", "Union[a.B, c[d]]\n", "a.B | c[d]\n"),
        ("log.warn(1)\n", "log.warning(1)\n", "log.warn(x)\nwarn(x)\n", "log.warning(x)\nwarn(x)\n"),
        ("import a\nimport b\nc\n", "import b\nc\n", "x\nimport a\ny\n", "x\ny\n"),
        ("x = 1  # noqa\n", "x = 1\n", "y = 2  # noqa\n", "y = 2\n"),
        ('p("a.txt")\n', 'p("b.txt")\n', 'q("a.txt", "a.txt.old")\n', 'q("b.txt", "a.txt.old")\n'),
        ("a(x)\n", "a(wrap(x))\n", "a(y[0])\n", "a(wrap(y[0]))\n"),
    ],
)
def test_one_example_makes_a_form_with_holes(old, new, text, wanted):
    change = _change(old, new)
    made = next(iter(patterns(change, ()))).template
    assert _applied(made, text) == wanted


def test_two_examples_make_holes_where_they_differ():
    first = _change("self.assertEqual(len(a), 3)\n", "assert len(a) == 3\n")
    second = _change("self.assertEqual(total(x, y), z.b)\n", "assert total(x, y) == z.b\n")
    template = unified(second, first)
    assert template is not None
    assert _applied(template, "self.assertEqual(f(1, 2)[3], 'a, b')\n") == "assert f(1, 2)[3] == 'a, b'\n"


def test_a_call_gets_the_argument_that_two_others_got():
    old = "a = open(x)\nb = open(y, 'r')\nc = open(z)\nd = open(name(1, 2))\n"
    new = old.replace("open(x)", "open(x, encoding='utf-8')").replace("'r')", "'r', encoding='utf-8')")
    second, first = list(changes("a.py", old, new) or ())[::-1]
    calls = [pattern.template for pattern in patterns(second, (first,)) if pattern.context == "call"]
    assert [_applied(call, new) for call in calls] == [
        new.replace("open(z)", "open(z, encoding='utf-8')").replace("(1, 2))", "(1, 2), encoding='utf-8')")
    ]


def test_what_has_the_new_form_already_is_left():
    change = _change("x = a\n", "x = b.a\n")
    made = next(pattern.template for pattern in patterns(change, ()) if pattern.context == "sides")
    assert _applied(made, "y = b.a\nz = a\n") == "y = b.a\nz = b.a\n"


def test_a_hole_ends_with_its_line_and_its_brackets():
    template = _of("x: Optional[int]\n", "x: int | None\n")
    assert _applied(template, "Optional[a, b]\nOptional[\n    c\n]\n") == "Optional[a, b]\nc | None\n"


def test_a_name_behind_a_dot_is_another_name():
    template = _of("warn(1)\n", "say(1)\n")
    assert _applied(template, "self.warn(1)\nwarn(2)\n") == "self.warn(1)\nsay(2)\n"


def test_whole_lines_take_the_indentation_of_their_place():
    change = _change("if a:\n    go(1)\n    end()\n", "if a:\n    go(1)\n    log()\n    end()\n")
    made = [pattern.template for pattern in patterns(change, ())]
    texts = {_applied(item, "def f():\n        go(1)\n        end()\n") for item in made}
    assert "def f():\n        go(1)\n        log()\n        end()\n" in texts


def test_lines_around_a_deleted_line_keep_their_indentation():
    before = "class A:\n    def f(self):\n        go()\n\n    @old\n    def g(self): ...\n"
    change = _change(before, before.replace("    @old\n", ""))
    text = "class B:\n    x = [\n        1\n        ]\n\n    @old\n    def g(self): ...\n"
    made = {_applied(pattern.template, text) for pattern in patterns(change, ())}
    assert text.replace("    @old\n", "") in made
    assert all("        def g" not in item for item in made)


def test_blank_lines_around_a_deleted_line_stay():
    change = _change("@a\n@old\ndef f(): ...\n", "@a\ndef f(): ...\n")
    made = {_applied(pattern.template, "x = 1\n\n\n@old\ndef g(): ...\n") for pattern in patterns(change, ())}
    assert "x = 1\n\n\ndef g(): ...\n" in made and "x = 1\ndef g(): ...\n" not in made


def test_line_ends_of_the_file_are_kept():
    template = _of("x: Optional[int]\n", "x: int | None\n")
    assert _applied(template, "a: Optional[b]\r\nc\r\n") == "a: b | None\r\nc\r\n"
