"""`.sparkignore` says what the same lines would say in a `.gitignore`: git itself is asked."""

import subprocess

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.git_command import git
from support.small_repositories import written

from spark_tui.context.ignore_rules import ignore_rules_of, matches
from spark_tui.errors import Refused

PATHS = [
    "a",
    "b.py",
    "ab.py",
    "a.log",
    "[x].py",
    "a b",
    "a/b.py",
    "a/c/b.py",
    "a/c/d/a.log",
    "c/a",
    "c/a/b.py",
    "c/x-y.py",
    "c/]",
    "d/a7.py",
    "d/A.py",
    "d/é.py",
    "d/a\\b",
    "d/a*b",
    "keep.log",
    "d/keep.log",
    "#a",
    "!a",
    "d/end ",
]
PIECES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "d",
        ".py",
        "*",
        "?",
        "*.py",
        "*.log",
        "keep.log",
        "[ab]",
        "[!a]",
        "[^a-c]",
        "[z-a]",
        "[a",
        "[]x]",
        "[]",
        "[[:digit:]]",
        "[[:nope:]]",
        "[a-",
        "[x-]",
        "\\*",
        "\\a",
        "\\",
        "é",
        " ",
        "-",
        "]",
        "[",
    ]
)
NAMES = st.lists(PIECES, min_size=1, max_size=3).map("".join)
LINES = st.builds(
    lambda head, names, tail: head + "/".join(names) + tail,
    st.sampled_from(["", "", "!", "/", "!/", "**/", "\\#", "\\!", "#"]),
    st.lists(st.one_of(NAMES, st.just("**")), min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/**", " ", "\\ ", "\r"]),
)
FOLDERS = st.sampled_from(["", "a", "c", "a/c"])


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("ignoring")
    git(root, "init", "-q")
    return written(root, {path: "" for path in PATHS if not any(f"{path}/" in other for other in PATHS)})


def files(root):
    return [path for path in PATHS if (root / path).is_file()]


def by_git(root, rules):
    for folder, lines in rules.items():
        (root / folder / ".gitignore").write_bytes("".join(f"{line}\n" for line in lines).encode())
    try:
        asked = "".join(f"{path}\0" for path in files(root)).encode()
        words = ["git", "-C", str(root), "check-ignore", "--no-index", "-z", "--stdin"]
        done = subprocess.run(words, check=False, input=asked, capture_output=True)
        assert done.returncode in (0, 1), done.stderr
        return {path.decode() for path in done.stdout.split(b"\0") if path}
    finally:
        for folder in rules:
            (root / folder / ".gitignore").unlink()


def by_us(root, rules):
    lines = {f"{folder}/.sparkignore".lstrip("/"): said for folder, said in rules.items()}
    ignored = ignore_rules_of(lines.get)
    known = ignore_rules_of(lines.get, [*files(root), *lines])
    found = {path for path in files(root) if ignored(path)}
    assert found == {path for path in files(root) if known(path)}
    return found


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=st.dictionaries(FOLDERS, st.lists(LINES, min_size=1, max_size=4), min_size=1, max_size=3))
@example(rules={"": ["# no", "", "*.log", "!keep.log", "c/", "/b.py", "d/*.py", "a b"]})
def test_the_same_lines_hide_the_same_files_as_git(tree, rules):
    rules = {folder: [line for line in lines if "\0" not in line] for folder, lines in rules.items()}
    assert by_us(tree, rules) == by_git(tree, rules)


def test_a_file_in_an_ignored_folder_cannot_be_included_again():
    ignored = ignore_rules_of({".sparkignore": ["build/", "!build/keep.py"]}.get)
    assert ignored("build/keep.py")


def test_the_rules_of_a_folder_further_in_win():
    ignored = ignore_rules_of({".sparkignore": ["*.log"], "a/.sparkignore": ["!x.log", "/y.py"]}.get)
    paths = ("x.log", "a/x.log", "a/y.py", "y.py", "a/b/y.py")
    assert [path for path in paths if ignored(path)] == ["x.log", "a/y.py"]


def test_only_folders_that_have_rules_are_looked_into_where_the_files_are_known():
    asked = []
    ignored = ignore_rules_of(asked.append, ["a/.sparkignore", "a/x", *(f"b{n}/c/x" for n in range(50))])
    assert not any(map(ignored, ["a/x", *(f"b{n}/c/x" for n in range(50))]))
    assert sorted(asked) == [".sparkignore", "a/.sparkignore"]


def test_rules_that_cannot_be_read_hide_nothing():
    def read(path):
        raise Refused("this is a binary file", where=path)

    assert not ignore_rules_of(read)("a/b.py")


@pytest.mark.parametrize("pattern", ["[z-a].py", "[a", "[]", "[[:nope:]]", "\\", "[!", "[a-", "[\\"])
def test_a_glob_that_makes_no_sense_matches_nothing_and_breaks_nothing(pattern):
    assert not matches(pattern, "a.py")
