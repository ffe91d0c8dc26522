"""The one way to git keeps bytes as they are, and runs nothing that was not asked for."""

import ast
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.git_command import write_program
from support.small_repositories import committed

import spark_tui
from spark_tui.errors import NoPlace
from spark_tui.workspace import repository
from spark_tui.workspace.checkpoints import ChangedContents, CheckpointNote, FileContent
from spark_tui.workspace.file_listing import list_files
from spark_tui.workspace.git import GitFailed, git
from spark_tui.workspace.git_checkpoints import GitCheckpoints

PACKAGE = Path(spark_tui.__file__).parent


def plain_git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture
def root(tmp_path):
    return committed(tmp_path / "root", {"a.py": "a\n"})


@pytest.mark.parametrize("data", [b"\n", b"a\n\n\n", b"a\r\n", b"\xff\xfe\0\n", b"x" * 3_000_000], ids=len)
def test_what_goes_in_comes_out_to_the_byte(root, data):
    key = git(root, "hash-object", "-w", "--no-filters", "--stdin", data=data).decode().strip()
    assert git(root, "cat-file", "blob", key) == data


def test_a_path_that_is_no_utf8_is_kept(root):
    name = os.fsdecode(b"caf\xe9 \xff.py")
    (root / name).write_text("x\n")
    assert name in list_files(root)
    assert repository.dirty(repository.find_repository(root)) == {name: "??"}
    assert git(root, "ls-files", "-z", "--others", "--", name) == os.fsencode(name) + b"\0"


@pytest.mark.parametrize("name", ["$HOME", "~", "a $PATH b", "-C", "x\ny"])
def test_a_folder_is_taken_by_its_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    made = repository.create_repository(folder, message="first")
    assert made.root == folder
    assert plain_git(folder, "rev-parse", "HEAD").decode().strip() == made.head


def test_a_folder_that_is_gone_is_not_the_current_one(root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(NoPlace, match="no such folder"):
        git(root / "gone", "rev-parse", "HEAD")
    with pytest.raises(NoPlace, match="not a folder"):
        git(root / "a.py", "rev-parse", "HEAD")


def test_a_folder_that_cannot_be_entered_is_not_the_current_one(root, tmp_path, monkeypatch):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    if os.access(closed, os.X_OK):
        pytest.skip("this user may enter every folder")
    monkeypatch.chdir(root)
    with pytest.raises(GitFailed, match="failed"):
        git(closed, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"]
)
def test_inherited_variables_do_not_point_git_elsewhere(root, tmp_path, monkeypatch, name):
    head = plain_git(root, "rev-parse", "HEAD").decode().strip()
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert repository.find_repository(root).head == head


def test_a_private_index_counts_where_the_environment_names_another(root, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "theirs"))
    git(root, "read-tree", "HEAD", extra={"GIT_INDEX_FILE": str(tmp_path / "ours")})
    assert (tmp_path / "ours").exists() and not (tmp_path / "theirs").exists()


def test_variables_of_the_network_start_no_second_program(root, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_SSL_CAINFO", "certificates.crt")
    write_program(tmp_path / "env", "exit 7")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert git(root, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_NAMESPACE", "other")
    with pytest.raises(GitFailed):
        git(root, "rev-parse", "HEAD")


def test_a_missing_git_is_said_as_such_whatever_is_inherited(root, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "elsewhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoPlace, match="git is not installed"):
        git(root, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    "words", [{"GIT_PYTHON_GIT_EXECUTABLE": "/nowhere/git"}, {"GIT_PYTHON_REFRESH": "odd"}]
)
def test_settings_of_the_library_in_the_environment_do_not_stop_it(root, words):
    code = (
        "import os\nfrom pathlib import Path\nfrom spark_tui.workspace.repository import find_repository\n"
        "before = dict(os.environ)\nprint(find_repository(Path('.')).place)\nassert os.environ == before"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **words},
    )
    assert (done.stdout, done.stderr) == ("main\n", "")


def test_messages_are_read_in_english_whatever_the_language(tmp_path, monkeypatch):
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    assert repository.find_repository(tmp_path) is None


@pytest.fixture
def replace_git(root, tmp_path, monkeypatch):
    """From now on git is this line of shell."""

    def replace_git(line):
        tools = tmp_path / "tools"
        tools.mkdir()
        write_program(tools / "git", line)
        git(root, "--version")
        monkeypatch.setenv("PATH", str(tools), prepend=os.pathsep)

    return replace_git


@pytest.mark.parametrize(
    "words",
    [
        "fatal: unable to write loose object file: No space left on device",
        "fatal: sha1 file 'index.lock' write error. Out of diskspace",
        "error: could not write config file: Disk quota exceeded",
    ],
)
def test_a_full_disk_is_told_from_other_failures(root, replace_git, words):
    replace_git(f'echo "{words}" >&2; exit 128')
    with pytest.raises(NoPlace, match="the disk is full"):
        git(root, "hash-object", "-w", "--stdin", data=b"x")


@pytest.mark.parametrize("free, error", [(0, NoPlace), (15, NoPlace), (16, GitFailed)])
def test_a_ref_that_cannot_be_written_is_a_full_disk_where_nothing_is_free(
    root, replace_git, monkeypatch, free, error
):
    """Git does not say why."""
    replace_git("echo \"fatal: couldn't write '.git/refs/spark/s/1.lock'\" >&2; exit 128")
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=free, f_frsize=4096))
    with pytest.raises(error):
        git(root, "update-ref", "refs/spark/s/1", "HEAD")


