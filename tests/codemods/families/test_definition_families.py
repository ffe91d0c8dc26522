"""Operations on docstrings, types, decorators, classes and extraction: before and after, and what they
refuse."""

from __future__ import annotations

import pytest
from codemods.repositories import after, changed_lines, plan, refusal, repository, swapped, texts_after

from spark_tui.codemods.checks.harm import checked

TEXT = '''import os


def f(a, b: int=2, *, c: "str" = None, d=4) -> (int):
    """Doc."""
    x = 3
    return x


class C:
    def n(self, q, r=None):
        # on top

        return q


class D(list):
    pass


def z(x, y: int):
    return x
'''


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ("set_docstring f 'New.'", '"""Doc."""', '"""New."""'),
        ("set_docstring z 'New.'", "y: int):\n", 'y: int):\n    """New."""\n'),
        ("set_docstring C.n 'New.'", "r=None):\n", 'r=None):\n        """New."""\n'),
        ("set_docstring m.py 'New.'", "import os\n", '"""New."""\n\nimport os\n'),
        ("remove_docstring f", '    """Doc."""\n', ""),
        ("annotate_parameter f a int", "f(a,", "f(a: int,"),
        ("annotate_parameter f d int", "d=4", "d: int = 4"),
        ("annotate_parameter f c 'str | None'", '"str"', "str | None"),
        ("annotate_return z 'dict[str, int]'", "y: int):", "y: int) -> dict[str, int]:"),
        ("annotate_variable f.x int", "x = 3", "x: int = 3"),
        ("remove_annotations f", 'b: int=2, *, c: "str" = None, d=4) -> (int)', "b=2, *, c=None, d=4)"),
        ("add_decorator C.n functools.cache", "    def n", "    @functools.cache\n    def n"),
        ("change_method_kind C.n class", "    def n(self,", "    @classmethod\n    def n(cls,"),
        ("change_method_kind C.n static", "    def n(self, ", "    @staticmethod\n    def n("),
        ("add_base C Base", "class C:", "class C(Base):"),
        ("add_base D Base instead_of=list", "class D(list):", "class D(Base):"),
        ("inline_variable f.x", "    x = 3\n    return x\n\n\nclass", "    return 3\n\n\nclass"),
    ],
)
def test_a_part_of_a_definition_changes_and_the_rest_stays(call: str, old: str, new: str) -> None:
    swapped(call, TEXT, (old, new))


@pytest.mark.parametrize(
    ("style", "lines"),
    [
        ("google", ["Args:", "    x: the x", "    y (int):"]),
        ("numpy", ["Parameters", "----------", "x", "    the x", "y : int"]),
        ("sphinx", [":param x: the x", ":param y:"]),
    ],
)
def test_parameters_are_documented_in_each_style(style: str, lines: list[str]) -> None:
    made = after(f"document_parameters z {style} described='x: the x' summary=Go.", TEXT)
    shown = "".join(f"    {line}\n" for line in lines)
    assert f'y: int):\n    """Go.\n\n{shown}    """\n    return x\n' in made
    assert "already has sections" in str(refusal(f"document_parameters z {style}", {"m.py": made}))


def test_a_summary_in_the_place_of_a_longer_docstring_is_marked() -> None:
    long = TEXT.replace('"""Doc."""', '"""Doc.\n\n    Args:\n        a: what it takes\n    """')
    (lost,) = plan("set_docstring f 'New.'", {"m.py": long}).unfollowed
    assert (lost.line, lost.reason) == (5, "2 lines below the summary of the docstring would go")
    for call, text in (("set_docstring f 'New.'", TEXT), ("set_docstring f 'New.\n\nMore.'", long)):
        assert not plan(call, {"m.py": text}).unfollowed


@pytest.mark.parametrize(
    "call", ["set_docstring f 'New.'", "remove_docstring f", "document_parameter f a 'it'"]
)
def test_a_docstring_that_code_reads_is_marked(call: str) -> None:
    (read,) = plan(call, {"m.py": TEXT, "n.py": "import m\n\nprint(m.f.__doc__)\n"}).unfollowed
    assert (read.path, read.line, read.reason) == ("n.py", 3, "the docstring is read there")
    assert not plan(call, {"m.py": TEXT, "n.py": "import m\n\nprint(m.g.__doc__)\n"}).unfollowed


