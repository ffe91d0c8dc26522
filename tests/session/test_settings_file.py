"""One value of a settings file changes, and not a byte more."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spark_tui.config import settings as config
from spark_tui.errors import ConfigError, Refused, SparkError
from spark_tui.session import settings_file

OWN = """# mine
[model]
name = "small"   # the quick one
max_tokens = 100

[model.formats]
"gpt-*" = "udiff"

# how it looks
[ui]
theme = 'fjord'
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(OWN)
    return path


def test_a_value_is_changed_in_its_line_and_its_comment_stays(file):
    settings_file.put(file, "model.name", "large")
    assert file.read_text() == OWN.replace('"small"', '"large"')
    settings_file.put(file, "ui.theme", "ember")
    assert file.read_text() == OWN.replace('"small"', '"large"').replace("'fjord'", '"ember"')


def test_a_new_value_stands_at_the_end_of_its_table(file):
    settings_file.put(file, "model.pace", "off")
    assert 'max_tokens = 100\npace = "off"\n\n[model.formats]' in file.read_text()
    settings_file.put(file, "model.formats", "whole", name="o3")
    assert '"gpt-*" = "udiff"\no3 = "whole"\n' in file.read_text()


def test_a_new_table_is_made_where_there_is_none(file, tmp_path):
    settings_file.put(file, "keys", "n, Ctrl+N", name="hunk.next")
    assert file.read_text() == OWN + '\n[keys]\n"hunk.next" = "n, Ctrl+N"\n'
    fresh = tmp_path / "deep" / "config.toml"
    settings_file.put(fresh, "edit.max_file_bytes", 5)
    assert fresh.read_text() == "[edit]\nmax_file_bytes = 5\n"


def test_a_value_is_taken_out_and_nothing_else(file):
    assert settings_file.drop(file, "model.max_tokens")
    assert file.read_text() == OWN.replace("max_tokens = 100\n", "")
    assert not settings_file.drop(file, "model.pace")


def test_values_over_several_lines_and_dotted_keys_are_found(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(
        'model.folders = [\n  "a",\n  "b",\n] # both\nmodel."formats".x = "udiff"\nui.mouse = true\n'
    )
    settings_file.put(path, "model.folders", ["c"])
    settings_file.put(path, "model.formats", "whole", name="x")
    settings_file.put(path, "ui.mouse", False)
    assert path.read_text() == 'model.folders = ["c"] # both\nmodel."formats".x = "whole"\nui.mouse = false\n'


def test_what_stands_in_an_inline_table_is_left_alone_and_the_line_to_write_is_said(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('model = { name = "x" }\n')
    with pytest.raises(ConfigError) as caught:
        settings_file.put(path, "model.pace", "off")
    assert 'model.pace = "off"' in caught.value.hint
    assert path.read_text() == 'model = { name = "x" }\n'


def test_line_ends_mode_and_links_stay(tmp_path):
    real = tmp_path / "dotfiles" / "spark.toml"
    real.parent.mkdir()
    real.write_bytes(b'[ui]\r\ntheme = "fjord"\r\n')
    real.chmod(0o600)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    settings_file.put(link, "ui.theme", "paper")
    assert real.read_bytes() == b'[ui]\r\ntheme = "paper"\r\n'
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_used_is_refused_before_it_is_written(file):
    for key, value in (("ui.view", "sideways"), ("model.max_tokens", "many"), ("model.max_tokens", 0)):
        with pytest.raises(ConfigError):
            settings_file.put(file, key, value)
    assert file.read_text() == OWN


def test_a_repositorys_file_takes_no_secret_and_no_server_and_leads_nowhere_else(tmp_path):
    root = tmp_path / "repo"
    shared = root / ".spark" / "config.toml"
    shared.parent.mkdir(parents=True)
    for key, value in (
        ("model.connect", "http://evil/v1"),
        ("model.name", "sk-1234567890ab"),
        ("model.authority", "x"),
    ):
        with pytest.raises(Refused):
            settings_file.put(shared, key, value, shared=True, root=root)
    settings_file.put(shared, "edit.format", "udiff", shared=True, root=root)
    assert config.load(root, environ={}, user_file=tmp_path / "none").settings.format == "udiff"
    shared.unlink()
    shared.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused):
        settings_file.put(shared, "edit.format", "udiff", shared=True, root=root)


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=20), st.dictionaries(st.text(min_size=1, max_size=6), st.text(max_size=8), max_size=4)
)
def test_any_text_comes_back_as_it_was_written(tmp_path_factory, theme, keys):
    path = tmp_path_factory.mktemp("s") / "c.toml"
    settings_file.put(path, "ui.theme", theme)
    for name, value in keys.items():
        settings_file.put(path, "keys", value, name=name)
    data = tomllib.loads(path.read_text("utf-8"))
    assert data["ui"]["theme"] == theme
    assert data.get("keys", {}) == keys


def test_a_settings_file_behind_links_in_a_circle_is_refused_in_words(tmp_path):
    (tmp_path / "config.toml").symlink_to("config.toml")
    with pytest.raises(SparkError, match="the links form a loop"):
        settings_file.put(tmp_path / "config.toml", "model.name", "large")