def test_a_git_that_hangs_is_ended(root, replace_git):
    replace_git("exec sleep 60")
    with pytest.raises(GitFailed) as caught:
        git(root, "status", seconds=0.2)
    assert caught.value.code != 0


def test_a_repository_runs_none_of_its_own_programs(root, tmp_path):
    ran = tmp_path / "ran"
    program = write_program(tmp_path / "program", f'echo "$0" >> {ran}\ncat')
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("reference-transaction", "post-index-change", "post-checkout", "fsmonitor-watchman"):
        (hooks / hook).symlink_to(program)
    for key in ("core.fsmonitor", "diff.external", "core.pager", "core.editor", "gpg.program"):
        plain_git(root, "config", key, str(program))
    plain_git(root, "config", "core.hooksPath", str(hooks))
    plain_git(root, "config", "commit.gpgSign", "true")
    (root / "a.py").write_text("b\n")
    plain_git(root, "status")
    assert ran.read_text(), "git by itself runs them"
    ran.unlink()

    found = repository.find_repository(root)
    assert repository.dirty(found) == {"a.py": " M"}
    assert repository.ignored(found, ["a.py"]) == set()
    assert list_files(root) == ["a.py"]
    store = GitCheckpoints(found, root.parent / "scratch")
    old, new = {"a.py": FileContent(b"a\n")}, {"a.py": FileContent(b"b\n")}
    key = store.save("s", CheckpointNote(), ChangedContents(old, new)).files[0].after
    assert store.blobs({key}) == {key: b"b\n"}
    store.remove(store.list())
    assert not ran.exists()


def test_many_threads_may_ask_at_once(root):
    code = (
        "import os, threading\nfrom pathlib import Path\nfrom spark_tui.workspace.git import git\n"
        "heads = []\nask = lambda: heads.append(git(Path('.'), 'rev-parse', 'HEAD'))\n"
        "threads = [threading.Thread(target=ask) for _ in range(8)]\n"
        "[one.start() for one in threads]\n[one.join() for one in threads]\n"
        "assert 'GIT_PYTHON_REFRESH' not in os.environ\nprint(len(heads), len(set(heads)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("8 1\n", "")


def test_no_process_of_git_is_left_running(root):
    if not Path("/proc/self/task").is_dir():
        pytest.skip("children are counted in /proc")
    found = repository.find_repository(root)
    store = GitCheckpoints(found, root.parent / "scratch")
    files = {"a.py": FileContent(b"a\n")}
    store.save("s", CheckpointNote(), ChangedContents(files, files))
    store.list()
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    if not children.exists():
        pytest.skip("this kernel does not list children")
    names = [Path(f"/proc/{number}/comm").read_text() for number in children.read_text().split()]
    assert "git\n" not in names


def test_the_library_is_loaded_with_the_first_command_and_not_before():
    code = (
        "import sys\nimport spark_tui.workspace.commit, spark_tui.workspace.git_checkpoints\n"
        "import spark_tui.session.tree.writer, spark_tui.jobs.launcher\nprint('git' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def starts_git(node):
    """Whether a call is handed a command line that begins with git."""
    words = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if not isinstance(words, ast.List | ast.Tuple) or not words.elts:
        return False
    first = words.elts[0]
    return isinstance(first, ast.Constant) and first.value == "git"


def test_nothing_else_in_the_package_starts_git():
    probe = ast.parse("subprocess.run(['git', 'status'])")
    assert any(map(starts_git, ast.walk(probe)))
    found = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "git" in (text := path.read_text("utf-8")) and any(map(starts_git, ast.walk(ast.parse(text))))
    ]
    assert found == []
