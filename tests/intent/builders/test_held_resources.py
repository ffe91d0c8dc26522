"""What an attribute holds open is closed by the methods that are asked for."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """import smtplib
import sqlite3


class Mailer:
    def __init__(self, host):
        self.server = smtplib.SMTP(host)
        self.log = sqlite3.connect("log.db")
        self.host = host


class Lazy:
    def __init__(self):
        self.server = None

    def begin(self):
        self.server = smtplib.SMTP("here")
"""


def test_close_ends_all_that_the_class_holds() -> None:
    after = changed(
        CODE, "add a close method to Mailer", "add_method", **{"class": "Mailer", "name": "close"}
    )
    assert "    def close(self):\n        self.server.quit()\n        self.log.close()\n" in after


def test_a_context_manager_ends_what_the_class_holds() -> None:
    text = "make Mailer a context manager"
    after = changed(CODE, text, "add_special_method", **{"class": "Mailer", "method": "a context manager"})
    assert "    def __exit__(self, *error):\n        self.server.quit()\n        self.log.close()\n" in after


def test_what_may_be_none_is_not_closed() -> None:
    text = "make Lazy a context manager"
    answer = answer_to(CODE, text, "add_special_method", **{"class": "Lazy", "method": "a context manager"})
    assert not answer.ways
    assert "no method that closes it" in answer.reason


def test_what_an_object_may_not_have_is_not_closed() -> None:
    text, slots = "make Lazy a context manager", {"class": "Lazy", "method": "a context manager"}
    for start in ("pass", 'if self:\n            self.server = smtplib.SMTP("there")'):
        code = CODE.replace("self.server = None", start)
        assert not answer_to(code, text, "add_special_method", **slots).ways


def test_what_no_import_gives_is_not_closed() -> None:
    code = "class Door:\n    def __init__(self, button):\n        self.lock = self.open()\n"
    code += "        self.click = button.connect(self.open)\n\n    def open(self):\n        return 1\n"
    slots = {"class": "Door", "method": "a context manager"}
    answer = answer_to(code, "make Door a context manager", "add_special_method", **slots)
    assert not answer.ways
