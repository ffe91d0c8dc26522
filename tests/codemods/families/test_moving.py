"""A definition moves to another module and its imports follow."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked

FILES = {
    "shop/__init__.py": "from .cart import total\n",
    "shop/cart.py": """import json
from decimal import Decimal as D

RATE = 2
TAX = 3


# about helper
def helper(x):
    return json.dumps(D(x))


def total(cart):
    return helper(cart) * RATE * TAX


def lone(x: "D"):
    return x
""",
    "shop/tools.py": "import os\n\n\ndef first(x):\n    return os.path.join(x)\n",
    "app.py": "from shop.cart import lone, total\nimport shop.cart\n\nlone(1)\nprint(shop.cart.helper(2))\n",
    "b.py": "def f():\n    from shop.cart import lone as alone\n    return alone\n",
}


def moved(call: str) -> dict[str, str | None]:
    found = checked(plan(call, FILES), repository(FILES))
    assert found.findings == ()
    return {path: found.texts(repository(FILES)).get(path, text) for path, text in FILES.items()}


def test_a_special_name_of_a_module_stays_where_it_is() -> None:
    files = {"m.py": "def __getattr__(name):\n    return 1\n", "n.py": ""}
    for call in (
        "move_definition m.__getattr__ n.py",
        "rename m.__getattr__ f",
        "remove_definition m.__getattr__",
    ):
        assert "__getattr__" in str(refusal(call, files))


def test_an_import_with_a_fallback_stays_for_those_who_import_it_from_there() -> None:
    text = "try:\n    from fast import f\nexcept ImportError:\n    f = None\n\n\ndef g():\n    return f\n"
    files = {"m.py": text, "n.py": ""}
    new = texts_after("move_definition m.g n.py", files)
    assert new["m.py"] == text[: text.index("\n\n\ndef g")] + "\n"
    assert str(new["n.py"]).startswith("from m import f\n")


def test_overloads_do_not_part() -> None:
    text = "from typing import overload\n@overload\ndef f(x: int): ...\ndef f(x):\n    return x\n"
    assert "more than once" in str(refusal("move_definition m.f@4 n.py", {"m.py": text, "n.py": ""}))


def test_an_attribute_of_an_unknown_object_is_named_where_it_may_be_the_definition() -> None:
    files = {
        "m.py": "def total(x):\n    return x\n\n\ndef add(x):\n    return x\n",
        "n.py": "",
        "u.py": "from importlib import import_module\n\n\ndef f(name):\n    m = import_module(name)\n"
        "    m.total(1)\n    return m.add(1)\n",
    }
    for call in ("move_definition m.total n.py", "rename m.total amount"):
        assert [(unfollowed.path, unfollowed.line) for unfollowed in plan(call, files).unfollowed] == [
            ("u.py", 6)
        ]
    assert not plan("rename m.add plus", files).unfollowed


def test_a_test_that_moves_to_a_file_with_other_needs_is_named() -> None:
    files = {"test_m.py": "def test_a():\n    assert 1\n", "test_n.py": "import freezegun\n", "test_o.py": ""}
    assert "freezegun" in str(plan("move_definition test_m.test_a test_n.py", files).unfollowed)
    assert not plan("move_definition test_m.test_a test_o.py", files).unfollowed


def test_importers_name_the_new_module_also_inside_of_functions() -> None:
    texts = moved("move_definition lone shop/tools.py")
    assert texts["app.py"] == FILES["app.py"].replace(
        "import lone, total\nimport shop.cart\n",
        "import total\nimport shop.cart\nfrom shop.tools import lone\n",
    )
    assert texts["b.py"] == FILES["b.py"].replace("shop.cart", "shop.tools")
    assert texts["shop/cart.py"] == FILES["shop/cart.py"].replace('\n\ndef lone(x: "D"):\n    return x\n', "")
    assert (
        texts["shop/tools.py"]
        == FILES["shop/tools.py"].replace("import os\n", "import os\nfrom decimal import Decimal as D\n")
        + '\n\ndef lone(x: "D"):\n    return x\n'
    )


def test_the_old_module_imports_what_it_still_uses_and_loses_imports_that_moved() -> None:
    texts = moved("move_definition helper shop/tools.py")
    assert texts["shop/cart.py"] == FILES["shop/cart.py"].replace(
        "import json\nfrom decimal import Decimal as D\n",
        "from decimal import Decimal as D\n\nfrom shop.tools import helper\n",
    ).replace("# about helper\ndef helper(x):\n    return json.dumps(D(x))\n\n\n", "")
    assert "# about helper\ndef helper" in str(texts["shop/tools.py"])
    assert texts["app.py"] == FILES["app.py"].replace(
        "import shop.cart\n", "import shop.cart\nfrom shop.tools import helper\n"
    ).replace("shop.cart.helper(2)", "helper(2)")


def test_names_of_the_old_module_come_in_one_import() -> None:
    text = str(moved("move_definition total shop/tools.py")["shop/tools.py"])
    assert text.startswith("import os\n\nfrom shop.cart import RATE, TAX, helper\n\n\ndef first")


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("move_definition total shop/cart.py", "is already there"),
        ("move_definition total nothing.txt", "not the path of a Python file"),
        ("move_definition nothing app.py", "no symbol"),
        ("move_definition helper app.py", "import each other"),
    ],
)
def test_what_cannot_move_is_refused_with_its_reason(call: str, reason: str) -> None:
    assert reason in str(refusal(call, FILES))


def test_a_name_that_means_something_else_in_the_new_module_is_refused() -> None:
    files = {
        "a.py": "RATE = 1\n\n\ndef f():\n    return RATE\n",
        "b.py": "RATE = 2\n",
        "c.py": "def f(): ...\n",
    }
    assert "something else" in str(refusal("move_definition a.f b.py", files))
    assert "exists already" in str(refusal("move_definition a.f c.py", files))


@pytest.mark.parametrize("there", ["", '"""Text."""\n', "import json\n"])
def test_a_definition_stands_below_the_imports_that_it_brings(there: str) -> None:
    files = {
        "p/__init__.py": "",
        "p/a.py": "from json import loads\nfrom os import sep\n\n\ndef f(x: sep):\n    return loads(x)\n",
        "p/b.py": there,
    }
    text = texts_after("move_definition p.a.f p/b.py", files)["p/b.py"] or ""
    assert text.index("import loads") < text.index("import sep") < text.index("def f")
    assert "\n\n\ndef f(x: sep):" in text


def test_a_definition_moves_into_a_file_that_is_not_there_yet() -> None:
    files = {
        "a.py": "import math\n\n\ndef f(x):\n    return math.ceil(x)\n",
        "b.py": "from a import f\n\nprint(f(2))\n",
    }
    texts = texts_after("move_definition f rules.py", files)
    assert texts["rules.py"] == files["a.py"]
    assert texts["b.py"] == "from rules import f\n\nprint(f(2))\n"
    assert "f" not in (texts["a.py"] or "")


def test_a_move_below_a_use_that_runs_on_import_is_marked() -> None:
    files = {"a.py": "def f():\n    return 1\n", "b.py": "from a import f\n\nX = f()\n"}
    reason = "uses f above where it would be defined"
    assert reason in [unfollowed.reason for unfollowed in plan("move_definition a.f b.py", files).unfollowed]
    files["b.py"] = "from a import f\n\n\ndef g():\n    return f()\n"
    assert plan("move_definition a.f b.py", files).unmarked


def test_a_module_does_not_import_from_itself_what_is_moved_into_it_uses() -> None:
    files = {
        "b.py": "def g():\n    return 1\n",
        "a.py": "from b import g as h\n\n\ndef f():\n    return h()\n",
    }
    assert "would have to import h from itself" in str(refusal("move_definition a.f b.py", files))
    files["a.py"] = files["a.py"].replace(" as h", "").replace("h()", "g()")
    assert texts_after("move_definition a.f b.py", files)["b.py"].count("import") == 0


USER = "def g():\n    return 1\n\n\ndef f():\n    return g()\n"
BODY = "\n\ndef f():\n    return g()\n"


@pytest.mark.parametrize(
    ("there", "after"),
    [
        (
            "from a import f\n\n\ndef h():\n    return f()\n",
            "from a import g\n\n\ndef h():\n    return f()\n",
        ),
        ("from a import (\n    f\n)\n", "from a import (\n    g\n)\n"),
        ("from a import f, k\n\nX = k\n", "from a import g, k\n\nX = k\n"),
        ("from a import k, f\n\nX = k\n", "from a import k, g\n\nX = k\n"),
        (
            "import a\n\n\ndef h():\n    return a.f()\n",
            "import a\nfrom a import g\n\n\ndef h():\n    return f()\n",
        ),
        ("import a as x\n\nK = x.k\n", "import a as x\nfrom a import g\n\nK = x.k\n"),
        (
            "def h():\n    from a import f\n    return f()\n",
            "from a import g\n\n\ndef h():\n    return f()\n",
        ),
    ],
)
def test_what_the_definition_uses_is_imported_where_its_module_is_imported_already(
    there: str, after: str
) -> None:
    files = {"a.py": "k = 1\n\n\n" + USER, "b.py": there}
    found = checked(plan("move_definition a.f b.py", files), repository(files))
    texts = found.texts(repository(files))
    assert found.unmarked
    assert (texts["a.py"], texts["b.py"]) == (files["a.py"].replace(BODY, ""), after + BODY)


@pytest.mark.parametrize(("line", "shown"), [("import a\n", "a.g()"), ("import a as x\n", "x.g()")])
def test_a_used_name_that_means_something_else_is_reached_through_its_module(line: str, shown: str) -> None:
    files = {"a.py": USER, "b.py": line + "g = 2\n"}
    texts = texts_after("move_definition a.f b.py", files)
    assert texts["b.py"] == files["b.py"] + BODY.replace("g()", shown)
    files["b.py"] = files["b.py"].replace("g = 2", "g = 2\n\n\ndef x(a): ...")
    files["a.py"] = files["a.py"].replace("return g()", "a = x = g()\n    return a, x")
    assert "something else" in str(refusal("move_definition a.f b.py", files))


@pytest.mark.parametrize("there", ["from a import f\n\nX = 1\n", "import a\n\nX = a.f\n", "X = 2\n"])
def test_a_module_that_needs_what_moves_away_and_is_needed_by_it_is_refused(there: str) -> None:
    files = {"a.py": USER + "\n\ndef k():\n    return f()\n", "b.py": there}
    assert "would import each other" in str(refusal("move_definition a.f b.py", files))


def test_uses_behind_a_module_become_the_name_that_is_imported_from_the_new_one() -> None:
    files = {
        "p/__init__.py": "",
        "p/a.py": "import os\n\nX = os.sep\n\n\ndef f():\n    return 1\n",
        "p/b.py": "",
        "c.py": "import p.a\nfrom p import a as it\n\nprint(p.a.f(), it.f)\n",
        "d.py": "from p import a\n\nf = a.f()\n",
    }
    found = plan("move_definition p.a.f p/b.py", files)
    texts = found.texts(repository(files))
    assert texts["c.py"] == "import p.a\nfrom p import a as it\nfrom p.b import f\n\nprint(f(), f)\n"
    assert "d.py" not in texts
    assert texts["p/a.py"] == "import os\n\nfrom p.b import f\n\nX = os.sep\n"
    assert [(unfollowed.path, unfollowed.line) for unfollowed in found.unfollowed] == [("d.py", 3)]


def test_strings_that_name_what_moves_follow_and_are_named() -> None:
    files = {
        "a.py": "def f():\n    return 1\n",
        "b.py": "",
        "test_a.py": """import a


