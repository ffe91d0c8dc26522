"""A log call is written by the logger of the object, where the methods of its class log by one."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan

CLASS = """class Server:
    def __init__(self):
        self.logger = make()

    def stop(self):
        self.logger.debug("stopped")

    def open(self):
        self.state = 1
"""


@pytest.mark.parametrize("name", ["logger", "_log", "accessLogger"])
def test_a_method_logs_as_the_others_do(name: str) -> None:
    code = CLASS.replace("logger", name)
    assert f'        self.{name}.info("open")\n        self.state' in after(
        "add_log 'in Server.open' '\"open\"'", code
    )


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("in Server.__init__", CLASS),  # it is not set yet
        ("in Server.open", CLASS.replace("    def open", "    @staticmethod\n    def open")),
        ("in Server.open", CLASS.replace("    def open", "    @classmethod\n    def open")),
        ("in Server.logger", CLASS.replace("def open", "def logger")),  # it would ask for itself
        ("in Server.__getattr__", CLASS.replace("open(self)", "__getattr__(self, name)")),
        ("in Server.open", CLASS.replace("logger.debug", "dialog.debug")),
        ("in Server.open", CLASS.replace("self.state = 1", "self.logger = make()")),
    ],
)
def test_another_logger_is_made_where_the_object_may_have_none(place: str, code: str) -> None:
    assert '        logger.info("open")\n' in after(f"add_log '{place}' '\"open\"'", code)


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        (CLASS, False),
        (CLASS.replace("        self.logger =", "        self.open()\n        self.logger ="), True),
        (CLASS.replace("__init__", "setup"), True),
        (CLASS.replace("make()", "None"), True),
        (CLASS.replace('self.logger.debug("', 'if self.logger:\n            self.logger.debug("'), True),
        (CLASS.replace("    def __init__(self):\n        self.logger", "    logger"), False),
    ],
)
def test_a_logger_that_may_not_be_there_is_marked(code: str, marked: bool) -> None:
    found = plan("add_log 'in Server.open' '\"open\"'", {"m.py": code}).unfollowed
    assert [one.reason for one in found] == ["self.logger may not be set yet, or be no logger"] * marked
