"""Every shape in which models are known to send an edit, and what is none: `tests/cases/shapes`.

A case has an answer, and what must come of it: texts of the files that become others (`was`, `is`), whole
files (`result`), a failure, or nothing. The files are those of `tests/cases/shapes/files`; the model was
shown all of them, unless the case says which.
"""

import re
from pathlib import Path

import pytest
from support.named_cases import case_named

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser
from spark_tui.errors import IsFolder

PLACE = Path(__file__).resolve().parents[1] / "cases" / "shapes"
FILES = {
    path.relative_to(PLACE / "files").as_posix(): path.read_text("utf-8").split("\n")[:-1]
    for path in sorted((PLACE / "files").rglob("*"))
    if path.is_file()
}
CASES = sorted(PLACE.glob("*.txt"))
WHOLE = 1 << 20


def sections(case):
    parts = re.split(
        r"^=== (answer|was|is|result|failure|nothing|shown|gone) ?(.*)\n", case.read_text(), flags=re.M
    )
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def wanted(found):
    """The files afterwards."""
    files = {path: "".join(line + "\n" for line in lines) for path, lines in FILES.items()}
    for at, (kind, path, body) in enumerate(found):
        if kind == "was":
            after = found[at + 1]
            assert after[0] == "is"
            assert files[path].count(body) == 1, f"{body!r} must stand once in {path}"
            files[path] = files[path].replace(body, after[2])
        elif kind == "result":
            files[path] = body
        elif kind == "gone":
            del files[path]
    return files


def read(found, cut):
    asked, answer = next((rest, body) for kind, rest, body in found if kind == "answer")
    shown = next((rest.split() for kind, rest, _ in found if kind == "shown"), list(FILES))
    parser = Parser("auto", FILES.get, asked=asked, shown=shown)
    for at in range(0, len(answer), cut):
        for _ in parser.feed(answer[at : at + cut]):
            pass
    for _ in parser.finish():
        pass
    return parser


