"""A log call is written by the logger of the object, where the methods of its class log by one."""

from __future__ import annotations

import pytest
from codemods.repositories import after

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
        ("in Server.open", CLASS.replace("logger.debug", "dialog.debug")),
        ("in Server.open", CLASS.replace("self.state = 1", "self.logger = make()")),
    ],
)
def test_another_logger_is_made_where_the_object_may_have_none(place: str, code: str) -> None:
    assert '        logger.info("open")\n' in after(f"add_log '{place}' '\"open\"'", code)