def test_a_docstring_of_a_module_that_reads_it_is_marked() -> None:
    doubts = plan("set_docstring m.py 'New.'", {"m.py": '"""Old."""\n\nprint(__doc__)\n'}).unfollowed
    assert [doubt.line for doubt in doubts] == [3]


def test_unions_are_written_with_bars_and_their_imports_go() -> None:
    text = "from typing import Any, Optional, Union\n\n\ndef f(x: {}, y: Any): ...\n"
    old = text.format("Optional[Union[int, list[Optional[str]]]]")
    new = text.replace(", Optional, Union", "").format("int | list[str | None] | None")
    assert after("rewrite_optional 'in m.py'", old) == new


def test_a_type_that_may_be_none_is_written_in_either_form() -> None:
    text = "from typing import Optional\n\n\ndef f(x: Optional[int], y: 'Optional[str]' = None): ...\n"
    other = text.replace("x: Optional[int]", "x: int | None")
    assert after("rewrite_optional 'in m.py'", text) == other
    assert after("rewrite_optional 'in m.py' optional", other) == text


def test_a_property_takes_the_brackets_of_its_calls_away_everywhere() -> None:
    files = {
        "m.py": "class P:\n    def total(self):\n        return 1\n",
        "n.py": "from m import P\n\nprint(P().total( ) + 1)\n",
    }
    found = plan("make_property P.total", files)
    assert found.texts(repository(files))["n.py"] == "from m import P\n\nprint(P().total + 1)\n"
    assert checked(found, repository(files)).findings == ()
    files["n.py"] += "f = P().total\n"
    assert "n.py:4" in str(refusal("make_property P.total", files))


CLASS = '''class P:
    """Point."""

    def __init__(self, x: int, y=2):
        self.x = x
        self.y = y


class Q(object):
    pass
'''


def test_methods_and_fields_stand_after_the_others() -> None:
    method = "def area(self):\n    return self.x"
    shown = "\n    def area(self):\n        return self.x\n"
    assert after(f"add_method P '{method}'", CLASS) == CLASS.replace("self.y = y\n", f"self.y = y\n{shown}")
    assert after(f"add_method Q '{method}'", CLASS) == CLASS.replace("    pass\n", shown[1:])
    wanted = CLASS.replace("y=2):", "y=2, z: int = 3):").replace(
        "self.y = y\n", "self.y = y\n        self.z = z\n"
    )
    assert after("add_field P z int default=3", CLASS) == wanted
    assert after("add_field P z default='[]' parameter=false", CLASS) == CLASS.replace(
        "self.y = y\n", "self.y = y\n        self.z = []\n"
    )


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("repr", 'return f"P(x={self.x!r}, y={self.y!r})"'),
        ("eq", "return (self.x, self.y) == (other.x, other.y)"),
        ("hash", "return hash((self.x, self.y))"),
        ("len attribute=x", "return len(self.x)"),
    ],
)
def test_special_methods_are_written_from_the_attributes(method: str, says: str) -> None:
    assert changed_lines(f"add_special_method P {method}", {"m.py": CLASS})["m.py"][-1] == says


def test_a_class_that_only_stores_becomes_a_dataclass() -> None:
    wanted = CLASS.replace("class P", "from dataclasses import dataclass\n\n\n@dataclass\nclass P").replace(
        "    def __init__(self, x: int, y=2):\n        self.x = x\n        self.y = y\n",
        "    x: int\n    y: int = 2\n",
    )
    assert after("to_dataclass P", CLASS) == wanted
    assert len(plan("to_dataclass P", {"m.py": CLASS}).unfollowed) == 2


FLOW = """import os


def f(a, b):
    c = a + b * 2
    for i in range(3):
        d = c + i
        print(d, 10)
    return c + 10


class K:
    def m(self, q):
        t = self.x + q  # sum
        u = t * 2
        return u
"""


