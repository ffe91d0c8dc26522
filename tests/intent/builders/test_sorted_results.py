"""What a function returns is sorted where there is something to sort."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """def names(start, rows):
    if not start:
        return []
    found = {row for row in rows if row.startswith(start)}
    return list(found)
"""


def test_an_empty_result_stays_and_a_list_is_made_once() -> None:
    slots = {"function": "names", "transform": "sorted"}
    made = changed(CODE, "names: return them sorted", "apply_function", **slots)
    assert made == CODE.replace("list(found)", "sorted(found)")
    marks = answer_to(CODE, "names: return them sorted", "apply_function", **slots).ways[0].marked
    assert not any("places fit" in mark for mark in marks)


def test_of_several_lists_all_are_sorted() -> None:
    code = CODE.replace("return []", "return rows")
    made = changed(code, "names: return them sorted", "apply_function", function="names", transform="sorted")
    assert "return sorted(rows)" in made and "return sorted(found)" in made
