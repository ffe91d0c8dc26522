"""What runs on import is marked, and what an import needs after a move; the rest is not."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked

FILES = {
    "shop/__init__.py": "from .cart import TOTAL\n",
    "shop/cart.py": """import sys

LIMIT = 10
RATE = 3
TOTAL = RATE * 2


def helper(x):
    return x + 1


def outer(x):
    return helper(x)


READY = outer(1)


def later(x):
    return x + 1


class Cart:
    __slots__ = ("size",)

    def __init__(self, size):
        self.size = size + 1

    def add(self):
        return self.size + 2


EMPTY = Cart(0)

if sys.version_info < (3,):
    LIMIT = 11

if __name__ == "__main__":
    print(later(1) + 1)
""",
    "script.py": "def f(x):\n    return x + 1\n\n\nprint(f(1))\n",
}
MARK = "it may run when the module is imported"


def marks(call: str, files: dict[str, str] = FILES) -> list[str]:
    found = checked(plan(call, files), repository(files))
    return [one.reason for one in (*found.unfollowed, *found.findings)]


@pytest.mark.parametrize(
    "call",
    [
        "set_return helper 7",
        "change_operator 'in helper' + -",
        "change_operator 'in Cart.__init__' + -",
        "change_condition shop/cart.py:35 'x' old='sys.version_info < (3,)'",
        "set_value RATE 'None'",
        "delete_statements shop/cart.py:35-36",
    ],
)
def test_code_that_an_import_reaches_is_marked(call: str) -> None:
    assert any(mark.startswith(MARK) for mark in marks(call))


@pytest.mark.parametrize(
    "call",
    [
        "set_return later 7",
        "change_operator 'in Cart.add' + -",
        "set_value LIMIT@3 20",
        "set_value RATE 4",
        "replace_expression shop/cart.py:39 '1' '2' every=true",
        "set_return script.f 7",
        "wrap_in_try 'in later' OSError",
    ],
)
def test_other_code_is_unmarked(call: str) -> None:
    assert not marks(call)


def test_a_decorator_of_which_nothing_is_known_is_marked() -> None:
    assert "@print" in marks("add_decorator later print")[0]
    assert not marks("add_decorator later staticmethod")
    own = {"m.py": "def keep(f):\n    return f\n\n\ndef g(): ...\n"}
    assert not marks("add_decorator g keep", own)


def test_a_field_gets_its_slot() -> None:
    found = plan("add_field Cart color default=1 parameter=false", FILES)
    text = str(found.texts(repository(FILES))["shop/cart.py"])
    assert '__slots__ = ("size", "color",)' in text
    assert "self.color = 1" in text


def test_a_new_name_in_a_module_that_looks_at_its_names_is_marked() -> None:
    files = {"m.py": "def f():\n    return 'text'\n\n\nNAMES = [one for one in globals()]\n"}
    assert "its own names" in marks("extract_constant 'in f' \"'text'\" WORD", files)[0]
    assert not marks("extract_constant 'in f' \"'text'\" WORD", {"m.py": "def f():\n    return 'text'\n"})


@pytest.mark.parametrize(
    ("use", "marked"),
    [
        ("import sys\nsys.meta_path.append(Loader())", True),
        ("from threading import Timer\nTimer(interval=1, function=Loader())", True),
        ("import logging\nlogging.info('%s', Loader())", False),
        ("found = []\nfound.append(Loader())", False),
        ("from n import f\nf(Loader())", False),
    ],
)
def test_a_method_of_an_object_that_a_library_has_is_marked(use: str, marked: bool) -> None:
    files = {
        "m.py": "class Loader:\n    def find(self, name, path=None): ...\n"
        "    def own(self):\n        return 1\n",
        "u.py": f"from m import Loader\n{use}\n",
        "n.py": "def f(x):\n    return x\n",
    }
    for call in ("remove_parameter Loader.find path", "rename Loader.find seek"):
        assert any("may call its find" in mark for mark in marks(call, files)) == marked
    for call in ("annotate_parameter Loader.find name str", "annotate_return Loader.find int"):
        assert not any("may call its find" in mark for mark in marks(call, files))
    assert not marks("set_return Loader.own 2", files)


def test_a_protocol_changes_with_its_annotations() -> None:
    text = "from typing import Protocol\n\n\nclass Finds(Protocol):\n    def find(self, name): ...\n"
    found = marks("annotate_parameter Finds.find name str", {"m.py": text})
    assert any("is a protocol" in mark for mark in found)


@pytest.mark.parametrize(
    "call",
    ["add_parameter P.go x value=1", "rename P.go run", "make_async P.go", "remove_definition P.go"],
)
def test_a_protocol_that_changes_is_marked(call: str) -> None:
    files = {"m.py": "from typing import Protocol\n\n\nclass P(Protocol):\n    def go(self):\n        ...\n"}
    assert "P is a protocol: objects of other classes fit it as it was" in marks(call, files)
    assert not marks("set_docstring P.go 'Go.'", files)


def test_a_local_of_a_function_that_runs_on_import_is_marked_where_it_is_read() -> None:
    code = "def f():\n    v = int\n    w = int\n    return v()\n\n\nX = f()\n"
    files = {"p/__init__.py": "from . import m\n", "p/m.py": code}
    assert "which is not tried" in marks("set_value f.v 12345", files)[0]
    assert not marks("set_value f.w 12345", files)


def test_a_method_of_an_unknown_object_on_import_is_marked() -> None:
    code = (
        "class A:\n    def sign(self):\n        return 1\n\n    def get(self):\n        return 1\n\n\n"
        "def f(x):\n    x.get()\n    x.sign()\n\n\nf(A())\n"
    )
    files = {"p/__init__.py": "from . import m\n", "p/m.py": code}
    assert "which is not tried" in marks("set_return A.sign 2.5", files)[0]
    assert not marks("set_return A.get 2.5", files)
    files["p/o.py"] = "class B:\n    def sign(self):\n        return 2\n"
    assert not marks("set_return A.sign 2.5", files)  # it may be one of B as well


def test_a_function_that_a_string_names_in_full_may_run_on_import() -> None:
    code = "def table(md):\n    return 1\n\n\ndef other(md):\n    return 1\n"
    files = {"p/__init__.py": 'PLUGINS = {"table": "p.m.table"}\nload(PLUGINS)\n', "p/m.py": code}
    assert "which is not tried" in marks("set_return table 2.5", files)[0]
    assert not marks("set_return other 2.5", files)


def test_what_compiled_code_may_use_is_marked() -> None:
    files = {
        "p/__init__.py": "",
        "p/m.py": "def f(x):\n    return x\n",
        "p/_fast.so": "",
        "q/m.py": "A = 1\n",
    }
    assert "p/_fast.so, which is compiled, may use p/m.py" in marks("rename_module p/m.py n", files)
    assert "p/_fast.so, which is compiled, may use f" in marks("rename p.m.f g", files)
    assert not marks("rename p.m.f.x y", files)
    assert not marks("rename q/m.py::A B", files)
    del files["p/_fast.so"]
    files["p/_fast.pyx"] = "from p.m import f\n"
    assert "p/_fast.pyx, which is compiled, may use f" in marks("rename p.m.f g", files)
    files["p/_fast.pyx"] = "from p.n import g\n"
    assert not marks("rename p.m.f h", files)


def test_a_move_that_needs_another_package_or_system_is_marked() -> None:
    files = {
        "p/__init__.py": "",
        "p/a.py": "def f():\n    return 1\n",
        "p/user.py": "from p.a import f\n\nf()\n",
        "p/docs.py": "import docutils\n",
        "p/win.py": "import sys\n\nassert sys.platform == 'win32'\n",
        "p/calls.py": "import json\n\nwith open('x') as file:\n    json.load(file)\n",
        "p/plain.py": "import json\n\nif __name__ == '__main__':\n    json.loads('')\n",
        "p/stub.pyi": "def g(): ...\n",
    }
    assert "would need docutils" in " ".join(marks("move_definition p.a.f p/docs.py", files))
    assert "may raise in line 3" in " ".join(marks("move_definition p.a.f p/win.py", files))
    alone = {**files, "p/alone.py": "def g():\n    return 1\n"}
    assert "imports p/win.py" in " ".join(marks("move_definition p.alone.g p/win.py", alone))
    assert "calls json.load() in line 4" in " ".join(marks("move_definition p.a.f p/calls.py", files))
    assert not marks("move_definition p.a.f p/plain.py", files)
    assert "stub" in str(refusal("move_definition p.a.f p/stub.pyi", files))


def test_a_move_that_closes_a_circle_through_others_is_marked() -> None:
    files = {
        "a.py": "import b\n\n\ndef f():\n    return b.x\n",
        "b.py": "import c\n\nx = 1\n",
        "c.py": "y = 2\n",
    }
    assert "would import each other" in " ".join(marks("move_definition a.f c.py", files))


def test_a_move_into_the_package_that_imports_the_module_is_marked() -> None:
    files = {
        "p/__init__.py": "from .user import g\n",
        "p/user.py": "from . import tools\nfrom .tools import f\n\n\ndef g():\n    return f(tools)\n",
        "p/tools.py": "def f(x):\n    return x\n",
    }
    assert "would import each other" in " ".join(marks("move_definition f p/__init__.py", files))


@pytest.mark.parametrize(
    "call",
    [
        "change_operator m.py:1 == != left=__name__",
        "change_condition m.py:1 '1 > 0'",
        "replace_expression m.py:1 __name__ 5",
    ],
)
def test_a_main_guard_that_changes_is_marked(call: str) -> None:
    files = {"m.py": 'if __name__ == "__main__":\n    print(5 == 6)\n'}
    assert "importing the file may run the program then" in marks(call, files)
    assert not marks("change_operator m.py:2 == != left=5", files)


@pytest.mark.parametrize("call", ["rename_module p/a.py docs/made.py", "move_definition p.a.f docs/made.py"])
def test_a_move_to_a_folder_that_python_may_not_look_into_is_marked(call: str) -> None:
    files = {"p/__init__.py": "", "p/a.py": "def f(): ...\n", "p/b.py": "from p.a import f\n\nX = [f]\n"}
    assert "it is imported from docs/: does Python look there?" in marks(call, files)


def test_sorting_imports_of_which_one_leads_back_is_marked() -> None:
    files = {
        "p/__init__.py": "from p.tools import x\nfrom p.cart import y\n",
        "p/tools.py": "x = 1\n",
        "p/cart.py": "from p import x as y\n",
    }
    assert "imports it back" in marks("sort_imports p/__init__.py", files)[0]
    assert not marks("sort_imports p/__init__.py", {**files, "p/cart.py": "y = 1\n"})


def test_a_private_parameter_is_renamed_where_it_is_used() -> None:
    files = {"a.py": "class C:\n    def call(__self, __x):\n        return lambda: (__self, __x)\n"}
    text = texts_after("rename C.call.__self me", files)["a.py"]
    assert text == files["a.py"].replace("__self", "me")


def test_an_optional_of_an_alias_that_may_be_a_string_is_marked() -> None:
    files = {"a.py": "from typing import Optional\n\nName = 'int'\n\n\ndef f(x: Optional[Name]): ...\n"}
    assert "is a string" in marks("rewrite_optional 'in a.py'", files)[0]
    assert not marks("rewrite_optional 'in a.py'", {"a.py": files["a.py"].replace("[Name]", "[int]")})
    lazy = {"a.py": "from __future__ import annotations\n" + files["a.py"]}
    assert not marks("rewrite_optional 'in a.py'", lazy)


def test_a_fixture_is_renamed_with_a_mark() -> None:
    files = {"conftest.py": "import pytest\n\n\n@pytest.fixture\ndef cart():\n    return 1\n"}
    assert "fixture" in marks("rename cart basket", files)[0]


def test_an_annotation_that_a_base_class_or_decorator_may_evaluate_is_marked() -> None:
    lazy = "from __future__ import annotations\n\nimport base\n\n\n"
    changed = "change_operator shop/m.py:7 '|' '%'"
    package = {"shop/__init__.py": "from . import m\n"}
    model = f"{lazy}class Model(base.Model):\n    size: int | None\n"
    assert marks(changed, {**package, "shop/m.py": model})[0].startswith(MARK)
    decorated = f"{lazy}@base.register\ndef f(size: int | None): ...\n"
    assert marks(changed, {**package, "shop/m.py": decorated})[0].startswith(MARK)
    plain = f"{lazy}class Plain:\n    size: int | None\n"
    assert not marks(changed, {**package, "shop/m.py": plain})


def test_a_name_that_is_only_declared_has_no_value_without_its_import() -> None:
    text = "A: type\ntry:\n    from fast import A\nexcept ImportError:\n    from slow import A\n"
    for use in ("\n__all__ = ['A']\n", "print(A)\n"):
        files = {"m.py": text + use, "fast.py": "A = int\n", "slow.py": "A = int\n"}
        assert marks("delete_statements m.py:3", files) == ["A may have no value there any more"]


def test_a_name_that_is_declared_has_no_value_once_what_sets_it_is_gone() -> None:
    text = "def f(g):\n    now: int\n    now = g()\n    return now\n"
    assert marks("replace_statements m.py:3 'print(1)'", {"m.py": text}) == [
        "now may have no value there any more"
    ]
    assert marks("replace_statements m.py:3 'now = 1'", {"m.py": text}) == []


def test_names_from_a_module_that_imports_the_file_back_are_marked() -> None:
    files = {
        "a.py": "import b\n\n\ndef f():\n    return b.g()\n",
        "b.py": "import a\n\n\ndef g():\n    return 1\n",
    }
    reason = "b.py imports it back: the order of its imports may matter"
    assert marks("use_from_import a.py b", files) == [reason]
    assert marks("use_from_import a.py b", {**files, "b.py": "def g():\n    return 1\n"}) == []


def test_a_star_import_that_goes_is_marked() -> None:
    files = {"m.py": "from n import *\n\nprint(1)\n", "n.py": "x = 1\n"}
    reason = "which names the import brings, and who uses them, is not followed"
    assert reason in marks("delete_statements m.py:1", files)


def test_a_base_that_may_not_go_with_those_of_a_child_is_marked() -> None:
    text = "class A:\n    pass\n\n\nclass B(A, {}):\n    pass\n"
    assert marks("add_base A dict", {"m.py": text.format("list")}) == ["B has other bases too"]
    assert marks("add_base A dict", {"m.py": text.replace(", {}", "")}) == []


def test_a_private_field_of_a_decorated_class_is_marked() -> None:
    text = "import attr\n\n\n@attr.s\nclass A:\n    _x = attr.ib()\n\n\nA(x=1)\n"
    reason = "a decorator of A may make an argument of _x, under another name"
    assert marks("rename A._x _y", {"m.py": text}) == [reason]
    assert marks("rename A._x _y", {"m.py": "class A:\n    _x = 1\n"}) == []


def test_a_package_from_elsewhere_is_needed_where_a_file_has_its_name() -> None:
    files = {
        "p/__init__.py": "",
        "p/loops/__init__.py": "",
        "p/loops/fast.py": "import fast\n\n\ndef make():\n    return fast.new()\n",
        "p/web/__init__.py": "",
    }
    reason = "importing it would need fast too"
    assert reason in marks("move_definition p/loops/fast.py::make p/web/__init__.py", files)


def test_a_value_that_is_replaced_and_read_before_it_is_set_again_is_marked() -> None:
    text = "def f(g):\n    now = g()\n    while g():\n        print(now)\n        now = g()\n"
    reason = "now may have no value there any more"
    assert marks("replace_statements m.py:2 'print(1)'", {"m.py": text}) == [reason]
    assert marks("replace_statements m.py:2 'now = 1'", {"m.py": text}) == []


def test_names_in_the_text_of_a_type_alias_are_used() -> None:
    text = "from functools import partial\nfrom typing import TypeAlias\n\nP: TypeAlias = 'partial[int]'\n"
    assert refusal("remove_unused_imports m.py", {"m.py": text})


def test_a_form_that_is_rewritten_in_code_that_runs_on_import_is_marked() -> None:
    files = {"p/__init__.py": "from p.a import f\n\nX = f()\n", "p/a.py": "def f():\n    return max(1, 2)\n"}
    reason = "it may run when the module is imported, which is not tried"
    assert marks("rewrite 'in p/a.py' 'max(_a, _b)' 'min(_a, _b)'", files) == [reason]


def test_texts_may_change_and_constants_be_added_where_an_import_runs() -> None:
    files = {**FILES, "shop/__init__.py": "from .names import LABEL\n", "shop/names.py": NAMES}
    assert marks("replace_in_strings shop/names.py:2 old new", files) == []
    assert marks("set_entry shop/names.py:5 '\"c\"' 3 target=KNOWN", files) == []


NAMES = """def label(x):
    return x.replace("old", "")


KNOWN = {"a": 1, "b": 2}
LABEL = label("x")
"""
