"""Nothing outside of the root is reached, by no spelling and through no link."""

import os

import pytest

from spark_tui.errors import Refused
from spark_tui.workspace.apply import WantedFile, apply, plan
from spark_tui.workspace.files import Tree
from spark_tui.workspace.path_guard import check_path, checked_parts


def no_merge(base, ours, theirs):
    return None, ()


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("a = 1\n")
    (tmp_path / "secret.txt").write_text("secret\n")
    (tmp_path / "outside").mkdir()
    return folder


HOSTILE = [
    "",
    "/etc/passwd",
    "../secret.txt",
    "src/../../secret.txt",
    "src/..",
    ".",
    "./",
    "src/",
    "a\0b",
    "\\windows",
    "C:\\x",
    "c:/x",
    ".git/config",
    ".GIT/config",
    "sub/.git/hooks/pre-commit",
    ".git",
    ".git./config",
    ".git /config",
    "git~1/config",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/x",
    "x" * 300,
    "\ud800",
]


@pytest.mark.parametrize("path", HOSTILE, ids=ascii)
def test_a_hostile_path_is_refused_for_reading_and_writing(root, path):
    with pytest.raises(Refused):
        checked_parts(path)
    with pytest.raises(Refused):
        Tree(root).file(path)
    with pytest.raises(Refused):
        plan(root, [WantedFile(path, None, b"x")], no_merge)


@pytest.mark.parametrize(
    "path", ["./src/a.py", "src//a.py", "src/./a.py", ".gitignore", "..x", "a..b", "x/.github/y"]
)
def test_an_unusual_path_is_read(root, path):
    assert checked_parts(path)
    Tree(root).file(path)


def test_a_link_to_a_file_inside_is_followed(root):
    (root / "link.py").symlink_to("src/a.py")
    with check_path(root, "link.py") as spot:
        assert spot.real == "src/a.py"
    assert Tree(root).file("link.py").data == b"a = 1\n"


@pytest.mark.parametrize("target", ["src", "./src", "src/../src", "{root}/src"])
def test_a_link_to_a_folder_inside_is_followed(root, target):
    (root / "linked").symlink_to(target.format(root=root))
    with check_path(root, "linked/a.py") as spot:
        assert spot.real == "src/a.py"


@pytest.mark.parametrize("target", ["..", "../outside", "{tmp}/outside", "/", "src/../../outside", "{root}x"])
def test_a_link_that_leads_out_is_refused(root, tmp_path, target):
    (root / "linked").symlink_to(target.format(tmp=tmp_path, root=root))
    for path in ("linked", "linked/new.py"):
        with pytest.raises(Refused), check_path(root, path):
            pass


def test_a_link_into_the_git_folder_is_refused(root):
    (root / ".git").mkdir()
    (root / "linked").symlink_to(".git")
    with pytest.raises(Refused), check_path(root, "linked/config"):
        pass


def test_links_in_a_circle_are_refused(root):
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    with pytest.raises(Refused, match="loop"), check_path(root, "a/x"):
        pass


def test_a_file_is_no_folder(root):
    with pytest.raises(Refused), check_path(root, "src/a.py/x"):
        pass


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_plain_file_is_refused(root, make):
    make(root / "odd")
    with pytest.raises(Refused):
        Tree(root).file("odd")


def test_binary_and_large_files_are_refused(root):
    (root / "b.bin").write_bytes(b"abc\0def")
    (root / "l.txt").write_bytes(b"x" * 101)
    with pytest.raises(Refused, match="binary"):
        Tree(root).file("b.bin")
    with pytest.raises(Refused, match="101 bytes"):
        Tree(root, most_bytes=100).file("l.txt")
    with pytest.raises(Refused):
        plan(root, [WantedFile("new.txt", None, b"x" * 101)], no_merge, most_bytes=100)


def test_what_git_ignores_is_refused_unless_asked(root):
    with pytest.raises(Refused, match="ignores"):
        plan(root, [WantedFile("x.log", None, b"x")], no_merge, ignored=set)
    assert plan(root, [WantedFile("x.log", None, b"x")], no_merge, ignored=lambda paths: set()).paths == (
        "x.log",
    )


def test_two_names_of_one_file_are_refused(root):
    (root / "link.py").symlink_to("src/a.py")
    with pytest.raises(Refused, match="two names"):
        plan(
            root,
            [WantedFile("link.py", b"a = 1\n", b"b\n"), WantedFile("src/a.py", b"a = 1\n", b"c\n")],
            no_merge,
        )


def test_a_file_where_another_file_needs_a_folder_is_refused(root):
    with pytest.raises(Refused, match="folder"):
        plan(root, [WantedFile("new", None, b"x"), WantedFile("new/inner", None, b"x")], no_merge)


def test_a_folder_exchanged_for_a_link_after_the_plan_leads_nowhere(root, tmp_path):
    ready = plan(root, [WantedFile("src/a.py", b"a = 1\n", b"a = 2\n")], no_merge)
    (root / "src").rename(root / "src2")
    (root / "src").symlink_to(tmp_path / "outside")
    (tmp_path / "outside" / "a.py").write_bytes(b"a = 1\n")
    with pytest.raises(Refused):
        apply(ready, tmp_path / "journal")
    assert (tmp_path / "outside" / "a.py").read_bytes() == b"a = 1\n"
    assert (root / "src2" / "a.py").read_bytes() == b"a = 1\n"
