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
