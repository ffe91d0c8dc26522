"""Uses of a name that may mean a renamed member."""

from __future__ import annotations

from codemods.repositories import after, plan, repository


def test_a_function_of_another_module_is_no_member_of_that_name() -> None:
    text = "import asyncio\nimport web\n\n\nclass A:\n    async def run(self):\n        web.run(1)\n\n\n"
    text += "def go(a):\n    return asyncio.run(a.run())\n"
    found = plan("rename A.run work", {"m.py": text})
    new = found.texts(repository({"m.py": text}))["m.py"]
    assert new == text.replace("def run", "def work").replace("a.run()", "a.work()")
    assert [one.line for one in found.unfollowed] == [11]


def test_an_object_that_is_asked_for_what_the_class_lacks_is_another_one() -> None:
    text = "class Page:\n    def __init__(self, status):\n        self.status = status\n\n\n"
    text += "def get(answer):\n    answer.text()\n    return Page(answer.status)\n\n\n"
    text += "def show(page):\n    return page.status\n"
    found = plan("rename Page.status code", {"m.py": text})
    new = found.texts(repository({"m.py": text}))["m.py"]
    assert "Page(answer.status)" in new
    assert "page.code" in new
    assert "answer.status" in next(one.reason for one in found.unfollowed if one.line == 8)


def test_a_member_of_the_class_that_decorates_a_function_is_renamed_on_the_function() -> None:
    code = (
        "class Counter:\n    def __init__(self, function):\n        self.calls = 0\n\n\n"
        "@Counter\ndef square(x):\n    return x * x\n\n\nprint(square.calls)\n"
    )
    assert after("rename Counter.calls count", code) == code.replace("calls", "count")
