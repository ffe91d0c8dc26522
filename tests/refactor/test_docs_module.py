"""The guard of a script, its first lines, what it gives out."""

from __future__ import annotations

import pytest

from spark_tui.refactor import docs
from spark_tui.refactor.known import PLAIN, known

CODE = """import sys


def load(name):
    return name


def _inner():
    return 1


def main():
    print(load(sys.argv[1]))


main()
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of an order is theirs to test."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", docs.RULES)


def plainly(instruction: str, code: str = CODE) -> str:
    lines = code.split("\n")[:-1]
    found = known(lines, instruction)
    assert len(found) == 1 and found[0].plain == PLAIN, (instruction, found)
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "instruction",
    [
        'add an if __name__ == "__main__" guard',
        "wrap the main call in if __name__ == '__main__'",
        "call main only when run as a script",
        "main should only run when the file is executed directly",
        "put the call of main under a main guard",
        "guard the main() call with the usual __name__ check",
        "don't run main on import",
    ],
)
def test_the_call_of_main_is_guarded(instruction: str) -> None:
    assert plainly(instruction) == CODE.removesuffix("main()\n") + 'if __name__ == "__main__":\n    main()\n'


def test_all_that_runs_is_guarded() -> None:
    code = CODE.removesuffix("main()\n") + "# go\nfor name in sys.argv:\n    print(load(name))\n"
    wanted = 'if __name__ == "__main__":\n    # go\n    for name in sys.argv:\n        print(load(name))\n'
    assert plainly("add a __main__ guard", code) == CODE.removesuffix("main()\n") + wanted


def test_the_first_lines() -> None:
    assert plainly("add a shebang") == f"#!/usr/bin/env python3\n{CODE}"
    assert plainly("remove the shebang", f"#!/usr/bin/python\n{CODE}") == CODE
    assert plainly("add an utf-8 encoding line") == f"# -*- coding: utf-8 -*-\n{CODE}"
    assert plainly("add the encoding declaration at the top", f"#!/bin/x\n{CODE}").startswith("#!/bin/x\n# -*- coding")


def test_what_the_file_gives_out() -> None:
    wanted = 'import sys\n\n__all__ = ["load", "main"]\n'
    assert plainly("add __all__", CODE + '"a", "b"\n').startswith(wanted)
    assert '__all__ = ["load"]' in plainly("define __all__ with load", CODE + '"a", "b"\n')


@pytest.mark.parametrize(
    ("instruction", "code"),
    [
        (
            'add an if __name__ == "__main__" guard',
            CODE.replace("main()\n", 'if __name__ == "__main__":\n    main()\n'),
        ),
        ("add a main guard", "def f():\n    return 1\n"),
        ("remove the shebang", CODE),
        ("add a shebang", f"#!/usr/bin/python\n{CODE}"),
        ("add __all__", "x = 1\n"),
        ("rename main to run", CODE),
        ("import the script in main", CODE),
    ],
)
def test_what_is_there_or_is_not_meant_is_left(instruction: str, code: str) -> None:
    assert not known(code.split("\n")[:-1], instruction)
