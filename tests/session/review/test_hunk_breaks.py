"""Findings of the checks, traced to the hunks that cause them."""

import itertools

import pytest
from support.small_repositories import written

from spark_tui.edits.hunk import Hunk
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.review import hunk_breaks
from spark_tui.session.review.hunk_breaks import ACROSS_FILES, IN_FILE, HunkBreaks
from spark_tui.session.review.repository_checks import BreakReport, RepositoryChecks
from spark_tui.workspace.files import Tree

MODULE = "".join(f"def f{number}(a):\n    return a\n" for number in range(30))
USES = "from m import *\nimport m\n\n" + "".join(f"m.f{number}(1)\n" for number in range(30))


def found(files, *hunks):
    breaks = checks_of(files, hunks).find((*IN_FILE, *ACROSS_FILES))
    return [(item.hunk_id, item.path, item.line) for item in breaks]


def checks_of(files, hunks):
    files = dict(files)
    repo = Repository(DictTree(files))

    def texts_of(some):
        out = {}
        for path, group in itertools.groupby(
            sorted(some, key=lambda item: item.path), lambda item: item.path
        ):
            group = list(group)
            if group[0].kind == "delete":
                out[path] = None
                continue
            if group[0].kind == "add":
                out[path] = "".join(f"{line}\n" for line in group[0].new_lines)
                continue
            lines = files[path].splitlines()
            for one in sorted(group, key=lambda item: -item.old_start):
                lines[one.old_start - 1 : one.old_end - 1] = one.new_lines
            out[path] = "".join(f"{line}\n" for line in lines)
        return out

    return HunkBreaks(repo, hunks, texts_of)


def with_parameter(number):
    """The hunk that gives f<number> a second parameter."""
    old = f"def f{number}(a):"
    return Hunk(number + 1, "m.py", 2 * number + 1, (old,), (old.replace("(a)", "(a, b)"),))


@pytest.mark.parametrize("count", [2, hunk_breaks.MOST_TRACED_HUNKS, hunk_breaks.MOST_TRACED_HUNKS + 8])
def test_each_hunk_gets_what_it_breaks_however_many_there_are(count):
    hunks = [with_parameter(number) for number in range(count)]
    assert sorted(found({"m.py": MODULE, "uses.py": USES}, *hunks)) == [
        (number + 1, "uses.py", number + 4) for number in range(count)
    ]


def test_what_was_found_stands_where_there_is_no_time_to_trace_it(monkeypatch):
    def no_time(*_):
        raise hunk_breaks.OutOfTime

    monkeypatch.setattr(HunkBreaks, "_left_without", no_time)
    assert sorted(found({"m.py": MODULE, "uses.py": USES}, with_parameter(0), with_parameter(5))) == [
        (1, "uses.py", 4),
        (6, "uses.py", 9),
    ]


@pytest.mark.parametrize("line", ["from m import f1", "import m", "from m import f1 as f"])
def test_a_file_that_is_deleted_breaks_its_importers(line):
    gone = Hunk(1, "m.py", 1, tuple(MODULE.splitlines()), (), "delete")
    assert found({"m.py": MODULE, "uses.py": f"\n{line}\n"}, gone) == [(1, "uses.py", 2)]


def test_a_file_that_is_deleted_breaks_those_that_are_added_with_imports_of_it():
    gone = Hunk(1, "m.py", 1, tuple(MODULE.splitlines()), (), "delete")
    new = Hunk(2, "new.py", 1, (), ("import os", "from m import f1"), "add")
    assert found({"m.py": MODULE}, gone, new) == [(2, "new.py", 2)]
    moved = Hunk(2, "new.py", 1, (), ("import os", "from n import f1"), "add")
    there = Hunk(3, "n.py", 1, (), tuple(MODULE.splitlines()), "add")
    assert found({"m.py": MODULE}, gone, moved, there) == []


def test_a_module_that_becomes_a_package_breaks_nobody():
    gone = Hunk(1, "m.py", 1, tuple(MODULE.splitlines()), (), "delete")
    new = Hunk(2, "m/__init__.py", 1, (), tuple(MODULE.splitlines()), "add")
    assert found({"m.py": MODULE, "uses.py": "from m import f1\nimport m\n"}, gone, new) == []


def test_submodules_of_a_package_without_its_init_file_can_still_be_imported():
    files = {"p/__init__.py": "", "p/a.py": "x = 1\n", "uses.py": "import p\nfrom p import a\nimport p.a\n"}
    assert found(files, Hunk(1, "p/__init__.py", 1, (), (), "delete")) == []


