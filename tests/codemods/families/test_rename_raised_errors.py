"""A rename of an error, or of the name under which a file imports it, follows to where it is said to be
raised."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines

FIELDS = """Put it.

    :raises Full: often
    :raises bank.Full: Full
    :exc:`Full`
"""
GOOGLE = """Put it.

    Raises:
        Full: when
            Full: no entry
        bank.Full, OSError: or so

    Full: no entry
"""
NUMPY = """Put it.

    Raises
    ------
    Full
        Full of it.
    bank.Full

    Notes
    -----
    Full
"""
FOLLOWED = [
    (FIELDS, [":raises Full: often", ":raises bank.Full: Full", ":exc:`Full`"]),
    (GOOGLE, ["Full: when", "bank.Full, OSError: or so"]),
    (NUMPY, ["Full", "bank.Full"]),
]


def changed(call: str, docstring: str, imports: str) -> list[str]:
    """The changed lines of a file that imports an error and documents where it is raised."""
    text = f'import bank\n{imports}\n\n\ndef put():\n    """{docstring}    """\n'
    files = {"bank.py": "class Full(Exception):\n    pass\n", "use.py": text}
    return [line.strip() for line in changed_lines(call, files)["use.py"]]


@pytest.mark.parametrize(("docstring", "rows"), FOLLOWED)
def test_what_is_raised_follows_a_rename_of_the_class(docstring: str, rows: list[str]) -> None:
    found = changed("rename bank.py::Full New", docstring, "from bank import Full")
    named = [row.replace("Full", "New", 1) for row in rows]
    assert found == ["from bank import New", *named]


@pytest.mark.parametrize(("docstring", "rows"), FOLLOWED)
def test_an_alias_stays_with_the_class_and_has_a_rename_of_its_own(docstring: str, rows: list[str]) -> None:
    told, imports = docstring.replace(" Full", " E").replace("`Full", "`E"), "from bank import Full as E"
    of_class = [row.replace("bank.Full", "bank.New").replace(" Full", " E") for row in rows if "bank." in row]
    assert changed("rename bank.py::Full New", told, imports) == ["from bank import New as E", *of_class]
    of_alias = [row.replace("Full", "Err") for row in rows if "bank." not in row]
    assert changed("rename use.py::E Err", told, imports) == ["from bank import Full as Err", *of_alias]
