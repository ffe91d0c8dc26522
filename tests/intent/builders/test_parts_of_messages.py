"""Words of a text that has values in it: they are exchanged, and the values stay."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, result

CODE = """\
def greet(name, row):
    print(f"hello {name}, you have {row['you have']} items")
    print("bye for now")
"""


def _changed(old: str, new: str) -> str:
    found = answer_to(CODE, f'change the "{old}" message to "{new}"', "replace_message", old=old, message=new)
    return result(found, {PATH: CODE})


def test_words_of_a_text_with_values_are_exchanged_alone() -> None:
    assert """f"hello {name}, you own {row['you have']} items\"""" in _changed("you have", "you own")


def test_a_text_without_values_is_exchanged_as_a_whole() -> None:
    assert 'print("later")' in _changed("bye", "later")
