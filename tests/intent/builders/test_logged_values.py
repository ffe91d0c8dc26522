"""Log lines that are to show a value by words that are no parameter's name."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """\
import logging

logger = logging.getLogger(__name__)


class Booking:
    def __init__(self, guest):
        self.guest = guest


class Mailer:
    def __init__(self, settings):
        self.settings = settings

    def send(self, text):
        return self.settings["host"], text


def cancel(booking):
    booking.cancelled = True


def name(room: str):
    return room
"""


def test_the_attribute_of_what_is_called_like_a_class() -> None:
    said = "cancel should log the guest's name"
    new = changed(CODE, said, "add_log", function="cancel", message="the guest's name")
    assert 'logger.info("cancel guest=%s", booking.guest)' in new


def test_what_a_method_reads_under_a_name() -> None:
    said = "log the host in send"
    new = changed(CODE, said, "add_log", function="send", message="the host")
    assert 'logger.info("send host=%s", self.settings["host"])' in new


def test_an_object_that_is_made_has_no_result_to_cache() -> None:
    said = "cache Booking"
    answer = answer_to(CODE, said, "add_decorator", decorator="cache", function="Booking")
    assert not any("@" in str(way.calls) for way in answer.ways)


def test_the_attribute_that_is_said_to_be_of_the_class_is_logged() -> None:
    code = "class Table:\n    def __init__(self, name):\n        self.name = name\n\n"
    code += "    def clear(self):\n        self.rows = []\n"
    words = {"message": "the table name", "function": "clear"}
    done = changed(code, "log the table name in clear", "add_log", **words)
    assert 'logger.info("clear name=%s", self.name)' in done


def test_a_logger_takes_the_place_of_the_functions_of_logging() -> None:
    code = "import logging\n\n\ndef load():\n    logging.warning('none')\n    logging.info('x')\n"
    done = changed(code, "log by a module logger", "print_to_logging")
    made = code.replace("import logging\n", "import logging\n\nlogger = logging.getLogger(__name__)\n")
    assert done == made.replace("    logging.", "    logger.")


def test_a_condition_on_what_is_given_is_said_not_to_be_there() -> None:
    for said, marked in (
        ("log a warning when name gets None", True),
        ("log a warning when name fails", True),
        ("log a line when name is called", False),
        ("log a line when name starts", False),
    ):
        answer = answer_to(CODE, said, "add_log", function="name")
        assert ("it logs in every call" in map(str, answer.ways[0].marked)) == marked


def test_a_password_is_logged_only_where_it_is_named() -> None:
    code = f"{CODE}\n\ndef login(user, password, api_key, key=''):\n    return user, password, api_key, key\n"
    new = changed(code, "log something at the start of login", "add_log", function="login")
    assert 'logger.info("login user=%s key=%s", user, key)' in new
    new = changed(code, "log the password in login", "add_log", function="login", message="the password")
    assert 'logger.info("login password=%s", password)' in new
