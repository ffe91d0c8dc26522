"""Problems that checks report, and the fixes that are offered for them without a language model."""

import tomllib
from pathlib import Path

import pytest

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.fixes.seen_error import classify_error, error_patterns
from spark_tui.problems.describe import fix_request
from spark_tui.problems.problem import Frame, Problem
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CASES = tomllib.loads(Path(__file__).with_name("problem_fixes.toml").read_text())["fix"]


def fixed(texts, problem, root=Path("/nowhere")):
    """The answer to the request for a fix, without a reader, and the texts of `shop.py` that are offered."""
    repo = Repository(DictTree(texts))
    for path, text in texts.items():
        root.mkdir(exist_ok=True)
        (root / path).write_text(text)
    request = fix_request("pytest -q", [problem], root, root)
    found = answer(request, None, Situation(repo, problem.path), None)
    return found, [way.plan.texts(repo).get("shop.py", "") for way in found.ways]


def line_of(text, part):
    return next(at for at, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_problem_is_fixed(case, tmp_path):
    text = case["code"].lstrip("\n")
    problem = Problem("pytest", case["said"], "shop.py", line_of(text, case["at"]), test="test_shop")
    found, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert any(case["gives"] in new for new in offered), (found.kind, found.reason, offered)


def test_where_several_fixes_are_as_likely_there_is_a_choice(tmp_path):
    text = "def total(prices, pieces):\n    return sum(pices)\n"
    problem = Problem("python", "NameError: name 'pices' is not defined", "shop.py", 2)
    found, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert found.kind == "choices"
    assert {"sum(prices)", "sum(pieces)"} <= {new.split("return ")[1].strip() for new in offered}
    assert all(way.title and way.marked for way in found.ways)


def test_a_name_that_differs_from_another_one_by_its_first_letter_only_is_found(tmp_path):
    text = "class Compose:\n    pass\n\n\ndef compose():\n    return 1\n\n\nprint(compoes())\n"
    problem = Problem("python", "NameError: name 'compoes' is not defined", "shop.py", 9)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert "print(compose())" in offered[0]


def test_a_name_of_the_code_is_misspelled_sooner_than_one_that_python_has(tmp_path):
    text = "def found(lost):\n    return lst\n"
    problem = Problem("python", "NameError: name 'lst' is not defined", "shop.py", 2)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert "return lost" in offered[0]


@pytest.mark.parametrize(
    ("text", "line", "left"),
    [
        ("def area(width width):\n    return 1\n", 1, 0),
        ("x = 1\n  return x\n", 2, 0),
        ("def f(a, b):\n    return a\n\n\n   return 2\n", 5, 2),
    ],
)
def test_a_repair_that_only_parses_is_not_offered(text, line, left, tmp_path):
    problem = Problem("python", "SyntaxError: invalid syntax", "shop.py", line)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert len(offered) == left
    for new in offered:
        compile(new, "shop.py", "exec")


@pytest.mark.parametrize("path", ["/usr/lib/python3/json/decoder.py", "gone.py", ""])
def test_a_problem_in_a_file_that_is_not_here_is_said_to_have_no_fix(path, tmp_path):
    problem = Problem("python", "NameError: name 'json' is not defined", path, 3 if path else 0)
    found, _ = fixed({"shop.py": "x = 1\n"}, problem, tmp_path)
    assert found.kind == "cannot" and not found.ways


def test_a_fix_that_is_sure_has_no_mark(tmp_path):
    text = "import sys\n\n\ndef load(path):\n    return json.loads(path)\n"
    problem = Problem("python", "NameError: name 'json' is not defined", "shop.py", 5)
    found, _ = fixed({"shop.py": text}, problem, tmp_path)
    assert found.kind == "edit" and not found.ways[0].marked


def test_a_problem_that_nothing_is_known_to_fix_is_said_to_be_one(tmp_path):
    problem = Problem("python", "ValueError: negative: -1", "shop.py", 1)
    found, _ = fixed({"shop.py": "print(int('x'))\n"}, problem, tmp_path)
    assert found.kind == "cannot" and "No exact fix" in found.reason


def test_the_name_is_imported_as_other_files_import_it(tmp_path):
    texts = {"shop.py": "total = Cart()\n", "a.py": "from lib.cart import Cart\n", "b.py": "x = 1\n"}
    problem = Problem("python", "NameError: name 'Cart' is not defined", "shop.py", 1)
    _, offered = fixed(texts, problem, tmp_path)
    assert "from lib.cart import Cart\n" in offered[0]


def test_the_exception_that_a_test_expects_is_raised(tmp_path):
    texts = {
        "shop.py": "def check(number):\n    if number < 0:\n        raise TypeError(number)\n",
        "test_shop.py": "def test_check():\n    with pytest.raises(ValueError):\n        check(-1)\n",
    }
    frames = (Frame("test_shop.py", 3, "test_check"), Frame("shop.py", 3, "check"))
    problem = Problem("pytest", "TypeError: -1", "shop.py", 3, test="test_check", frames=frames)
    _, offered = fixed(texts, problem, tmp_path)
    assert "raise ValueError(number)" in offered[0]


def test_the_handler_of_a_caller_is_found_by_the_frames(tmp_path):
    text = (
        "def load(table):\n    return table['a']\n\n\n"
        "def show(table):\n    try:\n        return load(table)\n"
        "    except ValueError:\n        return ''\n"
    )
    frames = (Frame("shop.py", 7, "show"), Frame("shop.py", 2, "load"))
    problem = Problem("python", "KeyError: 'a'", "shop.py", 2, frames=frames)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert any("except (ValueError, KeyError):" in new for new in offered)


def test_an_attribute_that_other_objects_have_is_no_slip(tmp_path):
    text = "def show(day):\n    return day.month\n\n\ndef other(day):\n    return day.month, day.months\n"
    problem = Problem("python", "AttributeError: 'str' object has no attribute 'month'", "shop.py", 2)
    found, _ = fixed({"shop.py": text}, problem, tmp_path)
    assert found.kind == "cannot"


def test_a_fix_that_breaks_something_else_is_not_offered(tmp_path):
    texts = {
        "shop.py": "def price(item, rate):\n    return item * rate\n\n\nprint(price(1))\n",
        "other.py": "from shop import price\n\nprint(price(1, 2))\n",
    }
    problem = Problem(
        "python", "TypeError: price() missing 1 required positional argument: 'rate'", "shop.py", 5
    )
    found, offered = fixed(texts, problem, tmp_path)
    assert offered and all("def price(item, rate" in new for new in offered)
    assert all(not any(finding.sure for finding in way.plan.findings) for way in found.ways)


def test_no_return_is_put_before_a_call_behind_which_the_function_goes_on(tmp_path):
    text = (
        "def parse(parser, text):\n    if text:\n        parser.Parse(text)\n    else:\n"
        "        parser.warn('empty')\n    return parser.root\n\n\n"
        "def test_parse():\n    assert parse(PARSER, 'a')['b'] == 1\n"
    )
    problem = Problem("pytest", "TypeError: 'NoneType' object is not subscriptable", "shop.py", 10)
    found, _ = fixed({"shop.py": text}, problem, tmp_path)
    assert found.kind == "cannot"


def test_no_guard_is_put_before_a_line_that_looks_at_the_value_in_some_cases_only(tmp_path):
    text = "def expire(links, time):\n    while links and time < links[0]:\n        links.pop(0)\n"
    said = "TypeError: '<' not supported between instances of 'NoneType' and 'int'"
    found, _ = fixed({"shop.py": text}, Problem("pytest", said, "shop.py", 2), tmp_path)
    assert found.kind == "cannot"


def test_no_import_is_offered_that_leads_back_to_the_file(tmp_path):
    texts = {
        "shop.py": "def total():\n    return rates\n",
        "lib.py": "from shop import total\n\n\ndef rates():\n    return total()\n",
        "use.py": "from lib import rates\n",
    }
    problem = Problem("python", "NameError: name 'rates' is not defined", "shop.py", 2)
    _, offered = fixed(texts, problem, tmp_path)
    assert not any("import" in new for new in offered)
    texts["lib.py"] = "def rates():\n    return 1\n"
    _, offered = fixed(texts, problem, tmp_path)
    assert "from lib import rates\n" in offered[0]


def test_an_error_that_a_test_quotes_is_not_about_the_calls_of_the_test(tmp_path):
    text = "def test_cron():\n    assert cron(text)\n"
    said = "AssertionError: assert Failed(why='len() takes exactly one argument (2 given)')"
    found, _ = fixed({"shop.py": text}, Problem("pytest", said, "shop.py", 2), tmp_path)
    assert found.kind == "cannot"


def test_a_call_that_does_not_fit_elsewhere_keeps_no_file_from_being_repaired(tmp_path):
    text = "def price(item):\n    return item\n\n\nprint(price())\n\n\ndef total(items)\n    return items\n"
    problem = Problem("python", "SyntaxError: expected ':'", "shop.py", 8)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert "def total(items):\n" in offered[0]


def test_what_caused_a_problem_is_fixed_in_its_own_place(tmp_path):
    texts = {
        "shop.py": (
            "def price(item, rate):\n    return item\n\n\ndef total(item, rate):\n    return price(item)\n"
        ),
        "test_shop.py": "def test_total():\n    assert parse(total, 1) == 1\n",
    }
    said = "TypeError: price() missing 1 required positional argument: 'rate'"
    cause = Problem("pytest", said, "shop.py", 6)
    problem = Problem("pytest", "SystemExit: 2", "test_shop.py", 2, test="test_total", causes=(cause,))
    _, offered = fixed(texts, problem, tmp_path)
    assert offered and all("return price(item, rate)" in new for new in offered[:1])


def test_every_kind_of_error_has_a_pattern_and_a_fix():
    from spark_tui.intent.fixes.by_error import FIXES

    assert set(FIXES) | {"syntax"} == set(error_patterns())


@pytest.mark.parametrize(
    ("said", "kind", "named"),
    [
        ('Name "rate" is not defined  [name-defined]', "undefined_name", {"name": "rate"}),
        ("F821 undefined name 'rate'", "undefined_name", {"name": "rate"}),
        ('"rate" is not defined (reportUndefinedVariable)', "undefined_name", {"name": "rate"}),
        ('Missing positional argument "rate" in call to "price"', "missing_argument", {"function": "price"}),
        ('Too many arguments for "price"  [call-arg]', "surplus_argument", {"function": "price"}),
        ('Unexpected keyword argument "rtae" for "price"', "unknown_keyword", {"name": "rtae"}),
        ('Item "None" of "Cart | None" has no attribute "add"', "none_value", {"name": "add"}),
        ("RuntimeWarning: coroutine 'fetch' was never awaited", "not_awaited", {"function": "fetch"}),
        ("Missing return statement  [return]", "missing_return", {}),
        ("isinstance expected 2 arguments, got 3", "surplus_argument", {"takes": "2", "given": "3"}),
    ],
)
def test_messages_of_linters_and_type_checkers_are_understood(said, kind, named):
    found, groups = classify_error(said)
    assert found == kind and groups.items() >= named.items()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum(table[key] * n for key, n in items)", "sum(table.get(key, 0) * n for key, n in items)"),
        ('"x" + table[key]', '"x" + table.get(key, "")'),
        ("table[key]", "table.get(key)"),
    ],
)
def test_a_missing_key_is_looked_up_so_that_the_line_goes_on(tmp_path, old, new):
    text = f"def look(table, key, items):\n    return {old}\n"
    _, offered = fixed({"shop.py": text}, Problem("python", "KeyError: 'a'", "shop.py", 2), tmp_path)
    assert text.replace(old, new) in offered