@pytest.mark.parametrize(
    ("call", "pairs"),
    [
        (
            "extract_variable m.py:5 'b * 2' twice",
            [("    c = a + b * 2", "    twice = b * 2\n    c = a + twice")],
        ),
        ("inline_variable K.m.u", [("        u = t * 2\n        return u", "        return t * 2")]),
        (
            "extract_constant 'in f' 10 TEN",
            [("import os\n", "import os\n\nTEN = 10\n"), ("(d, 10)", "(d, TEN)"), ("c + 10", "c + TEN")],
        ),
        (
            "extract_function m.py:7-8 show",
            [
                ("        d = c + i\n        print(d, 10)\n", "        show(c, i)\n"),
                (
                    "    return c + 10\n",
                    "    return c + 10\n\n\ndef show(c, i):\n    d = c + i\n    print(d, 10)\n",
                ),
            ],
        ),
        (
            "extract_function m.py:14 both",
            [
                ("        t = self.x + q  # sum\n", "        t = self.both(q)\n"),
                (
                    "        return u\n",
                    "        return u\n\n    def both(self, q):\n"
                    "        t = self.x + q  # sum\n        return t\n",
                ),
            ],
        ),
    ],
)
def test_code_is_extracted_and_inlined(call: str, pairs: list[tuple[str, str]]) -> None:
    swapped(call, FLOW, *pairs)


def test_a_local_may_have_a_name_that_other_functions_use() -> None:
    old = "def f(a):\n    return a + 1\n\n\ndef g(count, b=2):\n    return [count, b]\n"
    new = old.replace("    return a + 1\n", "    count = a + 1\n    return count\n")
    assert after("extract_variable 'in f' 'a + 1' count", old) == new
    assert refusal("extract_variable 'in g' '[count, b]' count", {"m.py": old}).reason.endswith("used in g")


SLOTTED = "class S:\n    size = 1\n\n    def load(self, a):\n        self.a = a\n        self.b = 2\n"


def test_attributes_that_any_method_sets_and_that_have_no_slot_are_named() -> None:
    found = plan("add_field S __slots__ default=\"('a',)\" parameter=false", {"m.py": SLOTTED})
    assert [unfollowed.reason for unfollowed in found.unfollowed] == ["self.b is set and has no slot"]


@pytest.mark.parametrize(
    ("call", "text", "reason"),
    [
        ("set_docstring f Doc.", TEXT, "already"),
        ("remove_docstring z", TEXT, "no docstring"),
        ("annotate_parameter f q int", TEXT, "no parameter q"),
        ("annotate_return z '1 +'", TEXT, "not a valid expression"),
        ("change_method_kind K.m static", FLOW, "uses its object"),
        ("make_property C.n", TEXT, "takes parameters"),
        ("add_method P 'x = 1'", CLASS, "write one method"),
        ("add_special_method Q repr", CLASS, "no attributes"),
        ("add_special_method P len", CLASS, "say which"),
        ("add_field P x", CLASS, "already has x"),
        ("add_field S __slots__ default=None parameter=false", SLOTTED, "names of attributes"),
        (
            "add_field S __slots__ default=\"('a', 'size')\" parameter=false",
            SLOTTED,
            "size has a value in the class",
        ),
        ("to_dataclass Q", CLASS, "no plain __init__"),
        ("extract_variable m.py:5 'b * 2' a", FLOW, "already used in"),
        ("extract_variable 'in f' '10' ten", FLOW, "several statements"),
        ("extract_function m.py:14-16 go", FLOW, "return cannot move"),
        ("inline_variable K.m.t", FLOW, "comment"),
        ("inline_variable f.c", FLOW, "might be another one"),
        ("extract_constant 'in f' '[1]' ONE", FLOW, "mutable"),
        ("remove_base Q P", CLASS, "no base P"),
        ("add_base Q list instead_of=P", CLASS, "no base P"),
    ],
)
def test_what_cannot_be_exact_is_refused_with_its_reason(call: str, text: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": text}))


def test_a_name_that_is_only_annotated_is_not_passed_to_an_extracted_function() -> None:
    text = "def f(a):\n    b: int\n    if a:\n        b = g()\n    else:\n        b = 2\n    return b\n"
    made = str(texts_after("extract_function m.py:4 made", {"m.py": text})["m.py"])
    assert "        b = made()\n" in made and "def made():\n    b = g()\n    return b\n" in made


def test_an_expression_that_runs_only_sometimes_is_not_extracted() -> None:
    text = "def f(a):\n    return a and a.b()\n"
    assert "depends on" in str(refusal("extract_variable 'in f' 'a.b()' found", {"m.py": text}))


def test_an_annotation_that_is_not_evaluated_gets_no_variable() -> None:
    text = "from __future__ import annotations\n\nA: dict[str, int]\nB = 1\n"
    assert "annotation" in str(refusal("extract_variable m.py:3 'dict[str, int]' Sizes", {"m.py": text}))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("remove_decorator C dataclass", "without @dataclass"),
        ("remove_decorator f functools.lru_cache", "f.cache_clear belongs to the decorator"),
        ("remove_decorator run click.command", "what @click.command() makes of run"),
        ("add_decorator C.total property", "with @property the call means something else"),
        ("remove_decorator C.total override", ""),
        ("add_decorator C.other property", ""),
    ],
)
def test_a_decorator_that_changes_the_uses_is_marked(call: str, reason: str) -> None:
    code = (
        "import functools\nfrom dataclasses import dataclass\nfrom typing import override\nimport click\n\n\n"
        "@functools.lru_cache(None)\ndef f():\n    return 1\n\n\n"
        "@click.command()\ndef run():\n    return 1\n\n\n@dataclass\nclass C:\n    x: int\n\n"
        "    @override\n    def total(self):\n        return self.x\n\n"
        "    def other(self):\n        return self.x\n\n\nf.cache_clear()\nC(1).total()\n"
    )
    found = [unfollowed.reason for unfollowed in plan(call, {"m.py": code}).unfollowed]
    assert [reason in item for item in found] == ([True] if reason else []), found


