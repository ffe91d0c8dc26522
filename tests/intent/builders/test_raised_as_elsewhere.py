"""Errors as the function raises them elsewhere, keys as it looks them up, and literals by their use."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

PARSER = """class ParseError(Exception):
    def __init__(self, path, row, text):
        self.text = text


class Parser:
    pass


def parse(path, lines):
    for row, line in enumerate(lines):
        name, value = line.split("=")
        if "=" in name:
            raise ParseError(path, row, "two signs")
        assert value is not None
        yield name
"""
CLIENT = """class ClientError(Exception):
    pass


class Client:
    def __init__(self, uri, scheme, wait=30):
        if scheme not in ("http", "https"):
            raise ClientError("unknown scheme")
        if len(uri) > 80:
            raise ClientError("uri is too long")
        self.wait = wait

    def key(self, header):
        return self.find(header.get("kid"))

    @staticmethod
    def match_kid(keys, kid):
        return [key for key in keys if key == kid]
"""


def test_an_error_has_the_other_arguments_that_it_has_there() -> None:
    said = "raise ParseError if name is empty in parse"
    done = changed(
        PARSER, said, "guard_raise", exception="ParseError", condition="name is empty", function="parse"
    )
    assert 'raise ParseError(path, row, "name must not be empty")' in done
    said = "raise a ParseError in place of the assert in parse"
    done = changed(PARSER, said, "change_raised", exception="ParseError", old="assert", function="parse")
    assert 'raise ParseError(path, row, "value must not be None")' in done


@pytest.mark.parametrize("exception", ["", "Client"])
def test_an_error_without_a_class_is_the_one_that_the_guards_raise(exception: str) -> None:
    said = "Client must not have a negative wait"
    slots = {"exception": exception} if exception else {}
    done = changed(CLIENT, said, "guard_raise", condition="negative wait", **slots)
    assert 'raise ClientError("wait must not be negative")' in done


@pytest.mark.parametrize(
    ("raised", "made"),
    [("text", 'raise ValueError("size must be at least 1")'), ("unit", "raise ValueError(size)")],
)
def test_a_local_text_is_a_message_and_no_subject(raised: str, made: str) -> None:
    code = f"""def scale(unit, size):
    if unit not in UNITS:
        text = "unknown unit"
        raise ValueError({raised})
    return size
"""
    said = "raise ValueError in scale if size is less than 1"
    slots = {"exception": "ValueError", "condition": "size is less than 1", "function": "scale"}
    assert made in changed(code, said, "guard_raise", **slots)


ADDING = """\
def add(children, child):
    if isinstance(child, dict):
        raise ValueError("no table can be added")
    if not hasattr(child, "render"):
        raise ValueError("%r not a tag or string." % child)
    children.append(child)
"""


def test_what_is_raised_for_it_already_is_raised_with_another_class() -> None:
    slots = {"function": "add", "exception": "TypeError"}
    told = "things that are neither tag nor string"
    made = changed(ADDING, f"add should raise TypeError for {told}", "guard_raise", condition=told, **slots)
    assert made == ADDING.replace('ValueError("%r', 'TypeError("%r')
    again = answer_to(made, f"add should raise TypeError for {told}", "guard_raise", condition=told, **slots)
    assert again.idle == "TypeError is raised for it already"
    told = "a child that is None"
    made = changed(ADDING, f"add should raise TypeError for {told}", "guard_raise", condition=told, **slots)
    assert "if child is None:\n        raise TypeError(" in made and made.count("ValueError") == 2


def test_a_key_is_missing_that_the_function_looks_up() -> None:
    said = "raise ClientError in key if header has no kid"
    done = changed(
        CLIENT, said, "guard_raise", exception="ClientError", condition="header has no kid", function="key"
    )
    assert 'if "kid" not in header:\n            raise ClientError("header has no \'kid\'")' in done


def test_a_literal_is_described_by_what_it_is_for() -> None:
    said = "name the allowed schemes SCHEMES"
    done = changed(CLIENT, said, "extract_constant", value="the allowed schemes", name="SCHEMES")
    assert 'SCHEMES = ("http", "https")' in done and "if scheme not in SCHEMES:" in done
    said = "name the default wait WAIT"
    assert "wait=WAIT" in changed(CLIENT, said, "extract_constant", value="the default wait", name="WAIT")


@pytest.mark.parametrize(
    ("words", "test"),
    [
        ("is not callable", "hook is not None and not callable(hook)"),
        ("contains only digits", "hook is not None and hook.isdigit()"),
        ("is infinite", "hook is not None and not math.isfinite(hook)"),
        ("is not a directory", "hook is not None and not os.path.isdir(hook)"),
    ],
)
def test_what_python_asks_of_a_value_is_not_asked_of_none(words: str, test: str) -> None:
    code = "import math\nimport os\n\n\ndef run(hook=None):\n    return hook\n"
    said = f"raise ValueError if hook {words}"
    assert f"if {test}:" in changed(
        code, said, "guard_raise", exception="ValueError", condition=f"hook {words}"
    )


def test_a_constant_is_named_by_the_words_before_its_value() -> None:
    code = "def cells(line):\n    return line.split('|')\n"
    said = "pull the column separator '|' out as a constant"
    assert "COLUMN_SEPARATOR = '|'" in changed(code, said, "extract_constant", value="|")


def test_a_comment_at_a_statement_that_names_the_function_goes_and_no_other() -> None:
    code = "def load():\n    return 1\n\n\n# TODO: faster\nsave = 2\n# TODO: keep\nload = load\n"
    said = "remove the TODO comment on load"
    assert changed(code, said, "remove_comments", text="TODO", function="load") == code.replace(
        "# TODO: keep\n", ""
    )
    alone = code.replace("# TODO: keep\n", "")
    assert not answer_to(alone, said, "remove_comments", text="TODO", function="load").ways


def test_an_error_has_a_message_where_one_is_asked_for() -> None:
    code = "PARTS = {}\n\n\ndef ship(sku):\n    return PARTS[sku]\n"
    words = {"function": "ship", "exception": "KeyError", "condition": "sku is not in PARTS"}
    done = changed(code, "ship: raise KeyError with a message if sku is not in PARTS", "guard_raise", **words)
    assert 'raise KeyError("' in done


def test_the_error_goes_to_standard_error_whatever_it_says() -> None:
    told = '    print("start")\n    if not path:\n        print("nothing to read")\n        sys.exit(1)\n'
    code = f"import sys\n\n\ndef run(path):\n{told}"
    done = changed(code, "print the error to stderr", "print_to_stderr", message="error")
    assert 'print("nothing to read", file=sys.stderr)' in done and 'print("start")' in done