@pytest.mark.parametrize("code", ["return table[key].name", "for one in table[key]:\n        print(one)"])
def test_none_is_not_put_where_it_would_fail_as_well(tmp_path, code):
    text = f"def look(table, key):\n    {code}\n"
    _, offered = fixed({"shop.py": text}, Problem("python", "KeyError: 'a'", "shop.py", 2), tmp_path)
    assert not any(".get(" in new for new in offered)


@pytest.mark.parametrize(
    ("listed", "marked"), [("STYLES = {'My_Style': 1}", True), ("__all__ = ['My_Style']", False)]
)
def test_a_name_in_another_style_that_a_text_may_look_up_is_marked(tmp_path, listed, marked):
    texts = {"shop.py": "class My_Style:\n    pass\n", "other.py": f"from shop import My_Style\n{listed}\n"}
    said = "Class name `My_Style` should use CapWords convention"
    found, _ = fixed(texts, Problem("ruff", said, "shop.py", 1, 7, code="N801"), tmp_path)
    assert [bool(way.marked) for way in found.ways] == [marked]


DROPPED = """class Reply:
    def __exit__(self, *args):
        self.close()

    def text(self):
        if self.closed:
            self.content
        return self.content

    def check(self):
        raise Stopped()
"""


def test_a_rule_of_a_linter_is_about_its_own_line(tmp_path):
    text = DROPPED
    linted = Problem("flake8", "Unnecessary parentheses on raised exception", "shop.py", 11, code="RSE102")
    assert not fixed({"shop.py": text}, linted, tmp_path)[0].ways
    seen = Problem("pytest", "assert None == 'x'", "shop.py", 11, test="test_shop")
    assert "return self.content\n        return" in fixed({"shop.py": text}, seen, tmp_path)[1][0]