OVERLOADED = """from typing import overload


@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a):
    return a
"""


@pytest.mark.parametrize(
    ("call", "new"),
    [
        ("set_docstring f 'Say it.'", 'def f(a):\n    """Say it."""\n    return a\n'),
        (
            "add_guard 'in f' 'a is None' 'raise ValueError(1)'",
            "def f(a):\n    if a is None:\n        raise ValueError(1)\n    return a\n",
        ),
    ],
)
def test_of_overloads_the_function_that_is_run_is_meant(call: str, new: str) -> None:
    texts = texts_after(call, {"m.py": OVERLOADED})
    assert texts["m.py"] == OVERLOADED.replace("def f(a):\n    return a\n", new)


@pytest.mark.parametrize("call", ["add_decorator f cache", "make_async f"])
def test_what_overloads_must_share_is_not_changed_in_one(call: str) -> None:
    assert "defined more than once" in str(refusal(call, {"m.py": OVERLOADED}))


def test_a_cache_goes_below_what_makes_a_property_of_a_function() -> None:
    text = "class C:\n    @property\n    def size(self):\n        return 1\n"
    wanted = text.replace("    def", "    @cache\n    def")
    assert after("add_decorator C.size cache", text).endswith(wanted)


def test_a_section_follows_the_text_of_a_docstring_that_ends_with_blank_lines() -> None:
    text = TEXT.replace('"""Doc."""', '"""Doc.\n\n    """')
    made = after("document_parameter f a 'it'", text)
    assert '"""Doc.\n\n    Args:\n        a: it\n    """' in made


def test_a_parameter_is_described_in_front_of_the_one_that_takes_the_rest() -> None:
    text = 'def f(a, **more):\n    """Doc.\n\n    :param \\\\*\\\\*more: the rest\n    """\n'
    made = after("document_parameter f a 'it'", text)
    assert made.index(":param a: it") < made.index("more: the rest")


def test_a_docstring_that_shows_a_renamed_parameter_as_code_follows() -> None:
    text = 'def f(a, b):\n    """`a` or ``a``, but not a, `a + 1` or ```a```."""\n    return a\n'
    made = after("rename f.a c", text)
    assert made == 'def f(c, b):\n    """`c` or ``c``, but not a, `a + 1` or ```a```."""\n    return c\n'


def test_a_constant_takes_no_place_of_a_type() -> None:
    old = "def f(x: Literal['a'], y: 'a') -> 'a':\n    z: 'a' = 'a'\n    return x == 'a'\n"
    new = "NAME = 'a'\n\n\ndef f(x: Literal['a'], y: 'a') -> 'a':\n    z: 'a' = NAME\n    return x == NAME\n"
    assert after("extract_constant 'in f' \"'a'\" NAME", old) == new


def test_a_constant_does_not_come_between_another_one_and_its_text() -> None:
    old = 'SIZE = 3\n"""How large it is."""\n\n\ndef f(cols):\n    return cols or 80\n'
    new = old.replace('is."""\n', 'is."""\nCOLS = 80\n').replace("or 80", "or COLS")
    assert after("extract_constant 'in f' 80 COLS", old) == new