def test_a_new_file_is_checked_too():
    new = Hunk(4, "new.py", 1, (), ("from m import f1", "f1(1, 2)", "print(nothing)"), "add")
    assert sorted(found({"m.py": MODULE}, new)) == [(4, "new.py", 2), (4, "new.py", 3)]


def test_a_name_whose_definition_another_hunk_removed_marks_that_hunk():
    files = {"a.py": "limit = 3\n\n\ndef f():\n    x = 1\n    return limit\n"}
    removes = Hunk(1, "a.py", 1, ("limit = 3",), ())
    other = Hunk(2, "a.py", 5, ("    x = 1",), ("    x = 2",))
    assert found(files, removes, other) == [(1, "a.py", 5)]


def test_what_was_broken_before_is_nobodys_fault():
    files = {"m.py": MODULE, "uses.py": "import m\nm.f1(1, 2, 3)\nprint(nothing)\n"}
    assert found(files, Hunk(1, "uses.py", 2, ("m.f1(1, 2, 3)",), ("m.f1(1, 2, 3)  # so",))) == []


def test_a_sentence_names_the_place():
    repo, removes = Repository(DictTree({"a.py": "x = 1\n\nx\n"})), Hunk(1, "a.py", 1, ("x = 1",), ("",))
    (one,) = HunkBreaks(repo, [removes], lambda some: {"a.py": "\n\nx\n"}).find(IN_FILE)
    assert one.reason == "breaks a.py:3: nothing defines x"


STORE = "class Store:\n    def read(self):\n        return 1\n\n\nstore = Store()\n"
READ = "        return 1"
DEFINES = "        return 1\n\n    def flush(self):\n        return 2"


def undefined(files, whole, accepted):
    return checks_of(files, accepted).find_undefined(whole)


@pytest.mark.parametrize(
    ("uses", "reason"),
    [
        (Hunk(2, "uses.py", 3, ("store.read()",), ("store.flush()",)), "uses.py:3: Store has no flush"),
        (
            Hunk(2, "m.py", 6, ("store = Store()",), ("store = Store()", "Store().flush()")),
            "Store has no flush",
        ),
    ],
)
def test_a_member_that_only_a_hunk_left_out_defines_is_named(uses, reason):
    files = {"m.py": STORE, "uses.py": "from m import store\n\nstore.read()\n"}
    defines = Hunk(1, "m.py", 3, (READ,), tuple(DEFINES.splitlines()))
    (one,) = undefined(files, [defines, uses], [uses])
    assert one.hunk_id == 2 and one.reason.endswith(reason)
    assert undefined(files, [defines, uses], [defines, uses]) == []


def test_an_import_and_an_attribute_of_a_module_that_a_hunk_left_out_defines_are_named():
    files = {"m.py": "x = 1\n", "uses.py": "import m\n", "other.py": "\n"}
    defines = Hunk(1, "m.py", 1, ("x = 1",), ("x = 1", "y = 2"))
    attribute = Hunk(2, "uses.py", 1, ("import m",), ("import m", "print(m.y)"))
    imports = Hunk(3, "other.py", 1, ("",), ("from m import y",))
    found = undefined(files, [defines, attribute, imports], [attribute, imports])
    assert [(one.hunk_id, one.reason) for one in found] == [
        (3, "breaks other.py:1: imports y, which m.py does not have"),
        (2, "breaks uses.py:2: m.py has no y"),
    ]


def test_what_the_whole_answer_does_not_define_either_is_no_news_of_the_part():
    files = {"m.py": STORE, "uses.py": "from m import store\n\nstore.read()\n"}
    uses = Hunk(2, "uses.py", 3, ("store.read()",), ("store.flush()",))
    other = Hunk(1, "m.py", 3, (READ,), ("        return 2",))
    assert undefined(files, [other, uses], [uses]) == []


def test_hunks_that_cannot_be_written_together_are_not_called_checked(tmp_path):
    root = written(tmp_path, {"m.py": "def f(a):\n    return a\n"})
    (root / "link.py").symlink_to("m.py")
    edit = Hunk(1, "link.py", 1, ("def f(a):",), ("def f():",))
    hunks = (edit, Hunk(2, "link.py", 1, (), (), "move", "to.py"))
    found = RepositoryChecks(root, None, lambda: None).check((hunks, Tree(root)), (), lambda: None)
    assert found == BreakReport((), "not checked: a symbolic link cannot be moved and edited at once")