def files_after(parser):
    out = {path: list(lines) for path, lines in FILES.items()}
    for path in dict.fromkeys(hunk.path for hunk in parser.hunks):
        mine = [hunk for hunk in parser.hunks if hunk.path == path]
        if any(hunk.kind == "delete" for hunk in mine):
            del out[path]
            continue
        edits = [hunk for hunk in mine if hunk.kind in ("edit", "add")]
        out[path] = apply_to_lines(out.get(path, []), edits)
        for move in (hunk for hunk in mine if hunk.kind == "move"):
            out[move.new_path] = out.pop(path)
    return {path: "".join(line + "\n" for line in lines) for path, lines in out.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_an_answer_of_this_shape(case):
    found = sections(case)
    said = [body.strip() for kind, _, body in found if kind == "failure"]
    for cut in (WHOLE, 1, 7, 40):
        with case_named("pieces of", cut):
            parser = read(found, cut)
            failures = [failure.message for failure in parser.failures]
            assert files_after(parser) == wanted(found)
            if said:
                assert failures
                assert said[0] in failures[0]
            else:
                assert failures == []
                assert bool(parser.hunks) != any(kind == "nothing" for kind, _, _ in found)


def test_code_below_the_name_of_a_folder_is_an_example():
    def read_lines(path):
        if path == "shop":
            raise IsFolder("this is a folder", where=path)
        return FILES.get(path)

    parser = Parser("auto", read_lines, shown=list(FILES))
    list(parser.feed("Used in\n\n1. `cart`\n2. `shop`\n\n```python\nx = 1\n```\n"))
    list(parser.finish())
    assert (parser.hunks, parser.failures) == ([], [])


def test_the_corpus_is_large_enough():
    kinds = [{kind for kind, _, _ in sections(case)} for case in CASES]
    edits = sum(bool(kind & {"was", "result", "gone"}) and "failure" not in kind for kind in kinds)
    assert len(CASES) >= 80
    assert edits >= 60


@pytest.mark.parametrize(
    "name", ["elided_class", "whole_two_files", "json_several_files", "pair_replace_with"]
)
def test_a_stop_anywhere_keeps_what_closed_and_the_rest_can_go_on(name):
    found = sections(PLACE / f"{name}.txt")
    answer = next(body for kind, _, body in found if kind == "answer")
    for end in range(0, len(answer), 11):
        parser = Parser("auto", FILES.get, shown=list(FILES))
        list(parser.feed(answer[:end]))
        closed = list(parser.hunks)
        assert all(event.partial for event in parser.interrupt())
        assert list(parser.hunks) == closed
        list(parser.feed(answer[end:]))
        list(parser.finish())
        assert not parser.failures
        assert files_after(parser) == wanted(found)


def test_a_whole_file_that_names_no_file_is_that_of_the_file_that_was_shown():
    file = ['"""A cart."""', "", "LIMIT = 10", "", "", "def add(cart, item):", "    cart.append(item)"]
    new = [*file[:6], "    if item:", "        cart.append(item)"]
    parser = Parser("auto", {"cart.py": file}.get, shown=["cart.py"])
    answer = "\n".join(["Here is the updated file:", "", "```python", *new, "```", ""])
    list(parser.feed(answer))
    list(parser.finish())
    assert apply_to_lines(file, parser.hunks) == new


def edited(old, imports):
    """The file after an answer with these imports and a changed function."""
    parser = Parser("auto", {"a.py": old.split("\n")[:-1]}.get, shown=["a.py"])
    answer = f"a.py\n```python\n{imports}\n\n\ndef f(x):\n    return os.sep + a(x)\n```\n"
    assert [*parser.feed(answer), *parser.finish()]
    return "".join(f"{line}\n" for line in apply_to_lines(old.split("\n")[:-1], parser.hunks))


@pytest.mark.parametrize(
    "last",
    [
        "from x import (a,\n               b)",
        "from x import (\n    a,\n    b)",
        "from x import (\n    a,  # the first :(\n    b,\n)",
        "from x import a, \\\n    b",
        "from x import a, b  # (both",
    ],
)
def test_an_import_goes_behind_one_of_several_lines(last):
    old = f"import re\n{last}\n\n\ndef f(x):\n    return a(x)\n\n\ndef g(x):\n    return 1\n"
    new = old.replace(last, f"{last}\nimport os").replace("return a(x)", "return os.sep + a(x)")
    assert edited(old, "import os") == new


@pytest.mark.parametrize("head", ['"""Doc."""\n\n', "# Why\n\n", "from __future__ import division\n"])
def test_what_has_to_be_the_first_import_goes_before_the_others(head):
    rest = "import re\nimport os\n\n\ndef f(x):\n    return a(x)\n\n\ndef g(x):\n    return 1\n"
    new = edited(head + rest, "from __future__ import annotations\n\nimport os")
    compile(new, "a.py", "exec")
    assert "from __future__ import annotations\n" in new
    assert new.endswith(rest.replace("return a(x)", "return os.sep + a(x)"))


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ('"""Usage:\n\nimport cart\n"""\n', '"""Usage:\n\nimport cart\n"""\nimport os\n'),
        (
            'import re\n\nCODE = """\nimport cart\n"""\n',
            'import re\nimport os\n\nCODE = """\nimport cart\n"""\n',
        ),
        ('r"""Doc."""\n', 'r"""Doc."""\nimport os\n'),
        ("'Doc.'\n", "'Doc.'\nimport os\n"),
    ],
)
def test_an_import_goes_into_no_text_and_not_before_the_docstring(head, after):
    rest = "\n\ndef f(x):\n    return a(x)\n\n\ndef g(x):\n    return 1\n"
    assert edited(head + rest, "import os") == after + rest.replace("return a(x)", "return os.sep + a(x)")


@pytest.mark.parametrize("code", ["os.name", "name"])
@pytest.mark.parametrize("name", ["import os", "from os import name"])
def test_imports_that_a_whole_file_lacks_go_only_where_they_are_unused(code, name):
    new = f'"""Doc."""\n\n\ndef f():\n    return {code}\n\n\ndef g():\n    return 1\n'
    old = new.replace('"""\n', f'"""\n{name}\nimport re\n', 1).split("\n")[:-1]
    parser = Parser("auto", {"a.py": old}.get, shown=("a.py",))
    list(parser.feed(f"a.py\n```python\n{new}```\n"))
    list(parser.finish())
    gone = [line for hunk in parser.hunks for line in hunk.old_lines if line]
    assert gone == ([name, "import re"] if (code, name) == ("name", "import os") else [])
