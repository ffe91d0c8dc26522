"""What is to be caught where all of a function is in a `try` already."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
def parse(header):
    \"\"\"Doc.\"\"\"
    try:
        user, word = header.split()
        return user
    except (KeyError, ValueError):
        return None


def load(text):
    try:
        return int(text)
    except ValueError:
        print("no")
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "wanted"),
    [
        (
            "parse should return None for a ValueError, KeyError and TypeError",
            "try_return",
            {"function": "parse", "result": "None", "exception": "ValueError, KeyError and TypeError"},
            "    except (KeyError, ValueError, TypeError):\n        return None\n",
        ),
        (
            "ignore TypeErrors in load",
            "try_pass",
            {"function": "load", "exception": "TypeErrors"},
            '        print("no")\n    except TypeError:\n        pass\n',
        ),
        (
            "turn an OSError in load into a RuntimeError",
            "try_raise",
            {"function": "load", "old": "OSError", "exception": "RuntimeError"},
            "    except OSError as error:\n        raise RuntimeError(str(error)) from error\n",
        ),
        (
            "catch ValueError, TypeError and KeyError in parse",
            "set_except",
            {"function": "parse", "exception": "ValueError, TypeError and KeyError"},
            "    except (KeyError, ValueError, TypeError):\n",
        ),
    ],
)
def test_classes_that_no_handler_catches_are_added(
    text: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    assert wanted in changed(CODE, text, intent, **slots)


def test_what_is_caught_with_that_result_is_done_already() -> None:
    found = answer_to(
        CODE,
        "parse should return None for a KeyError",
        "try_return",
        function="parse",
        result="None",
        exception="KeyError",
    )
    assert found.kind == "nothing"


def test_a_kind_of_what_is_caught_is_not_caught_once_more() -> None:
    tried = "    try:\n        return make()\n    except OSError as error:\n        print(error)\n"
    code = f"def call(make):\n{tried}"
    slots = {"exception": "TimeoutError", "function": "call"}
    found = answer_to(code, "catch TimeoutError too in call", "also_catch", **slots)
    assert not found.ways
    assert "TimeoutError is already caught there" in found.reason
    other = {"exception": "KeyError", "function": "call"}
    after = changed(code, "catch KeyError too in call", "also_catch", **other)
    assert "except (OSError, KeyError) as error:" in after
