"""Results that an annotation does not allow, or with which a caller fails."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons

CODE = """def stock(name)HINT:
    if name:
        return 0
    return len(name)
"""


def found(hint: str, new: str, use: str) -> list[str]:
    files = {"shop.py": CODE.replace("HINT", hint), "use.py": f"from shop import stock\n\n{use}\n"}
    text = files["shop.py"].replace("return 0", f"return {new}")
    return reasons("special results", files, {"shop.py": text})


@pytest.mark.parametrize(
    ("hint", "new", "allowed"),
    [
        (" -> int", "None", False),
        (" -> int", '"none"', False),
        (" -> int", "True", True),
        (" -> float", "1", True),
        (" -> int | None", "None", True),
        ("", "None", True),
        (" -> list[int]", "{}", False),
        (" -> Union[Dict[str, int], List[int]]", '"none"', False),
        (" -> Union[Dict[str, int], List[int]]", "{}", True),
        (" -> Optional[Tuple[int, int]]", "None", True),
        (" -> Optional[Union[int, str]]", "[]", False),
        (" -> Union[int, Stock]", '"none"', True),
    ],
)
def test_a_result_that_the_annotation_does_not_allow_is_found(hint: str, new: str, allowed: bool) -> None:
    assert (found(hint, new, "") == []) is allowed


@pytest.mark.parametrize(
    ("use", "fails"),
    [
        ('print(3 - stock("a"))', True),
        ('print(stock("a").real)', True),
        ('print(stock("a") < 3)', True),
        ('print(stock("a") == 3, not stock("b"), stock("c") or 1)', False),
        ('print({}[stock("a")], stock)', False),
    ],
)
def test_a_use_that_fails_with_none_is_found(use: str, fails: bool) -> None:
    assert (found("", "None", use) == ["stock() may be None there"]) is fails
    assert found("", "1", use) == []


@pytest.mark.parametrize(
    ("use", "asks"),
    [
        ('print(stock("a") is None)', True),
        ('def f():\n    left = stock("a")\n    return left != None', True),
        ('print(stock("a") == 1)', False),
        ('left = stock("a")\nprint(left > 1)', False),
    ],
)
def test_a_question_for_none_that_is_never_returned_is_found(use: str, asks: bool) -> None:
    files = {"shop.py": CODE.replace("HINT", "").replace("return 0", "return None")}
    files["use.py"] = f"from shop import stock\n\n{use}\n"
    for new in ("return 0", "return -1"):
        text = CODE.replace("HINT", "").replace("return 0", new)
        found = reasons("special results", files, {"shop.py": text})
        assert (found == ["stock() is never None there"]) is asks


@pytest.mark.parametrize(
    ("other", "caught"), [("", True), ("raise Lost", False), ("class L(Lost): ...", False)]
)
def test_a_handler_of_an_error_that_nothing_raises_is_found(other: str, caught: bool) -> None:
    code = f"class Lost(Exception): ...\n\n\ndef f():\n    raise Lost\n\n\ndef g():\n    {other or 'pass'}\n"
    files = {"shop.py": code, "use.py": "from shop import Lost\ntry:\n    pass\nexcept Lost:\n    pass\n"}
    text = code.replace("raise Lost", "raise KeyError", 1)
    found = reasons("expected errors", files, {"shop.py": text})
    assert (found == ["nothing raises Lost any more"]) is caught


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("        return None\n", True),
        ("        fail(name)\n", False),
        ('        raise KeyError(f"no {name}")\n', False),
    ],
)
def test_an_error_that_is_not_raised_any_more_and_expected_is_found(new: str, expected: bool) -> None:
    code = "def take(name):\n    if name in GONE:\n        raise KeyError(name)\n    return STOCK.one(name)\n"
    use = "from shop import take\n\n\ndef test_it():\n    with pytest.raises(KeyError):\n        take(1)\n"
    text = code.replace("        raise KeyError(name)\n", new)
    text += "\n\ndef fail(name):\n    raise KeyError(name)\n" if "fail" in new else ""
    found = reasons("expected errors", {"shop.py": code, "test_shop.py": use}, {"shop.py": text})
    assert (found == ["expects KeyError of take"]) is expected


def test_an_error_that_is_let_through_is_expected_by_its_base() -> None:
    code = (
        "def take(name):\n    try:\n        return S[name]\n    except KeyError:\n        raise LookupError\n"
    )
    use = "from shop import take\n\nwith pytest.raises(LookupError):\n    take(1)\n"
    files = {"shop.py": code, "test_shop.py": use}
    for text, said in (
        ("def take(name):\n    return S[name]\n", []),
        (code.replace("raise LookupError", "return None"), ["expects LookupError of take"]),
    ):
        assert reasons("expected errors", files, {"shop.py": text}) == said


@pytest.mark.parametrize(("new", "allowed"), [("[]", False), ("None", True), ("Cart()", True)])
def test_a_result_of_another_class_than_that_of_the_annotation_is_found(new: str, allowed: bool) -> None:
    code = "class Cart: ...\n\n\ndef best(carts) -> Optional[Cart]:\n    return carts[0]\n"
    found = reasons("special results", {"shop.py": code}, {"shop.py": code.replace("carts[0]", new)})
    assert (found == []) is allowed


def test_none_in_a_conditional_expression_is_still_returned() -> None:
    code = "def best(carts):\n    if not carts:\n        return None\n    return max(carts)\n"
    files = {"shop.py": code, "use.py": "from shop import best\n\nprint(best([]) is None)\n"}
    ternary = "def best(carts):\n    return None if not carts else max(carts)\n"
    for text in (ternary, code.replace("return None", "return carts.get(1)")):
        assert reasons("special results", files, {"shop.py": text}) == []


@pytest.mark.parametrize("asks", ["if path is None:\n        return 1", "print(path)"])
def test_a_result_behind_or_that_is_asked_whether_it_is_none_is_found(asks: str) -> None:
    code = "def found(names):\n    for name in names:\n        return name\n    return None\n"
    use = f"from shop import found\n\n\ndef main(given):\n    path = given or found([])\n    {asks}\n"
    text = code.replace("return None", 'return ""').replace("return name", 'return "a"')
    found = reasons("special results", {"shop.py": code, "use.py": use}, {"shop.py": text})
    assert found == (["found() is never None there"] if "is None" in asks else [])


def test_an_error_of_post_init_is_expected_where_an_object_is_made() -> None:
    code = "class Quiz:\n    def __post_init__(self):\n        raise ValueError(1)\n"
    use = "from shop import Quiz\n\n\ndef test_it():\n    with pytest.raises(ValueError):\n        Quiz()\n"
    text = code.replace("ValueError", "TypeError")
    found = reasons("expected errors", {"shop.py": code, "test_use.py": use}, {"shop.py": text})
    assert found == ["expects ValueError of Quiz"]


@pytest.mark.parametrize(("asks", "fails"), [("", True), ("if size is None:\n        return 1\n    ", False)])
def test_a_result_that_is_compared_later_may_not_become_none(asks: str, fails: bool) -> None:
    code = "def width(char):\n    if char:\n        return -1\n    return 2\n"
    use = f"from shop import width\n\n\ndef all(chars):\n    size = width(chars)\n    {asks}return size < 0\n"
    found = reasons(
        "special results", {"shop.py": code, "use.py": use}, {"shop.py": code.replace("-1", "None")}
    )
    assert found == (["width() may be None there"] if fails else [])


def test_a_package_exports_only_what_it_has() -> None:
    code = "from shop.parts import a\n\n__all__ = ['a', 'parts']\n"
    files = {"shop/__init__.py": code, "shop/parts.py": "def a(): ...\n\n\ndef b(): ...\n"}
    for name, found in (("parts", []), ("b", ["__all__ names b, which does not exist"])):
        text = code.replace("['a'", f"['{name}', 'a'")
        assert reasons("names", files, {"shop/__init__.py": text}) == found


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("return take(name)", ["expects Gone of get, which had it from take"]),
        ("return take(name) or other(name)", []),
        ("if not name:\n        raise Gone\n    return take(name)", []),
    ],
)
def test_an_error_that_is_expected_two_calls_away_is_found(between: str, found: list[str]) -> None:
    code = "class Gone(Exception): ...\n\n\ndef take(name):\n    if not name:\n        raise Gone(name)\n"
    code += "\n\ndef other(name):\n    raise Gone\n"
    middle = f"from shop import Gone, other, take\n\n\ndef get(name):\n    {between}\n"
    use = "from middle import get\n\n\ndef run():\n    try:\n        get(1)\n    except Gone:\n        pass\n"
    files = {"shop.py": code, "middle.py": middle, "use.py": use}
    text = code.replace("raise Gone(name)", "raise KeyError(name)")
    assert reasons("expected errors", files, {"shop.py": text}) == found
