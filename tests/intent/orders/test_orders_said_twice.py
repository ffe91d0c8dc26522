"""Two orders that ask for one change, and what the second one is about."""

from __future__ import annotations

from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """\
class Base:
    def run(self):
        pass


class Job(Base):
    \"\"\"A job.\"\"\"

    pass


class Empty(Base):
    \"\"\"Nothing.\"\"\"

    pass


def start(jobs):
    for job in jobs:
        _run_job(job)


def _run_job(job):
    try:
        job.run()
    except OSError:
        pass


def total(value):
    return value


def sign(value):
    value = str(value)
    return total(value)
"""


def orders(text: str, *said: tuple[str, str, dict[str, str]]) -> Answer:
    """The answer to the orders that begin with some words, each with its intent and slots."""
    starts = [text.index(first) for first, _, _ in said]
    made = []
    for at, (_, intent, slots) in enumerate(said):
        end = starts[at + 1] if at + 1 < len(said) else len(text)
        found = {}
        for slot, words in slots.items():
            start = text.index(words, starts[at])
            found[slot] = (Span(start, start + len(words), words, text[start - 1] in '"`'),)
        made.append(Order(starts[at], end, (Reading(intent, 0.95, found),)))
    return answer_orders(made, situation({PATH: CODE}, instruction=text))


def test_what_the_second_one_shows_is_what_the_first_one_says() -> None:
    text = "_run_job shouldn't hide the OSError. call print(job) in the handler instead of pass"
    found = orders(
        text,
        ("_run_job", "unwrap_try", {"function": "_run_job", "exception": "OSError"}),
        ("call", "replace_statement", {"code": "print(job)", "old": "pass"}),
    )
    code = result(found, {PATH: CODE})
    assert code == CODE.replace("except OSError:\n        pass", "except OSError:\n        print(job)")
    assert any("not done" in str(mark) for mark in found.ways[0].marked)


def test_it_is_what_was_renamed_and_not_where_it_is_called() -> None:
    found = orders(
        'rename _run_job to _execute and give it a docstring "Run it."',
        ("rename", "rename", {"symbol": "_run_job", "new": "_execute"}),
        ("and give", "set_docstring", {"text": "Run it."}),
    )
    assert 'def _execute(job):\n    """Run it."""\n' in result(found, {PATH: CODE})


def test_a_variable_of_the_named_function_is_no_other_ones() -> None:
    found = orders(
        "in sign rename the variable value to data",
        ("in sign", "rename", {"function": "sign", "symbol": "value", "new": "data"}),
    )
    assert "def sign(data):\n    data = str(data)\n    return total(data)\n" in result(found, {PATH: CODE})


def test_the_only_pass_of_a_body_stays() -> None:
    text = "remove every pass under a docstring"
    reading = Reading("delete_statement", 0.95, {"code": (Span(13, 17, "pass", False),)}, (), True)
    found = answer_orders([Order(0, len(text), (reading,))], situation({PATH: CODE}, instruction=text))
    code = result(found, {PATH: CODE})
    assert code.count("pass") == 2
    assert "pass" not in code.partition("class Job")[2].partition("def start")[0]


def test_of_two_values_for_a_key_the_one_counts_that_is_said_for_its_name() -> None:
    files = {"pyproject.toml": '[project]\nversion = "1.0"\n'}
    said = [
        ("set_key", {"key": "version", "value": "1.2"}),
        ("set_key", {"key": "__version__", "value": "1.1"}),
    ]
    found = answered(files, *said, path="pyproject.toml")
    assert result(found, files, path="pyproject.toml") == '[project]\nversion = "1.2"\n'


def test_an_entry_goes_to_the_dictionary_that_another_order_of_its_kind_names() -> None:
    code = "CODES = {'ok': 200}\nPORTS = {'http': 80}\n"
    entries = [
        ("set_entry", {"key": "smtp", "value": "25"}),
        ("set_entry", {"key": "ftp", "value": "21", "variable": "PORTS"}),
    ]
    found = answered({PATH: code}, *entries)
    assert result(found, {PATH: code}) == code.replace("80}", "80, 'smtp': 25, 'ftp': 21}")
