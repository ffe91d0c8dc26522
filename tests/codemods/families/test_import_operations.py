"""Imports are removed when nothing needs them, and added where they belong."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal, texts_after

FILES = {
    "a.py": (
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport os\nimport sys  # noqa\nfrom re import'
        " (\n    compile,\n    match,\n    search as s,\n)\nimport json, csv\nfrom b import Kept, Used\n\nx:"
        ' "Used" = match\ntry:\n    import fast\nexcept ImportError:\n    pass\n'
    ),
    "b.py": "import abc\nfrom collections import OrderedDict as Kept\n\nclass Used: ...\n",
    "c.py": "import os; import sys\nif os:\n    import re\n",
    "p/__init__.py": "from b import Used\n",
}


def text(call: str, path: str) -> str:
    return texts_after(call, FILES)[path] or ""


def test_unused_imports_go_and_what_others_need_stays() -> None:
    assert (
        text("remove_unused_imports a.py", "a.py")
        == '"""Doc."""\n\nfrom __future__ import annotations\n\nimport sys  # noqa\nfrom re import (\n   '
        ' match,\n)\nfrom b import Used\n\nx: "Used" = match\ntry:\n    import fast\nexcept ImportError:\n'
        "    pass\n"
    )
    assert text("remove_unused_imports b.py", "b.py") == FILES["b.py"].removeprefix("import abc\n")
    assert text("remove_unused_imports c.py", "c.py") == "import os\nif os:\n    pass\n"
    assert "may offer it" in str(refusal("remove_unused_imports p/__init__.py", FILES))


def test_removing_twice_is_refused() -> None:
    after = {**FILES, "a.py": text("remove_unused_imports a.py", "a.py")}
    assert "no import is unused" in str(refusal("remove_unused_imports a.py", after))


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        ("add_import m.py os", "x = 1\n", "import os\n\nx = 1\n"),
        ("add_import m.py os", '"""Doc."""\nx = 1\n', '"""Doc."""\n\nimport os\n\nx = 1\n'),
        (
            "add_import m.py re match",
            "import os\nfrom re import compile\n",
            "import os\nfrom re import compile, match\n",
        ),
        ("add_import m.py re match", "from re import sub\n", "from re import match, sub\n"),
        ("add_import m.py re match", "from re import sub, I\n", "from re import sub, I, match\n"),
        (
            "add_import m.py re match",
            "from re import (\n    I,  # case\n    sub,\n)\n",
            "from re import (\n    I,  # case\n    match,\n    sub,\n)\n",
        ),
        (
            "add_import m.py re sub",
            "from re import (\n    I,\n    match,  # front\n)\n",
            "from re import (\n    I,\n    match, sub,  # front\n)\n",
        ),
        ("add_import m.py sys", "import os\nimport numpy\n", "import os\nimport sys\nimport numpy\n"),
        (
            "add_import m.py numpy alias=np",
            "import os\r\n\r\nx = 1\r\n",
            "import os\r\n\r\nimport numpy as np\r\n\r\nx = 1\r\n",
        ),
        (
            "sort_imports m.py",
            "from b import d, C\nimport os\nimport a\n",
            "import os\n\nimport a\nfrom b import C, d\n",
        ),
    ],
)
def test_an_import_goes_where_it_belongs(call: str, before: str, after: str) -> None:
    files = {"m.py": before}
    assert texts_after(call, files)["m.py"] == after


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("add_import a.py match", "exists already"),
        ("add_import a.py 1x", "cannot be imported"),
        ("add_import q.py os", "no such file"),
        ("sort_imports p/__init__.py", "are sorted"),
    ],
)
def test_what_cannot_be_imported_is_refused(call: str, reason: str) -> None:
    assert reason in str(refusal(call, FILES))


@pytest.mark.parametrize("head", ["def test_it_is_there():", "with warns(Deprecated):"])
def test_an_import_that_is_all_that_its_block_does_is_kept(head: str) -> None:
    files = {
        "m.py": f"from some import warns, Deprecated\n\nprint(warns, Deprecated)\n{head}\n    import gone\n"
    }
    assert "its block does nothing else" in str(refusal("remove_unused_imports m.py", files))


def test_an_import_in_a_class_is_a_member_and_stays() -> None:
    code = "import re\n\n\nclass A:\n    from json import dumps\n    show = lambda self: self.dumps(1)\n"
    files = {"m.py": code}
    text = texts_after("remove_unused_imports m.py", files)["m.py"]
    assert text is not None and "import re" not in text and "from json import dumps" in text


def test_what_a_file_sets_in_a_module_is_not_imported_from_it() -> None:
    files = {
        "a.py": "x = 1\n",
        "b.py": "import a\n\na.extra = 2\nprint(a.extra, a.x)\n",
        "c.py": "import a\n\nprint(a.late)\n",
    }
    text = str(texts_after("use_from_import b.py a", files)["b.py"])
    assert text == "import a\nfrom a import x\n\na.extra = 2\nprint(a.extra, x)\n"
    assert "has no late" in str(refusal("use_from_import c.py a", files))


@pytest.mark.parametrize(
    ("before", "call", "after"),
    [
        ("import abc\nimport re\n", "add_import m.py json", "import abc\nimport json\nimport re\n"),
        (
            "import re\nfrom abc import ABC\n",
            "add_import m.py json",
            "import json\nimport re\nfrom abc import ABC\n",
        ),
        (
            "import re\nfrom abc import ABC\n",
            "add_import m.py time",
            "import re\nimport time\nfrom abc import ABC\n",
        ),
        ("import re\nimport abc\n", "add_import m.py json", "import re\nimport abc\nimport json\n"),
    ],
)
def test_a_new_import_stands_in_the_order_of_a_sorted_group(before: str, call: str, after: str) -> None:
    files = {"m.py": before}
    assert texts_after(call, files)["m.py"] == after


@pytest.mark.parametrize("between", ["sys.path.insert(0, 'lib')\n", "# isort: off\n"])
def test_a_new_import_is_not_put_before_what_stands_between_imports(between: str) -> None:
    files = {"m.py": f"import ast\n{between}import sys\n"}
    made = texts_after("add_import m.py json", files)["m.py"]
    assert made == f"import ast\n{between}import sys\nimport json\n"


HOISTED = """import os


