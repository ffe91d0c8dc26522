"""What people ask for that is wrong, and code that cannot be followed: each is refused or named."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked

CODE = "def total(x):\n    return len(x)\n\n\nclass Cart:\n    size = 1\n"
TRY = "def f(e):\n    try:\n        return e\n    except OSError:\n        return tax\n\n\ntax = 1\n"


def doubts(call: str, files: dict[str, str]) -> list[tuple[str, int, str]]:
    """The places that a plan names, by itself and in the checks."""
    found = checked(plan(call, files), repository(files))
    return sorted(
        {
            (unfollowed.path, unfollowed.line, unfollowed.reason)
            for unfollowed in (*found.unfollowed, *found.findings)
        }
    )


NAMING = [
    ("rename total {}", CODE),
    ("rename total.x {}", CODE),
    ("rename Cart.size {}", CODE),
    ("add_parameter total {} default=1", CODE),
    ("extract_variable m.py:2 len(x) {}", CODE),
    ("extract_function m.py:2 {}", CODE),
    ("extract_constant m.py:6 1 {}", CODE),
    ("add_field Cart {} value=1", CODE),
    ("rename_module m.py {}", CODE),
    ("add_import m.py json alias={}", CODE),
    ("name_exception m.py:4 {}", TRY),
    ("wrap_in_try m.py:3 ValueError name={}", TRY),
    ("wrap_in_with m.py:3 open(e) {}", TRY),
    ("add_handler m.py:2 ValueError 'raise' {}", TRY),
]


@pytest.mark.parametrize("name", ["class", "2x", "None"])
@pytest.mark.parametrize(("call", "code"), NAMING, ids=[item[0].split()[0] for item in NAMING])
def test_a_name_that_is_a_keyword_or_none_is_refused(call: str, code: str, name: str) -> None:
    reason = str(refusal(call.format(name), {"m.py": code}))
    assert "keyword" in reason or "is not a valid" in reason or "cannot be imported" in reason


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("rename total Cart", CODE),
        ("add_parameter total x default=1", CODE),
        ("extract_variable m.py:2 len(x) total", CODE),
        ("extract_function m.py:2 Cart", CODE),
        ("extract_constant m.py:6 1 total", CODE),
        ("add_import m.py json alias=Cart", CODE),
        ("name_exception m.py:4 e", TRY),
    ],
)
def test_a_name_that_exists_already_is_refused(call: str, code: str) -> None:
    reason = str(refusal(call, {"m.py": code}))
    assert "exists" in reason or "already" in reason


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("rename total sum", CODE),
        ("rename total.x sum", CODE),
        ("extract_variable m.py:2 len(x) sum", CODE),
        ("extract_function m.py:2 sum", CODE),
        ("extract_constant m.py:6 1 sum", CODE),
        ("name_exception m.py:4 sum", TRY),
        ("wrap_in_with m.py:3 open(e) sum", TRY),
    ],
)
def test_a_name_that_hides_a_builtin_is_refused(call: str, code: str) -> None:
    assert "builtin" in str(refusal(call, {"m.py": code}))


def test_a_parameter_and_an_alias_that_hide_a_builtin_are_marked() -> None:
    assert [doubt[2] for doubt in doubts("add_parameter total sum default=1", {"m.py": CODE})] == [
        "the parameter hides the builtin sum"
    ]
    assert [doubt[2] for doubt in doubts("add_import m.py json alias=sum", {"m.py": CODE})] == [
        "sum hides the builtin"
    ]


def test_a_module_that_hides_one_of_the_standard_library_is_refused() -> None:
    assert "standard library" in str(refusal("rename_module m.py json", {"m.py": CODE}))


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("add_parameter total len default=1", CODE),
        ("add_parameter f tax default=1", TRY),
        ("rename f.e tax", TRY),
        ("name_exception m.py:4 tax", TRY),
        ("wrap_in_with m.py:3 open(e) tax", TRY),
        ("wrap_in_try m.py:3 ValueError name=tax", TRY),
        ("add_handler m.py:2 ValueError 'raise' tax", TRY),
    ],
)
def test_a_name_that_would_capture_another_is_refused(call: str, code: str) -> None:
    assert "captured" in str(refusal(call, {"m.py": code}))


@pytest.mark.parametrize(
    "call", ["rename totl x", "add_parameter totl x default=1", "remove_definition totl"]
)
def test_a_symbol_that_is_not_there_names_the_nearest(call: str) -> None:
    found = refusal(call, {"m.py": CODE})
    assert (found.why, "total" in found.nearest) == ("unknown", True)


@pytest.mark.parametrize("call", ["rename go x", "add_parameter go x default=1", "make_async go"])
def test_of_two_that_fit_both_are_named(call: str) -> None:
    files = {"a.py": "class B:\n    def go(self): ...\n", "b.py": "class A:\n    def go(self): ...\n"}
    found = refusal(call, files)
    assert found.why == "unknown"
    assert [text.split("@")[0] for text in found.nearest] == ["a.py::B.go", "b.py::A.go"]


CHANGES = [
    "rename total amount",
    "add_parameter total tax value=1",
    "reorder_parameters total y,x",
    "remove_definition total",
    "move_definition m.total n.py",
]
TWO = "def total(x, y):\n    return x, y\n"


@pytest.mark.parametrize("call", CHANGES)
def test_a_file_that_does_not_parse_and_mentions_the_name_is_named(call: str) -> None:
    found = doubts(call, {"m.py": TWO, "n.py": "", "broken.py": "import m\n\nm.total(1, 2\n"})
    assert any(doubt[:2] == ("broken.py", 3) and "does not parse" in doubt[2] for doubt in found)
    assert doubts(call, {"m.py": TWO, "n.py": "", "broken.py": "import m\n\nm.other(1, 2\n"}) == []


@pytest.mark.parametrize("call", CHANGES)
def test_code_in_exec_and_eval_is_named(call: str) -> None:
    code = "import m\n\nexec('m.total(1, 2)')\nn = 1\nn += eval(f'm.total({n}, 2)')[0]\neval('totals()')\n"
    found = doubts(call, {"m.py": TWO, "n.py": "", "u.py": code})
    assert [(path, line) for path, line, reason in found if "runs code" in reason] == [
        ("u.py", 3),
        ("u.py", 5),
    ]


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("rename total amount", 0),  # it follows `m:total`
        ("remove_definition total", 2),
        ("move_definition m.total n.py", 2),
        ("rename A.go run", 3),
        ("rename A B", 4),
        ("add_parameter total tax default=1", 0),
    ],
)
def test_settings_and_pages_that_have_the_full_name_are_named(call: str, line: int) -> None:
    text = "[project.scripts]\nshop = 'm:total'\n# A.go\nc = 'm.A'\nd = 'm.totals xm.A total go'\n"
    files = {"m.py": f"{TWO}\n\nclass A:\n    def go(self): ...\n", "n.py": ""}
    found = doubts(call, {**files, "pyproject.toml": text, "a.bin": text})
    assert [doubt[:2] for doubt in found if "mentions" in doubt[2]] == [("pyproject.toml", line)][
        : line and 1
    ]


@pytest.mark.parametrize("call", [*CHANGES, "remove_parameter count y", "make_async total"])
def test_a_text_that_calls_it_is_named_and_an_example_in_a_docstring(call: str) -> None:
    code = (
        'def emit(op, f):\n    f.write(f"m.total({op}, 2)")\n    f.write("the total (of m)")\n\n\n'
        'def g():\n    """Says total(1, 2).\n\n    >>> m.total(1, 2)\n    >>> m.totals(1, 2)\n    """\n'
    )
    files = {"m.py": f"{TWO}\n\ndef count(x, y): ...\n", "n.py": "", "u.py": code}
    if "count" in call:
        files["u.py"] = code.replace("total", "count")
    found = [(path, line) for path, line, reason in doubts(call, files) if "a text calls" in reason]
    assert found == [("u.py", 2), ("u.py", 9)]
    name = "count" if "count" in call else "total"
    files["u.py"] += f'\n\nOTHER = "def {name}(): ..."\n'  # which they may mean
    assert not [reason for _, _, reason in doubts(call, files) if "a text calls" in reason]


@pytest.mark.parametrize(
    "call",
    ["rename total amount", "remove_definition total", "reorder_parameters total y,x", "make_async total"],
)
def test_a_name_that_is_put_together_is_named(call: str) -> None:
    code = (
        "import m\n\nn = 'tal'\ngetattr(m, n)\ngetattr(m, 'to' + n)\ngetattr(m, f'new_{n}')\n"
        "getattr(n, n)\nvars(m)[n]\nm.__dict__[n]\n"
    )
    found = doubts(call, {"m.py": TWO, "u.py": code})
    assert [line for path, line, reason in found if "may reach total" in reason] == [4, 5, 8, 9]


@pytest.mark.parametrize("call", ["rename total amount", "move_definition total n.py"])
def test_a_list_of_names_is_named_where_one_of_them_goes(call: str) -> None:
    code = "def count(): ...\n\n\nUSED = ['count', 'total']\nWORDS = ['total', 'tea']\n"
    found = doubts(call, {"m.py": f"{TWO}\n\n{code}", "n.py": "", "o.py": code})
    assert [doubt[0] for doubt in found if "a list of names" in doubt[2]] == ["m.py"]
    fields = "class A:\n    name = 1\n    size = 2\n    shown = ('name', 'size')\n"
    assert [doubt[:2] for doubt in doubts("rename A.name title", {"m.py": fields})] == [("m.py", 4)]


@pytest.mark.parametrize("call", ["make_property A.go", "make_async A.go", "add_parameter A.go n value=1"])
def test_what_may_be_another_object_or_runs_as_a_text_is_named(call: str) -> None:
    code = (
        "class A:\n    def go(self):\n        return 1\n\n\n"
        "class B:\n    def go(self):\n        return 2\n\n\n"
        "async def f(flag):\n    x = A() if flag else B()\n    return x.go()\n\n\n"
        "eval('A().go()')\nmonkeypatch.setattr(A, 'go', print)\n"
    )
    assert {13, 16, 17} <= {line for _, line, _ in doubts(call, {"m.py": code})}


def test_a_method_that_is_looked_up_by_a_text_is_named() -> None:
    code = (
        "class A:\n    def visit(self, n):\n        return getattr(self, NAME)(n)\n\n"
        "    def on_x(self, n): ...\n\n    def off_x(self, n): ...\n"
    )
    for name in ("f'on_{n}'", "'on_' + n", "'on_%s' % n", "'on_{}'.format(n)"):
        files = {"m.py": code.replace("NAME", name)}
        for call in ("rename A.X new", "add_parameter A.X k value=0", "make_async A.X", "rename A.X.n k"):
            assert [doubt[:2] for doubt in doubts(call.replace("X", "on_x"), files)] == [("m.py", 3)]
            assert doubts(call.replace("X", "off_x"), files) == []


def test_a_class_that_is_looked_up_by_a_text_is_named_with_its_constructor() -> None:
    code = (
        "class A:\n    def __init__(self, x, y): ...\n\n\ndef make(name):\n    return globals()[name](1, 2)\n"
    )
    files = {"m.py": code, "u.py": "import m\n\ngetattr(m, 'A'.upper())(1, 2)\n"}
    assert [doubt[:2] for doubt in doubts("reorder_parameters A y,x", files)] == [("m.py", 6), ("u.py", 3)]


def test_a_monkeypatch_by_assignment_follows_a_rename_and_is_named_with_a_signature() -> None:
    files = {"m.py": TWO, "test_m.py": "import m\n\nm.total = lambda x, y: 1\n"}
    assert "m.amount = " in str(texts_after("rename total amount", files)["test_m.py"])
    assert [doubt[:2] for doubt in doubts("reorder_parameters total y,x", files)] == [("test_m.py", 3)]


def test_a_module_that_is_imported_by_a_text_follows_or_is_named() -> None:
    files = {
        "shop.py": "X = 1\n",
        "p/__init__.py": "",
        "p/cart.py": "X = 1\n",
        "u.py": "from importlib import import_module\n\nimport_module('shop')\nimport_module('p.cart')\n"
        "import_module('.cart', 'p')\n",
    }
    text = str(texts_after("rename_module shop.py store", files)["u.py"])
    assert "import_module('store')" in text
    found = plan("rename_module p/cart.py basket", files)
    assert "'p.basket'" in str(found.texts(repository(files))["u.py"])
    assert [(unfollowed.path, unfollowed.line) for unfollowed in found.unfollowed] == [("u.py", 5)]


def test_a_star_import_follows_a_rename_and_keeps_what_it_needs() -> None:
    files = {"m.py": TWO, "n.py": "", "u.py": "from m import *\n\nprint(total(1, 2))\n"}
    assert "amount(1, 2)" in str(texts_after("rename total amount", files)["u.py"])
    for call in ("remove_definition total", "move_definition m.total n.py"):
        assert "u.py:3" in str(refusal(call, files))


def test_a_move_that_closes_a_circle_of_imports_is_refused() -> None:
    files = {"a.py": "def g(): ...\n\n\ndef f():\n    return g()\n\n\nX = f\n", "b.py": "import a\n"}
    assert "import each other" in str(refusal("move_definition a.f b.py", files))


@pytest.mark.parametrize(
    "call",
    [
        "sort_imports cart.py",
        "rename cart.py::total amount",
        "add_comment cart.py:1 x",
        "rename_module cart.py basket",
        "set_key cart.py a 1",
        "delete_lines cart.py:1",
    ],
)
def test_a_file_that_is_not_there_is_unknown_and_the_nearest_is_named(call: str) -> None:
    found = refusal(call)
    assert (found.why, found.nearest[:1]) == ("unknown", ("shop/cart.py",))


def test_a_namespace_that_is_looked_through_is_named_behind_a_star_import() -> None:
    files = {"p/__init__.py": "from .m import *\n", "p/m.py": TWO, "u.py": "import p\n\nnames = vars(p)\n"}
    for call in ("rename total amount", "remove_definition total"):
        assert ("u.py", 3) in [doubt[:2] for doubt in doubts(call, files)]


def test_a_string_that_may_be_made_of_a_name_is_named_where_names_are_read() -> None:
    code = "def total(): ...\n\n\nassert made(total).__name__ == 'total_made'\nsubtotal = 'subtotal'\n"
    assert [doubt[:2] for doubt in doubts("rename total amount", {"m.py": code})] == [("m.py", 4)]
    assert doubts("rename total amount", {"m.py": code.replace("__name__", "name")}) == []
