"""Code-to-code patterns: the table, patterns by hand, and the places that they leave."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, texts_after

from spark_tui.codemods.patterns.conditions import _NEEDS
from spark_tui.codemods.patterns.forms import Matcher, read_form
from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.pysource.source import Source


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("is_none", "if a == None or b != None:\n    c()", "if a is None or b is not None:\n    c()"),
        ("not_in", "x = not a in b and not (c is d)", "x = a not in b and c is not d"),
        ("in_keys", "x = a in b.keys()", "x = a in b"),
        ("in_keys", "for a in b.keys():\n    c(a)", "for a in b:\n    c(a)"),
        ("isinstance", "x = type(a) != int", "x = not isinstance(a, int)"),
        ("list_comprehension", "r = list(x.y for x in xs if x)", "r = [x.y for x in xs if x]"),
        ("list_comprehension", "r = list(filter(lambda x: x > y, xs))", "r = [x for x in xs if x > y]"),
        ("set_comprehension", "r = set(x.y for x in xs)", "r = {x.y for x in xs}"),
        (
            "list_comprehension",
            "r = []\nfor row in rows:\n    for x in row:\n        if x:\n            r.append(x)",
            "r = [x for row in rows for x in row if x]",
        ),
        ("yield_from", "for x in xs:\n    yield x", "yield from xs"),
        ("join", 's = ""\nfor x in xs:\n    if x:\n        s += x.y', 's = "".join(x.y for x in xs if x)'),
        ("setdefault", "if k not in d:\n    d[k] = 0", "d.setdefault(k, 0)"),
        ("chained_comparison", "x = a <= hi and a >= lo", "x = lo <= a <= hi"),
        ("list_comprehension", "r = []\nfor x in xs:\n    r.append(x + 1)", "r = [x + 1 for x in xs]"),
        (
            "list_comprehension",
            "r = []\nfor x in xs:\n    if x or y:\n        r.append((1,\n  2))",
            "r = [(1,\n  2) for x in xs if x or y]",
        ),
        ("set_comprehension", "r = set()\nfor x in xs:\n    r.add(x)", "r = {x for x in xs}"),
        ("extend", "for x in xs:\n    r.append(x)", "r.extend(xs)"),
        ("extend", "for x in xs:\n    if x:\n        a.r.append(x.y)", "a.r.extend(x.y for x in xs if x)"),
        ("dict_comprehension", "r = {}\nfor k, v in xs:\n    r[k] = v", "r = {k: v for k, v in xs}"),
        ("loop", "r = [x for x in xs if x]", "r = []\nfor x in xs:\n    if x:\n        r.append(x)"),
        ("any", "for x in xs:\n    if x:\n        return True\nreturn False", "return any(x for x in xs)"),
        (
            "any",
            "for x in xs:\n    if x != 1:\n        return False\nreturn True",
            "return all(x == 1 for x in xs)",
        ),
        ("return_condition", "if a:\n    return True\nreturn False", "return bool(a)"),
        ("return_condition", "if a or b:\n    return False\nreturn True", "return not (a or b)"),
        ("return_condition", "x = False if a is b else True", "x = not a is b"),
        ("sum", "t = 0\nfor x in xs:\n    t += x.y", "t = sum(x.y for x in xs)"),
        (
            "list_comprehension",
            "r: list[int] = []\nfor x in xs:\n    r.append(x)",
            "r: list[int] = [x for x in xs]",
        ),
        (
            "list_comprehension",
            "r = []\nfor x in xs:\n    if x > 3:\n        continue\n    r.append(x)",
            "r = [x for x in xs if not x > 3]",
        ),
        (
            "set_comprehension",
            "r = set()\nfor x in xs:\n    if x == 3:\n        continue\n    r.add(x)",
            "r = {x for x in xs if x != 3}",
        ),
        (
            "dict_comprehension",
            "r: dict = {}\nfor k, v in xs:\n    if v:\n        r[k] = v",
            "r: dict = {k: v for k, v in xs if v}",
        ),
        (
            "sum",
            "t = 0\nfor x in xs:\n    if x.paid:\n        continue\n    t += x.y",
            "t = sum(x.y for x in xs if not x.paid)",
        ),
        (
            "any",
            "for x in xs:\n    if x.a:\n        continue\n    return False\nreturn True",
            "return all(x.a for x in xs)",
        ),
        (
            "next",
            "for x in xs:\n    if x:\n        return x\nreturn None",
            "return next((x for x in xs if x), None)",
        ),
        ("dict_get", "x = d[k] if k in d else 0", "x = d.get(k, 0)"),
        ("dict_get", "if k in d:\n    x = d[k]\nelse:\n    x = None", "x = d.get(k, None)"),
        (
            "setdefault",
            "if k not in d:\n    d[k] = []\nd[k].append(f(v))",
            "d.setdefault(k, []).append(f(v))",
        ),
        (
            "early_return",
            "if a:\n    return b\nelse:\n    c()  # c\n    d()",
            "if a:\n    return b\nc()  # c\nd()",
        ),
        ("invert_if", "if not a:\n    b()  # b\nelse:\n    c()", "if a:\n    c()\nelse:\n    b()  # b"),
        ("merge_ifs", "if a < b:\n    if c or d:\n        e()", "if a < b and (c or d):\n    e()"),
        ("ternary", "if a:\n    x = 1\nelse:\n    x = b or c", "x = 1 if a else b or c"),
        ("if_statement", "return 1 if a else 2", "if a:\n    return 1\nelse:\n    return 2"),
        ("return_condition", "if a in b:\n    return True\nreturn False", "return a in b"),
        ("augmented", "x = x + 1", "x += 1"),
        ("chained_comparison", "y = 1 <= x and x < 3", "y = 1 <= x < 3"),
        ("startswith", "y = x.startswith('a') or x.startswith('b')", "y = x.startswith(('a', 'b'))"),
    ],
)
@pytest.mark.parametrize(("unit", "newline"), [("    ", "\n"), ("\t", "\r\n")])
def test_a_form_becomes_the_other_one(name: str, old: str, new: str, unit: str, newline: str) -> None:
    def placed(code: str) -> str:
        lines = [unit + part.replace("    ", unit) for part in code.split("\n")]
        return newline.join(["def f(a, b, c, d, xs):", *lines, ""])

    assert after(f"apply_pattern {name} 'in f'", placed(old)) == placed(new)


@pytest.mark.parametrize("kinds", ["OSError", "OSError, KeyError"])
def test_an_import_that_a_form_needs_comes_along(kinds: str) -> None:
    text = f"import os\n\ntry:\n    os.f('p')\nexcept ({kinds}):\n    pass\n"
    made = after("apply_pattern suppress 'in m.py'", text)
    assert made == f"import os\nfrom contextlib import suppress\n\nwith suppress({kinds}):\n    os.f('p')\n"


@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("list_comprehension", "r = []\nfor x in xs:\n    r.append(len(r))", "is used in the rest"),
        ("list_comprehension", "r = []\nfor x in xs:\n    r.append(x)\nprint(x)", "is used on line"),
        ("list_comprehension", "r = []\nfor x in xs:\n    r.append((yield x))", "yield"),
        (
            "any",
            "any = 1\nfor x in xs:\n    if x:\n        return True\nreturn False",
            "means something else",
        ),
        ("dict_get", "x = d[f()] if f() in d else 0", "may do something"),
        ("dict_get", "x = d[k] if k in d else other.y", "in any case"),
        ("startswith", "y = x().startswith('a') or x().startswith('b')", "may do something"),
        ("nonsense", "pass", "there is no pattern"),
    ],
)
def test_where_the_forms_do_not_do_the_same_the_place_is_left(name: str, code: str, reason: str) -> None:
    text = "def f(a, b, d, xs):\n" + "".join(f"    {part}\n" for part in code.split("\n"))
    assert reason in str(refusal(f"apply_pattern {name} 'in f'", {"m.py": text}))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("dict_get", "return self[k] if k in self else v"),
        ("in_keys", "return k in self.keys()"),
        ("setdefault", "if k not in self:\n            self[k] = []\n        self[k].append(v)"),
    ],
)
def test_a_lookup_in_an_object_of_an_own_class_is_left(name: str, line: str) -> None:
    code = f"class Cache(dict):\n    def get(self, k, v=None):\n        {line}\n"
    assert "self is a Cache" in str(refusal(f"apply_pattern {name} 'in Cache.get'", {"m.py": code}))
    code = code.replace("self[", "self.data[").replace("in self", "in self.data")
    assert plan(f"apply_pattern {name} 'in Cache.get'", {"m.py": code}).edits


def test_places_that_do_not_fit_are_named_beside_those_that_do() -> None:
    text = (
        "def f(xs):\n    r = []\n    for x in xs:\n        r.append(x)\n    q = []\n"
        "    for x in xs:\n        q.append((yield x))\n"
    )
    found = plan("apply_pattern list_comprehension 'in f'", {"m.py": text})
    assert len(found.edits) == 1 and [unfollowed.line for unfollowed in found.unfollowed] == [5]


def test_a_form_by_hand_keeps_the_text_of_its_holes() -> None:
    text = "x = fetch( a ,b)[0]  # c\ny = fetch()\n"
    assert (
        after("rewrite 'in m.py' 'fetch(__a)' 'load(__a, 1)'", "x = fetch(a,b)[0]  # c\n")
        == "x = load(a, b, 1)[0]  # c\n"
    )
    assert after("rewrite 'in m.py' '_x[0]' 'next(iter(_x))'", text) == text.replace(
        "fetch( a ,b)[0]", "next(iter(fetch( a ,b)))"
    )
    assert "no hole _z" in str(refusal("rewrite 'in m.py' '_x[0]' '_z'", {"m.py": text}))
    assert "fits all code" in str(refusal("rewrite 'in m.py' '_x' 'next(_x)'", {"m.py": text}))


def test_a_place_that_would_run_something_twice_is_left_and_told_even_beside_another() -> None:
    found = plan("rewrite 'in m.py' 'square(_x)' '_x * _x'", {"m.py": "y = square(f()) + square(z)\n"})
    assert len(found.edits) == 1 and "another number of times" in found.unfollowed[0].reason


def test_every_entry_of_the_table_can_be_read_and_names_known_conditions() -> None:
    for forms in pattern_table().values():
        for form in forms:
            assert read_form(form.old).tree is not None and read_form(form.new).tree is not None
            assert {need.split()[0] for need in form.needs} <= set(_NEEDS)


def test_a_hole_that_stands_twice_is_filled_by_equal_code() -> None:
    source = Source("a.b + a.b\na.b + a.c\n")
    nodes = [stmt.value for stmt in source.tree.body] if source.tree else []  # type: ignore[attr-defined]
    matches = Matcher(source, "_x + _x").matches(nodes, [])
    assert [match.nodes[0].lineno for match in matches] == [1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"%s of %d%%" % (a, b.c)', 'f"{a} of {b.c:d}%"'),
        ('"%r {x}" % (a,)', 'f"{a!r} {{x}}"'),
        ("'%.2f|%-5s|' % (a + 1, b)", "f'{a + 1:.2f}|{b!s:<5}|'"),
        ('"{} {}\\n".format(a, b())', 'f"{a} {b()}\\n"'),
        ('"{0}{1:>3}{0!r}{{".format(a, b)', 'f"{a}{b:>3}{a!r}{{"'),
        ('r"\\d{n}".format(n=a)', 'rf"\\d{a}"'),
        ('"{0:.{1}f}".format(a, b)', 'f"{a:.{b}f}"'),
        ('"{:{}} {!r:>{w}}".format(a, b, c, w=d)', 'f"{a:{b}} {c!r:>{d}}"'),
        ('"{}".format(a["k"])', "f\"{a['k']}\""),
        ("'<' + a['k'] + '>'", "f'<{a[\"k\"]}>'"),
        ('"%s" % a', 'f"{a}"'),
    ],
)
def test_a_string_that_is_filled_becomes_an_f_string(old: str, new: str) -> None:
    assert after("to_f_string 'in m.py'", f"x = {old}  # c\n") == f"x = {new}  # c\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ('"%s %s" % a', "do not fit"),
        ('"%s %s" % (a,)', "do not fit"),
        ('"{} {}".format(a)', "cannot be filled"),
        ('"{0}{0}".format(a())', "more than once"),
        ('"{1}{0}".format(a(), b())', "another order"),
        ('"{}".format(a["it\'s"])', "these quotes"),
        ('"{}" "{}".format(a, b)', "several parts"),
        ('"{a.b}".format(a=c)', "cannot be filled"),
        ('"{:{:2}}".format(a, b)', "cannot be written"),
    ],
)
def test_a_string_that_cannot_be_the_same_is_left(code: str, reason: str) -> None:
    assert reason in str(refusal("to_f_string 'in m.py'", {"m.py": f"x = {code}\n"}))


def test_a_mutable_default_is_made_for_each_call() -> None:
    text = 'def f(a, b: list[int] = [1], c={}):\n    """Doc."""\n    return a\n'
    wanted = (
        'def f(a, b: list[int] | None = None, c=None):\n    """Doc."""\n    if b is None:\n        b = [1]\n'
        "    if c is None:\n        c = {}\n    return a\n"
    )
    assert after("fix_mutable_default f", text) == wanted
    assert "no such default" in str(refusal("fix_mutable_default f", {"m.py": wanted}))


@pytest.mark.parametrize("line", [2, 4])
def test_one_line_stands_for_the_form_that_begins_there_or_holds_it(line: int) -> None:
    code = "def f(xs):\n    r = []\n    for x in xs:\n        r.append(x)\n    return r\n"
    wanted = "def f(xs):\n    r = [x for x in xs]\n    return r\n"
    assert after(f"apply_pattern list_comprehension m.py:{line}", code) == wanted


@pytest.mark.parametrize(
    "rest",
    [
        "    for x in ys:\n        print(x)\n    r = [x for x in xs]\n    return r\n",
        "    r = [x for x in xs]\n    s = [x for x in ys]\n    return r, s\n",
        "    r = [x for x in xs]\n    for x in ():\n        pass\n    return r\n",
    ],
)
def test_a_comprehension_becomes_a_loop_if_its_name_is_not_read_afterwards(rest: str) -> None:
    code = f"x = 1\n\n\ndef f(xs, ys):\n{rest}"
    made = after("apply_pattern loop 'in f'", code)
    assert "    r = []\n    for x in xs:\n        r.append(x)\n" in made


@pytest.mark.parametrize(
    "rest",
    [
        "    x = 1\n    r = [x for x in xs]\n    return r, x\n",
        "    x = 1\n    for y in ys:\n        print(x)\n        r = [x for x in xs]\n    return r\n",
        "    x = 1\n    g = lambda: x\n    r = [x for x in xs]\n    return r, g()\n",
        "    print(x)\n    r = [x for x in xs]\n    return r\n",
    ],
)
def test_a_comprehension_stays_if_a_loop_would_change_what_its_name_means(rest: str) -> None:
    code = f"x = 1\n\n\ndef f(xs, ys):\n{rest}"
    assert "used elsewhere" in str(refusal("apply_pattern loop 'in f'", {"m.py": code}))


def test_a_form_that_begins_above_the_lines_that_are_named_is_meant() -> None:
    code = "def f(xs):\n    r = []\n    for x in xs:\n        r.append(x)\n    return r\n"
    wanted = "def f(xs):\n    r = [x for x in xs]\n    return r\n"
    for lines in ("3", "4", "3-4"):
        assert after(f"apply_pattern list_comprehension m.py:{lines}", code) == wanted


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("super(B, self).__init__()", "super(B, self) is not of this class and object"),
        ("super(A, other).__init__()", "super(A, other) is not of this class and object"),
        ("[super(A, self).go() for x in y]", "super() has to stand in a method itself"),
        ("run(lambda: super(A, self).go())", "super() has to stand in a method itself"),
    ],
)
def test_super_keeps_arguments_that_it_would_not_find_by_itself(call: str, reason: str) -> None:
    files = {"m.py": f"class A:\n    def go(self, other):\n        {call}\n"}
    assert str(refusal("apply_pattern plain_super 'in m.py'", files)) == reason


def test_super_finds_its_class_and_object_by_itself() -> None:
    files = {"m.py": "class A:\n    def go(this):\n        return super(A, this).go()\n"}
    text = texts_after("apply_pattern plain_super 'in m.py'", files)["m.py"]
    assert text == "class A:\n    def go(this):\n        return super().go()\n"


def test_an_aware_time_imports_what_it_needs() -> None:
    whole = {"m.py": "import datetime\n\nx = datetime.datetime.utcnow()\n"}
    name = {"m.py": "from datetime import datetime\n\nx = datetime.utcnow()\n"}
    texts = [texts_after("apply_pattern aware_utc 'in m.py'", files)["m.py"] for files in (whole, name)]
    assert texts == [
        "import datetime\n\nx = datetime.datetime.now(datetime.timezone.utc)\n",
        "from datetime import datetime, timezone\n\nx = datetime.now(timezone.utc)\n",
    ]


def test_an_async_function_does_not_yield_from() -> None:
    files = {"m.py": "async def f(xs):\n    for x in xs:\n        yield x\n"}
    assert "async" in str(refusal("apply_pattern yield_from 'in m.py'", files))