def test_it(mocker, monkeypatch):
    mocker.patch("a.f", return_value=2)
    monkeypatch.setattr(a, "f", 3)
""",
    }
    found = plan("move_definition a.f b.py", files)
    assert '"b.f"' in str(found.texts(repository(files))["test_a.py"])
    assert [(unfollowed.path, unfollowed.line) for unfollowed in found.unfollowed] == [
        ("test_a.py", 5),
        ("test_a.py", 6),
    ]


def test_a_move_into_a_package_that_imports_back_is_marked() -> None:
    files = {
        "own/__init__.py": "from .cmp import compare\n",
        "own/cmp.py": "def init():\n    return 1\n\n\ndef compare():\n    return init()\n",
        "other/__init__.py": "from own import compare\n",
        "other/errors.py": "LIMIT = 5\n",
    }
    (doubt,) = plan("move_definition own/cmp.py::init other/errors.py", files).unfollowed
    assert doubt.reason == "it and other/errors.py would import each other"


def test_an_import_inside_of_a_function_closes_no_circle() -> None:
    files = {
        "a.py": "def f():\n    return 1\n\n\ndef k():\n    return f()\n",
        "b.py": "def h():\n    from a import k\n\n    return k()\n",
    }
    found = plan("move_definition a.f b.py", files)
    assert found.unmarked
    assert (found.texts(repository(files))["a.py"] or "").startswith("from b import f\n")


def test_a_variable_moves_to_the_top_with_what_describes_it() -> None:
    described, used = '# how long\nLIMIT = 3\n"""Seconds."""\n', "\n\ndef f(x):\n    return x < LIMIT\n"
    files = {
        "m.py": f"import os\n\n{described}{used}",
        "n.py": '"""N."""\n\nDAYS = 7\n\n\ndef g():\n    return 1\n',
        "o.py": "import m\n\nprint(m.LIMIT)\n",
    }
    texts = texts_after("move_definition m.LIMIT n.py", files)
    assert texts["m.py"] == f"import os\n\nfrom n import LIMIT\n{used}"
    assert texts["n.py"] == f'"""N."""\n\nDAYS = 7\n{described}\n\ndef g():\n    return 1\n'
    assert texts["o.py"] == "import m\nfrom n import LIMIT\n\nprint(LIMIT)\n"
    again = {"m.py": "a = 1\na = 2\n", "n.py": ""}
    assert "one plain assignment" in str(refusal("move_definition m.a n.py", again))


def test_a_variable_that_is_made_of_its_new_module_goes_below_that() -> None:
    files = {
        "m.py": "from n import One\n\nALL = [One]\n",
        "n.py": "class One:\n    pass\n",
    }
    text = str(texts_after("move_definition m.ALL n.py", files)["n.py"])
    assert text == "class One:\n    pass\n\n\nALL = [One]\n"


def test_an_import_that_only_the_moved_one_used_goes_though_others_import_that_name_elsewhere() -> None:
    files = {
        "a.py": "import sys\n\nfrom b import rate\n\n\ndef f(x):\n    return rate(x), sys.argv\n",
        "b.py": "def rate(x):\n    return x\n",
        "test_a.py": "import a\nfrom b import rate\n\nassert rate(a.f)\n",
    }
    texts = plan("move_definition f c.py", files).texts(repository(files))
    assert texts["c.py"] == files["a.py"]
    assert "rate" not in (texts["a.py"] or "")


def test_the_first_imports_of_a_file_are_one_block() -> None:
    files = {
        "m.py": "from decimal import Decimal\nfrom typing import NamedTuple\n\n\n"
        "class Line(NamedTuple):\n    price: Decimal\n",
        "n.py": "class Error(Exception):\n    pass\n",
    }
    text = texts_after("move_definition m.Line n.py", files)["n.py"] or ""
    assert text.startswith("from decimal import Decimal\nfrom typing import NamedTuple\n\n\nclass Error")


@pytest.mark.parametrize(
    ("head", "written"), [("from .prices import rate", ".helpers"), ("", "shop.helpers")]
)
def test_a_package_that_imports_relatively_goes_on_to_do_so(head: str, written: str) -> None:
    code = f"{head}\n\n\ndef total(x):\n    return helper(x)\n\n\ndef helper(x):\n    return x\n"
    code += "\n\nUSED = rate\n" if head else ""
    files = {"shop/__init__.py": "", "shop/prices.py": "rate = 1\n", "shop/cart.py": code}
    after = texts_after("move_definition shop/cart.py::helper shop/helpers.py", files)
    assert f"from {written} import helper\n" in str(after["shop/cart.py"])
    files["shop/helpers.py"] = "import json\n\nprint(json)\n"
    files["shop/use.py"] = "from .cart import helper\n\nprint(helper(1))\n"
    after = texts_after("move_definition shop/cart.py::helper shop/helpers.py", files)
    assert "from .helpers import helper\n" in str(after["shop/use.py"])
