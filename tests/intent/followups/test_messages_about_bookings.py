"""Follow-ups that a booking tool and a mailer were asked for."""

from __future__ import annotations

from intent.following import answer_behind

CHECK = "def valid(addr):\n{}    return '.' in addr\n"
SPACE = '    if " " in addr:\n        return False\n'
MAIN = 'def main(args):\n    if not args:\n        print("usage"{})\n        return 1\n    return 0\n'


def test_another_sign_is_looked_for_too() -> None:
    was, now = CHECK.format(""), CHECK.format(SPACE)
    text = answer_behind(was, now, "or if it has a comma", "also_allow", condition="it has a comma")[1]
    assert text == now.replace('" " in addr', '" " in addr or "," in addr')


def test_a_word_of_a_docstring_is_replaced() -> None:
    was = "def price(rows):\n    return sum(rows)\n"
    now = was.replace("\n    return", '\n    """Return the total price of a booking."""\n    return')
    slots = {"message": "Compute", "old": "Return"}
    text = answer_behind(was, now, 'say "Compute" instead of "Return"', "amend.message", **slots)[1]
    assert '"""Compute the total price of a booking."""' in text


def test_there_is_the_block_in_which_something_was_written() -> None:
    was, now = MAIN.format(""), MAIN.format(", file=sys.stderr")
    was, now = f"import sys\n\n\n{was}", f"import sys\n\n\n{now}"
    text = answer_behind(was, now, "and return 2 there", "set_return", result="2")[1]
    assert text == now.replace("return 1", "return 2")


def test_a_text_is_not_rounded() -> None:
    code = "def price(total):\n    return {}\n\n\ndef show(lines):\n    return ', '.join(lines)\n"
    was, now = code.format("total"), code.format("round(total, 2)")
    answer, text = answer_behind(was, now, "no, not there, in show", "amend.place", function="show")
    assert "round(', '" not in text and answer.kind != "undo"


DELETED = "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef flush(count):\n{}    return count\n"
TOLD = "\n\ndef show(count):\n    print(count)\n"


def test_only_what_was_deleted_is_done_under_a_condition() -> None:
    was, now = DELETED.format('    print("flushed")\n') + TOLD, DELETED.format("") + TOLD
    text = answer_behind(was, now, "no, only if count > 0", "run_only_if", condition="count > 0")[1]
    assert text == was.replace('    print("flushed")', '    if count > 0:\n        print("flushed")')


def test_only_what_was_deleted_is_logged_instead() -> None:
    was, now = DELETED.format('    print("flushed")\n') + TOLD, DELETED.format("") + TOLD
    text = answer_behind(was, now, "log it at debug level instead", "print_to_logging", level="debug")[1]
    assert text == was.replace('print("flushed")', 'log.debug("flushed")')
