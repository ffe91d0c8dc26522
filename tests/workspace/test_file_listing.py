"""The files that a picker offers."""

import pytest
from support.git_command import git

from spark_tui.workspace import file_listing
from spark_tui.workspace.file_listing import list_files, listing


def test_git_decides_what_is_listed(repo):
    (repo / ".gitignore").write_text("*.log\n")
    (repo / "new.py").write_text("")
    (repo / "x.log").write_text("")
    found = list_files(repo)
    assert "new.py" in found
    assert "shop/cart.py" in found
    assert "x.log" not in found
    assert found == sorted(found)
    git(repo, "add", "-A")
    assert list_files(repo) == found


def test_a_folder_inside_a_repository_lists_its_own_files(repo):
    assert "cart.py" in list_files(repo / "shop")


def test_outside_of_git_hidden_and_made_files_are_left_out(tmp_path):
    for name in ("a.py", "sub/b.py", ".hidden", "__pycache__/a.pyc", ".venv/x.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert list_files(tmp_path) == ["a.py", "sub/b.py"]


def test_git_lists_all_files_and_a_walk_says_where_it_ends(repo, tmp_path, monkeypatch):
    monkeypatch.setattr(file_listing, "MOST_FILES", 3)
    found, cut = file_listing.listing(repo)
    assert len(found) > 3
    assert not cut
    for name in "abc":
        (tmp_path / "plain" / name).mkdir(parents=True)
        (tmp_path / "plain" / name / "one.py").write_text("")
    assert file_listing.listing(tmp_path / "plain") == (["a/one.py", "b/one.py", "c/one.py"], False)
    (tmp_path / "plain" / "d.py").write_text("")
    found, cut = file_listing.listing(tmp_path / "plain")
    assert len(found) == 3
    assert cut


def test_outside_of_git_only_so_many_files_of_python_are_listed(tmp_path, monkeypatch):
    for folder in "abc":
        (tmp_path / folder).mkdir()
        for n in range(4):
            (tmp_path / folder / f"{n}.py").write_text("")
            (tmp_path / folder / f"{n}.txt").write_text("")
    assert (len(listing(tmp_path)[0]), listing(tmp_path)[1]) == (24, False)
    monkeypatch.setattr(file_listing, "MOST_CODE", 6)
    found, more = listing(tmp_path)
    assert more and {path[0] for path in found} == {"a", "b"}


def test_a_file_that_is_named_is_listed_also_behind_the_last(tmp_path, monkeypatch):
    for folder in "abcd":
        (tmp_path / folder / "in").mkdir(parents=True)
        for n in range(4):
            (tmp_path / folder / "in" / f"{folder}{n}.py").write_text("")
    monkeypatch.setattr(file_listing, "MOST_CODE", 6)
    every = listing(tmp_path)[0]
    assert len(every) == 8
    assert listing(tmp_path, ["d/in/d2.py"]) == (sorted([*every, "d/in/d2.py"]), True)
    assert listing(tmp_path, ["d3.py", "a0.py", "nowhere.py"]) == (sorted([*every, "d/in/d3.py"]), True)
    monkeypatch.setattr(file_listing, "MOST_FILES", 6)
    assert listing(tmp_path, ["d/in/d2.py", "d3.py"])[0][-1] == "d/in/d2.py"


@pytest.mark.parametrize(
    "name", ["../out.py", "link/0.py", "./b/0.py", "b//0.py", f"{'long' * 80}.py", "a\0.py"]
)
def test_a_name_that_is_no_other_file_of_the_folder_adds_none(name, tmp_path, monkeypatch):
    monkeypatch.setattr(file_listing, "MOST_CODE", 3)
    for folder in "ab":
        (tmp_path / "tree" / folder).mkdir(parents=True)
        for n in range(4):
            (tmp_path / "tree" / folder / f"{n}.py").write_text("")
    (tmp_path / "out.py").write_text("")
    (tmp_path / "tree" / "link").symlink_to("b")
    every = listing(tmp_path / "tree")
    assert every == ([f"a/{n}.py" for n in range(4)], True)
    assert listing(tmp_path / "tree", [name]) == every