def read(x):
    \"\"\"Doc.\"\"\"
    import json

    return json.loads(x)


def other():
    import json  # later


def tried():
    try:
        import json
    except ImportError:
        json = None
    return os, json
"""


def test_an_import_at_the_top_takes_the_place_of_those_in_functions() -> None:
    files = {"m.py": HOISTED}
    made = str(texts_after("add_import m.py json hoist=true", files)["m.py"])
    assert made.startswith("import json\nimport os\n")
    assert '"""Doc."""\n    return json.loads(x)\n' in made
    assert "def other():\n    pass  # later\n" in made
    assert "    try:\n        import json\n" in made
    assert "exists already" in str(refusal("add_import m.py json hoist=true", {"m.py": made}))
    assert "import json  # later" in str(texts_after("add_import m.py json", files)["m.py"])


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (
            "from typing import List\n\n\ndef f(x) -> List[int]:\n    return [x]\n",
            "def f(x) -> list[int]:\n    return [x]\n",
        ),
        (
            '"""Doc."""\n\nfrom typing import List\n\n\ndef f(x) -> List[int]:\n    return [x]\n',
            '"""Doc."""\n\n\ndef f(x) -> list[int]:\n    return [x]\n',
        ),
        (
            "import os\nfrom typing import Any, List\n\n\ndef f(x: Any) -> List[int]:\n    return [x, os]\n",
            "import os\nfrom typing import Any\n\n\ndef f(x: Any) -> list[int]:\n    return [x, os]\n",
        ),
    ],
)
def test_an_import_goes_with_the_only_type_that_needed_it(code: str, wanted: str) -> None:
    assert texts_after("annotate_return m.f list[int]", {"m.py": code})["m.py"] == wanted


def test_an_import_that_another_file_takes_from_there_stays() -> None:
    code = "from typing import List\n\n\ndef f(x) -> List[int]:\n    return [x]\n"
    files = {"m.py": code, "n.py": "from m import List\n\nx: List[int] = []\n"}
    found = texts_after("annotate_return m.f list[int]", files)["m.py"] or ""
    assert found.startswith("from typing import List\n")


def test_an_import_of_the_library_stands_above_what_the_module_sets() -> None:
    code = "import sys\n\npaths = sys.path\n\nimport warnings\n"
    made = texts_after("use_from_import m.py sys", {"m.py": code})["m.py"]
    assert made == "from sys import path\n\npaths = path\n\nimport warnings\n"
    made = texts_after("add_import m.py re", {"m.py": code})["m.py"]
    assert made == code.replace("import sys\n", "import re\nimport sys\n")
