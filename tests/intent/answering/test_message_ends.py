"""A file behind an order is where it is done."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.message_ends import with_place
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

MAIL = "def mail(address):\n    return address\n"
FILES = {PATH: "def run(a):\n    return a\n", "shop/util/mail.py": MAIL}


def test_it_is_no_part_of_the_new_name() -> None:
    said = "rename mail to send mail.py"
    here = situation(FILES, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert result(found, FILES, "shop/util/mail.py") == MAIL.replace("def mail", "def send")


@pytest.mark.parametrize(
    "said",
    [
        "move the function run to mail.py",
        "delete the file mail.py",
        "sort imports mail.py",
        "get rid of the obsolete mail.py",
        "rename run to send other.py",
        "rename run to send in mail.py",
    ],
)
def test_what_is_bound_to_the_order_stays(said: str) -> None:
    assert with_place(said, situation(FILES).repo) == said
