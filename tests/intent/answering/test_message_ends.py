"""A file behind an order is where it is done; that the uses follow is no other order."""

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


CALLS = "from shop.util.mail import mail\n\n\ndef run(a):\n    return mail(a, 1)\n"
TWO = "def mail(address, copies):\n    return address, copies\n"


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("swap address and copies in mail and fix the callers", "mail(1, a)"),
        ("swap address and copies in mail, callers too", "mail(1, a)"),
        ("rename mail to send and update all the call sites as well", "send(a, 1)"),
        ("make copies of mail keyword only, update callers", "mail(a, copies=1)"),
        ("benenne mail in send um und passe alle Aufrufer an", "send(a, 1)"),
    ],
)
def test_what_an_edit_does_to_the_uses_is_not_said_to_be_undone(said: str, call: str) -> None:
    files = {PATH: CALLS, "shop/util/mail.py": TWO}
    here = situation(files, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert call in result(found, files, PATH)
    assert not any("not done" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("rename copies to count in mail and its callers too", "its callers too"),
        ("swap address and copies in mail and its callers too", "its callers too"),
        ("swap address and copies in mail and update the callers in tests", "update the callers in tests"),
    ],
)
def test_uses_in_which_it_is_to_be_done_as_well_are_said(said: str, left: str) -> None:
    here = situation({PATH: CALLS, "shop/util/mail.py": TWO}, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert f"not done: {left}" in found.ways[0].marked


def test_what_an_edit_does_not_do_to_the_uses_is_said() -> None:
    files = {PATH: CALLS, "shop/util/mail.py": TWO}
    said = "add a parameter subject to mail with default None and fix the callers"
    here = situation(files, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert "not done: fix the callers" in found.ways[0].marked
