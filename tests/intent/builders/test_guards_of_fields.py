"""Guards on fields of classes whose values no function of them is given."""

from __future__ import annotations

from intent.asking import answer_to, changed

from spark_tui.intent.answering.answer import Answer

DATA = """from dataclasses import dataclass


@dataclass
class Span:
    start: int
    end: int = 10

    def __post_init__(self):
        self.size = self.end - self.start


@dataclass
class Step(Span):
    pause: float | None = None


@dataclass
class Window:
    width: int
    title: str = ""
"""
MODEL = """from pydantic import BaseModel, Field


class Account(BaseModel):
    balance: float
    owner: str
    limit: int = 10
    name: str = Field(default="x")
"""


def guarded(code: str, text: str, condition: str) -> str:
    return changed(code, text, "guard_raise", condition=condition)


def told(answer: Answer) -> str:
    return " ".join(str(mark) for mark in answer.ways[0].marked)


def test_a_dataclass_tests_its_fields_once_they_are_set() -> None:
    after = guarded(DATA, "width must be positive", "width must be positive")
    method = "    def __post_init__(self):\n        if self.width <= 0:\n"
    assert f'{method}            raise ValueError("width must be positive")\n' in after
    after = guarded(DATA, "start must not be negative", "start must not be negative")
    assert "    def __post_init__(self):\n        if self.start < 0:\n" in after
    assert after.count("def __post_init__") == 1


def test_a_method_that_is_inherited_is_run_too_and_none_is_allowed_by_default() -> None:
    after = guarded(DATA, "pause must not be negative", "pause must not be negative")
    first = "        super().__post_init__()\n        if self.pause is not None and self.pause < 0:\n"
    assert f"    pause: float | None = None\n\n    def __post_init__(self):\n{first}" in after


def test_a_default_that_is_refused_is_told() -> None:
    answer = answer_to(DATA, "title must not be empty", "guard_raise", condition="title must not be empty")
    assert "title is '' by default" in told(answer)


def test_a_field_that_is_named_with_its_class_is_guarded_there_alone() -> None:
    after = guarded(DATA, "Window.width must be positive", "Window.width must be positive")
    assert "self.width <= 0" in after and after.count("raise ValueError") == 1


def test_a_field_of_a_model_gets_its_limits() -> None:
    after = guarded(MODEL, "balance must not be negative", "balance must not be negative")
    assert "    balance: float = Field(ge=0)\n" in after
    after = guarded(MODEL, "limit must be between 1 and 50", "limit must be between 1 and 50")
    assert "    limit: int = Field(default=10, ge=1, le=50)\n" in after
    after = guarded(MODEL, "owner must not be empty", "owner must not be empty")
    assert "    owner: str = Field(min_length=1)\n" in after
    after = guarded(MODEL, "name must not be empty", "name must not be empty")
    assert '    name: str = Field(default="x", min_length=1)\n' in after


def test_a_model_is_not_limited_by_what_no_limit_says() -> None:
    text = "raise KeyError if balance is negative"
    slots = {"condition": "balance is negative", "exception": "KeyError"}
    assert not answer_to(MODEL, text, "guard_raise", **slots).ways
    assert not answer_to(
        MODEL, "limit must not be empty", "guard_raise", condition="limit must not be empty"
    ).ways


def test_a_field_that_a_method_uses_is_checked_when_the_object_is_made() -> None:
    code = DATA + "\n    def area(self):\n        return self.width * 2\n"
    after = changed(code, "the width must be positive", "guard_raise", condition="the width must be positive")
    assert "    def __post_init__(self):\n        if self.width <= 0:\n            raise ValueError(" in after
    assert "    def area(self):\n        return self.width * 2\n" in after


def test_a_dataclass_whose_method_is_to_take_a_field_gets_none_that_does_not() -> None:
    code = DATA.replace("class Window:\n", "class Window:\n    size: InitVar[int]\n", 1)
    assert "InitVar" in code
    said = {"condition": "the width must be positive"}
    assert not answer_to(code, "the width must be positive", "guard_raise", **said).ways


def test_a_class_below_that_makes_its_objects_itself_is_told_of() -> None:
    below = "\n\n@dataclass\nclass Pane(Window):\n    def __post_init__(self):\n        self.open = True\n"
    said = {"condition": "the width must be positive"}
    ways = answer_to(DATA + below, "the width must be positive", "guard_raise", **said).ways
    assert any("__post_init__ of Pane" in doubt for doubt in ways[0].marked)


SET = """from dataclasses import dataclass, field


@dataclass
class Order:
    qty: int
    label: str = ""
    total: float = field(init=False)

    def __post_init__(self):
        if not self.label:
            self.label = "none"
        self.total = self.qty * 1.2
        print(self)
"""


def test_a_field_that_the_method_sets_is_tested_behind_that() -> None:
    after = guarded(SET, "total must be positive", "total must be positive")
    assert "        self.total = self.qty * 1.2\n        if self.total <= 0:\n" in after
    after = guarded(SET, "label must not be longer than 9", "label must not be longer than 9")
    assert '            self.label = "none"\n        if len(self.label) > 9:\n' in after
    after = guarded(SET, "qty must be positive", "qty must be positive")
    assert "    def __post_init__(self):\n        if self.qty <= 0:\n" in after
