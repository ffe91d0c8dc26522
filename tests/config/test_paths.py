"""The user's folders stay where earlier versions put them."""

from pathlib import Path

import pytest

from spark_tui.config import paths

FOLDERS = [
    (paths.config_dir, "XDG_CONFIG_HOME", ".config"),
    (paths.state_dir, "XDG_STATE_HOME", ".local/state"),
    (paths.cache_dir, "XDG_CACHE_HOME", ".cache"),
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for _, variable, _ in FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.mark.parametrize(("folder", "variable", "default"), FOLDERS)
@pytest.mark.parametrize("value", [None, "", "relative", "./here"])
def test_a_folder_is_under_home_unless_its_variable_names_an_absolute_path(
    home, monkeypatch, folder, variable, default, value
):
    if value is not None:
        monkeypatch.setenv(variable, value)
    assert folder() == home / default / "spark"


@pytest.mark.parametrize(("folder", "variable", "default"), FOLDERS)
def test_each_variable_moves_its_own_folder_and_no_other(home, monkeypatch, folder, variable, default):
    others = {other: other() for other, _, _ in FOLDERS if other is not folder}
    monkeypatch.setenv(variable, "/elsewhere")
    assert folder() == Path("/elsewhere/spark")
    assert {other: other() for other in others} == others


@pytest.mark.parametrize("system", ["darwin", "linux"])
def test_the_folders_are_the_same_on_macos(home, monkeypatch, system):
    monkeypatch.setattr("sys.platform", system)
    assert paths.config_dir() == home / ".config" / "spark"


def test_asking_for_a_folder_does_not_create_it(home):
    for folder, _, _ in FOLDERS:
        assert not folder().exists()
    assert list(home.iterdir()) == []
