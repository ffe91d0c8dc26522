# ruff: noqa: E501 - cases read better unbroken
"""A new import goes where a person would put it."""

from __future__ import annotations

import pytest

from spark_tui.refactor.imports_of import ways_to_import, with_import
from spark_tui.refactor.source import Source


def added(text: str, line: str) -> str:
    src = Source(text.split("\n")[:-1])
    change = with_import(src, line)
    assert change is not None
    return src.changed([change])


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ("x = 1\n", "import os", "import os\n\nx = 1\n"),
        ("def f():\n    pass\n", "import os", "import os\n\n\ndef f():\n    pass\n"),
        ("#!/usr/bin/env python\nx = 1\n", "import os", "#!/usr/bin/env python\nimport os\n\nx = 1\n"),
        ("# (c) me\n\nx = 1\n", "import os", "# (c) me\n\nimport os\n\nx = 1\n"),
        ("# the first\nx = 1\n", "import os", "import os\n\n# the first\nx = 1\n"),
        ('"""Doc."""\n\nx = 1\n', "import os", '"""Doc."""\n\nimport os\n\nx = 1\n'),
        ('"""Doc."""\nx = 1\n', "import os", '"""Doc."""\n\nimport os\n\nx = 1\n'),
        ("", "import os", "import os\n"),
    ],
)  # fmt: skip
def test_where_there_are_no_imports_it_is_the_first_code(text: str, line: str, wanted: str) -> None:
    assert added(text, line) == wanted


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ("import json\nimport sys\n", "import os", "import json\nimport os\nimport sys\n"),
        ("import os\nimport sys\n", "import time", "import os\nimport sys\nimport time\n"),
        ("import sys\nfrom a import b\n", "import os", "import os\nimport sys\nfrom a import b\n"),
        ("import sys\nimport json\nimport re\n", "import os", "import sys\nimport json\nimport re\nimport os\n"),
        ("import sys\nimport json\nfrom re import sub\n", "import os", "import sys\nimport json\nimport os\nfrom re import sub\n"),
        ("import os\n\nimport requests\n", "import json", "import json\nimport os\n\nimport requests\n"),
        ("import os\n\nimport requests\n", "import numpy as np", "import os\n\nimport numpy as np\nimport requests\n"),
        ("import requests\n", "import json", "import json\n\nimport requests\n"),
        ("import os\n", "import requests", "import os\n\nimport requests\n"),
        ("import os\nimport requests\n", "from .a import b", "import os\nimport requests\nfrom .a import b\n"),
        ("import os\n\nfrom .a import b\n", "import requests", "import os\n\nimport requests\n\nfrom .a import b\n"),
        ("from __future__ import annotations\n\nimport re\n", "import os", "from __future__ import annotations\n\nimport os\nimport re\n"),
        ("import os\nimport requests\n", "from __future__ import annotations", "from __future__ import annotations\n\nimport os\nimport requests\n"),
        ("import re\n\n\ndef f(): pass\n\n\nimport late\n", "import os", "import os\nimport re\n\n\ndef f(): pass\n\n\nimport late\n"),
    ],
)  # fmt: skip
def test_it_joins_its_group_in_order(text: str, line: str, wanted: str) -> None:
    assert added(text, line) == wanted


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ("from a import b\n", "from a import c", "from a import b, c\n"),
        ("from a import b, d\n", "from a import c", "from a import b, c, d\n"),
        ("from a import d, b\n", "from a import c", "from a import d, b, c\n"),
        ("from a import B, c\n", "from a import A", "from a import A, B, c\n"),
        ("from a import (\n    b,\n    d,\n)\n", "from a import e", "from a import (\n    b,\n    d,\n    e,\n)\n"),
        ("from a import (\n    b,\n)\n", "from a import c", "from a import (\n    b,\n    c,\n)\n"),
        ("from .a import b\n", "from .a import c as d", "from .a import b, c as d\n"),
        ("from a import *\n", "from a import c", "from a import *\nfrom a import c\n"),
    ],
)
def test_names_of_one_module_stand_together(text: str, line: str, wanted: str) -> None:
    assert added(text, line) == wanted


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import os\n", "import os"),
        ("import os, sys\n", "import sys"),
        ("import os.path\n", "import os.path"),
        ("from a import (\n    b,\n    c,\n)\n", "from a import c"),
        ("try:\n    import json\nexcept ImportError:\n    json = None\n", "import json"),
        ("def f(:\n", "import os"),
        ("x = 1\n", "print(1)"),
    ],
)
def test_what_is_there_or_cannot_be_placed_is_no_change(text: str, line: str) -> None:
    assert with_import(Source(text.split("\n")[:-1]), line) is None


def test_the_top_of_the_file_is_not_shown() -> None:
    assert with_import(Source(["    def f(self):", "        pass"], ["class A:"]), "import os") is None


def test_where_the_order_is_not_sure_the_end_is_a_way_too() -> None:
    src = Source(["import torch"])
    assert [src.changed([way]) for way in ways_to_import(src, "import os")] == [
        "import os\n\nimport torch\n",
        "import torch\nimport os\n",
    ]
    assert len(ways_to_import(src, "from __future__ import annotations")) == 1
    assert len(ways_to_import(Source(["import json", "import re", "import sys"]), "import os")) == 1
