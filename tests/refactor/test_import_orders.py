# ruff: noqa: E501 - cases read better unbroken
"""Imports as they are ordered."""

from __future__ import annotations

import pytest

from spark_tui.refactor import docs, imports
from spark_tui.refactor.known import PLAIN, known

CODE = """import json
import math
import os
import sys

import requests
from flask import Flask, jsonify

app = Flask(__name__)


def load(name):
    path = os.path.join("data", name)
    with open(path) as f:
        return json.load(f)


def area(radius):
    return math.pi * radius ** 2


def fetch(url):
    return requests.get(url).json()
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of an order is theirs to test."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", (*docs.RULES, *imports.RULES))


def made(instruction: str, code: str = CODE) -> list[tuple[str, int]]:
    lines = code.split("\n")[:-1]
    out = []
    for one in known(lines, instruction):
        text = list(lines)
        for hunk in reversed(one.hunks):
            text[hunk.first : hunk.last] = hunk.new
        out.append(("\n".join(text) + "\n", one.plain))
    return out


def plainly(instruction: str, code: str = CODE) -> str:
    found = made(instruction, code)
    assert len(found) == 1 and found[0][1] == PLAIN, (instruction, found)
    return found[0][0]


@pytest.mark.parametrize(
    "instruction",
    [
        "import time",
        "add import time",
        "please import the time module",
        "we need time imported",
        "add the missing import of time",
        "add `import time` at the top",
        "I need time, import it",
    ],
)
def test_a_module_is_imported(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("import sys\n", "import sys\nimport time\n")


@pytest.mark.parametrize(
    "instruction",
    [
        "import Path",
        "import Path from pathlib",
        "add from pathlib import Path",
        "Path from pathlib should be imported",
        "missing import: Path from pathlib",
        "import pathlib's Path",
    ],
)
def test_a_name_is_imported_from_where_it_is(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("import sys\n", "import sys\nfrom pathlib import Path\n")


def test_a_name_joins_the_import_of_its_module() -> None:
    wanted = CODE.replace("Flask, jsonify", "Flask, jsonify, request")
    assert plainly("import request from flask") == wanted
    assert plainly("from flask import request") == wanted


def test_several_and_an_alias() -> None:
    assert plainly("import csv and time") == CODE.replace("import json", "import csv\nimport json").replace(
        "import sys\n", "import sys\nimport time\n"
    )
    assert made("import numpy as np")[0][0] == CODE.replace("import requests", "import numpy as np\nimport requests")


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the import of sys",
        "sys isn't used, kick it out",
        "drop import sys",
        "get rid of the unused sys import",
        "we don't need sys any more, remove the import",
        "ruff F401 sys",
        "the sys import can go",
    ],
)
def test_an_import_goes(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("import sys\n", "")


@pytest.mark.parametrize(
    "instruction",
    ["remove unused imports", "drop all the imports that are not used", "clean up the unused imports", "fix F401"],
)
def test_what_nothing_uses_goes(instruction: str) -> None:
    wanted = CODE.replace("import sys\n", "").replace("Flask, jsonify", "Flask")
    assert plainly(instruction) == wanted


def test_a_name_goes_out_of_an_import() -> None:
    assert plainly("remove the unused jsonify import") == CODE.replace("Flask, jsonify", "Flask")
    code = "from a import (\n    one,\n    two,\n    three,\n)\n\nprint(one, three)\n"
    assert plainly("drop the import of two", code) == code.replace("    two,\n", "")
    assert plainly("remove unused imports", code.replace("print(one, three)", "print(one)")) == (
        "from a import (\n    one,\n)\n\nprint(one)\n"
    )


@pytest.mark.parametrize("instruction", ["sort the imports", "imports in alphabetical order please", "isort", "order the imports by name"])  # fmt: skip
def test_imports_are_sorted_in_their_groups(instruction: str) -> None:
    mixed = CODE.replace(
        "import json\nimport math\nimport os\nimport sys\n", "import sys\nimport os\nimport json\nimport math\n"
    )
    assert plainly(instruction, mixed) == CODE


def test_where_groups_are_mixed_both_orders_are_shown() -> None:
    code = "import sys\nimport requests\nimport os\n\nprint(1)\n"
    assert [text for text, _ in made("sort the imports", code)] == [
        "import os\nimport requests\nimport sys\n\nprint(1)\n",
        "import os\nimport sys\n\nimport requests\n\nprint(1)\n",
    ]


def test_names_instead_of_the_module() -> None:
    wanted = CODE.replace("import math\n", "from math import pi\n").replace("math.pi", "pi")
    assert plainly("use from math import pi") == wanted
    assert plainly("import the name pi instead of the module math") == wanted
    assert plainly("from-import for math") == wanted
    assert plainly("from math import pi and use it") == wanted
    assert plainly("pi directly instead of math.pi") == wanted


def test_the_module_instead_of_names() -> None:
    code = "from math import pi\n\nprint(pi * 2)\n"
    assert plainly("use math.pi instead of pi", code) == "import math\n\nprint(math.pi * 2)\n"


@pytest.mark.parametrize(
    "instruction", ["add the missing import", "there's an import missing", "fix the missing imports"]
)
def test_what_is_used_and_known_is_imported(instruction: str) -> None:
    code = "import os\n\nprint(os.sep, time.time(), unheard_of)\n"
    assert plainly(instruction, code) == code.replace("import os\n", "import os\nimport time\n")


def test_an_alias_and_its_uses() -> None:
    code = "import numpy\n\nx = numpy.zeros(3) + numpy.pi\n"
    assert plainly("import numpy as np", code) == "import numpy as np\n\nx = np.zeros(3) + np.pi\n"
    assert plainly("use the usual alias for numpy", code) == "import numpy as np\n\nx = np.zeros(3) + np.pi\n"


@pytest.mark.parametrize(
    ("code", "instruction", "wanted"),
    [
        ("import os\n\nprint(os.sep, time.time())\n", "NameError: name 'time' is not defined", "import os\nimport time\n\n"),
        ("import os\nimport re\nimport sys\n\nx = Path('a')\n", "it crashes with NameError: name 'Path' is not defined", "import os\nimport re\nimport sys\nfrom pathlib import Path\n\n"),
        ("x = np.zeros(3)\n", "np is not defined", "import numpy as np\n\n"),
        ("x = datetime.now()\n", "i forgot to import datetime", "from datetime import datetime\n\n"),
        ("x = sleep(1)\n", "fix: Traceback (most recent call last): File \"a.py\", line 1, in <module> x = sleep(1) NameError: name 'sleep' is not defined. Did you forget to import 'sleep'?", "from time import sleep\n\n"),
    ],
)  # fmt: skip
def test_an_error_says_which_import_is_missing(code: str, instruction: str, wanted: str) -> None:
    assert made(instruction, code)[0][0].startswith(wanted)


@pytest.mark.parametrize(
    ("code", "instruction", "wanted"),
    [
        ("total = 1\nprint(totl)\n", "NameError: name 'totl' is not defined. Did you mean: 'total'?", "total = 1\nprint(total)\n"),
        ("total = 1\nprint(totl)\n", "name 'totl' is not defined", "total = 1\nprint(total)\n"),
        ("x = []\nx.appned(1)\n", "AttributeError: 'list' object has no attribute 'appned'. Did you mean: 'append'?", "x = []\nx.append(1)\n"),
        ("import reqeusts\n\nreqeusts.get('x')\n", "ModuleNotFoundError: No module named 'reqeusts'", "import requests\n\nrequests.get('x')\n"),
        ("from collections import Countr\n\nc = Countr()\n", "ImportError: cannot import name 'Countr' from 'collections'. Did you mean: 'Counter'?", "from collections import Counter\n\nc = Counter()\n"),
    ],
)  # fmt: skip
def test_an_error_says_which_name_was_meant(code: str, instruction: str, wanted: str) -> None:
    assert plainly(instruction, code) == wanted


@pytest.mark.parametrize(
    "instruction",
    [
        "import os",
        "from flask import Flask",
        "remove the import of re",
        "os isn't used, remove it",
        "import the data from data.csv",
        "sort the imports",
        "import users into the database",
        "import users from csv",
        "import the random module from numpy",
        "import json data",
        "NameError: name 'jsn' is not defined, set it to None before the loop",
        "add an import button to the page",
        "requests should use a timeout",
        "put the requests import first",
        "fix the missing import",
        "catch the NameError: name 'json' is not defined and return None",
    ],
)
def test_what_is_there_or_is_not_meant_is_left(instruction: str) -> None:
    assert not [one for one in made(instruction) if one[1] == PLAIN]
