"""Variables that are replaced by their value."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, swapped


def test_a_variable_is_inlined_over_what_only_gives_a_local_its_first_value() -> None:
    loop = "    for row in data['rows']:\n        out.append(row)\n"
    code = f"def f(p):\n    data = read(p)\n    out = []\n{loop}"
    swapped(
        "inline_variable f.data",
        code,
        ("    data = read(p)\n", ""),
        ("in data['rows']", "in read(p)['rows']"),
    )
    for between in ("out = [p]", "p = 1", "out = make()", "global out\n    out = []"):
        other = code.replace("out = []", between)
        assert "might be another one" in str(refusal("inline_variable f.data", {"m.py": other}))


def test_a_call_that_comes_behind_what_it_may_change_is_marked() -> None:
    reason = "what it calls may change what the statement reads first"
    above = "total = 0\n\n\ndef up():\n    global total\n    total += 1\n\n\n"
    above += "class A:\n    def go(self):\n        self.size = 1\n\n\n"
    marked = ("total", "self.size")
    for read in (*marked, "self.kept", "p", "len"):
        returned = f"{read}(x)" if read == "len" else f"{read} + x"
        code = f"{above}def f(self, p):\n    x = up()\n    return {returned}\n"
        found = plan("inline_variable f.x", {"m.py": code}).unfollowed
        assert [one.reason for one in found] == [reason] * (read in marked)


def test_a_call_is_marked_where_it_may_change_what_is_added_to() -> None:
    reason = "what it calls may change what the statement reads first"
    above = "class A:\n    async def pay(self, x):\n        self.log.append(x)\n        self.size = 1\n\n\n"
    cases = {
        "n = self.pay(1)\n    self.size += n": True,
        "n = self.pay(1)\n    self.own += n": False,
        "n = await self.pay(1)\n    self.own += n": True,
        "n = make(rows)\n    rows[0] += n": True,
        "n = self.pay(1)\n    rows += n": False,
        "n = self.pay(1)\n    self.size = n": False,
    }
    for body, marked in cases.items():
        code = f"{above}async def f(self, rows):\n    {body}\n"
        found = plan("inline_variable f.n", {"m.py": code}).unfollowed
        assert [one.reason for one in found] == [reason] * marked, body


def test_a_name_that_another_function_sets_is_another_name() -> None:
    code = """def shown(self):
    name = self.kind
    with lock:
        size = len(self)
    return f"{name} {size}"
SET

def other(self):
    return self
"""
    inlined = after("inline_variable shown.name", code.replace("SET", ""))
    assert 'return f"{self.kind} {size}"' in inlined
    again = code.replace("SET", "").replace("    with lock:", "    self = copy(self)\n    with lock:")
    assert "set again" in str(refusal("inline_variable shown.name", {"m.py": again}))


@pytest.mark.parametrize(
    "use", ["[n for x in xs]", "lambda x: n + x", "[n for row in xs for x in row]", "{x: n for x in xs}"]
)
def test_a_value_is_not_read_where_its_name_is_another_one(use: str) -> None:
    code = "def f(xs, x):\n    n = x\n    GAP\n    return USE\n".replace("USE", use)
    for gap in ("pass", "print(n)"):
        found = refusal("inline_variable f.n", {"m.py": code.replace("GAP", gap)})
        assert found.reason == "x means something else on line 4"
    other = code.replace("GAP", "pass").replace(use, use.replace("x", "z").replace("zs", "xs"))
    assert "n = x" not in after("inline_variable f.n", other)
