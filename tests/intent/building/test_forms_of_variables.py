"""Forms that are asked for one variable leave the others alone."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """def play(level, points):
    level = level + 1
    points = points + level
    if points > 3:
        prize = 10
    else:
        prize = 5
    if level:
        shown = prize
    else:
        shown = None
    return shown
"""


def test_a_form_is_made_of_the_variable_that_is_named() -> None:
    made = changed(CODE, "prize in one line", "pattern.ternary", variable="prize")
    assert made == CODE.replace(
        "    if points > 3:\n        prize = 10\n    else:\n        prize = 5\n",
        "    prize = 10 if points > 3 else 5\n",
    )


def test_what_is_set_counts_before_what_is_only_read() -> None:
    made = changed(CODE, "level += 1", "pattern.augmented", variable="level")
    assert made == CODE.replace("level = level + 1", "level += 1")


def test_a_form_without_the_variable_is_marked() -> None:
    code = f"{CODE}\n\ndef best(rows):\n    total = sum(rows)\n    return total\n"
    answer = answer_to(code, "total as a conditional expression", "pattern.ternary", variable="total")
    assert "what is rewritten has no total" in answer.ways[0].marked


def test_a_form_that_only_reads_the_variable_is_marked() -> None:
    code = "def f(way, a):\n    if way:\n        old = way = 1\n        a = 2\n    else:\n        old = 0\n"
    code += "    if old and a:\n        return a\n    else:\n        return way\n"
    answer = answer_to(code, "use a ternary for old", "pattern.ternary", variable="old")
    assert "what is rewritten does not make old" in answer.ways[0].marked


def test_words_that_are_no_name_choose_nothing() -> None:
    made = changed(CODE, "both branches in one line", "pattern.ternary", variable="both branches")
    assert made.count(" else ") == 2