def test_the_name_in_a_rule_may_be_no_name(tmp_path):
    branches = "    if '.' in text:\n        value = float(text)\n    else:\n        value = int(text)\n"
    text = f"def number(text):\n{branches}    return value\n"
    said = 'Use ternary operator `"." in text` instead of `if`-`else`-block'
    _, offered = fixed({"shop.py": text}, Problem("ruff", said, "shop.py", 2, code="SIM108"), tmp_path)
    assert "value = float(text) if '.' in text else int(text)" in offered[0]


@pytest.mark.parametrize(
    ("code", "line", "text", "wanted"),
    [
        (
            "PLR5501",
            3,
            "if a:\n    b()\nelse:\n    if c:\n        d()\n",
            "if a:\n    b()\nelif c:\n    d()\n",
        ),
        ("SIM114", 1, "if a:\n    b()\nelif c:\n    b()\n", "if a or c:\n    b()\n"),
        (
            "B014",
            3,
            "try:\n    b()\nexcept (IOError, OSError, KeyError):\n    d()\n",
            "try:\n    b()\nexcept (OSError, KeyError):\n    d()\n",
        ),
    ],
)
def test_branches_that_a_linter_names_become_one(code, line, text, wanted, tmp_path):
    problem = Problem("ruff", "a rule", "shop.py", line, code=code)
    _, offered = fixed({"shop.py": text}, problem, tmp_path)
    assert wanted in offered
