"""Variables that are replaced by their value."""

from __future__ import annotations

from codemods.repositories import refusal, swapped


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
