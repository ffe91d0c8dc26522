"""Settings from four places, and what is said about mistakes."""

import json
import os
import re
from pathlib import Path

import pytest

from spark_tui.config import settings as config
from spark_tui.errors import ConfigError, Refused


@pytest.fixture
def places(tmp_path):
    user, root = tmp_path / "user.toml", tmp_path / "repo"
    (root / ".spark").mkdir(parents=True)
    shared = root / ".spark" / "config.toml"

    def load(user_text="", shared_text="", environ=None, flags=None):
        user.write_text(user_text)
        shared.write_text(shared_text)
        return config.load(root, flags=flags, environ=environ or {}, user_file=user)

    return load


def test_flags_win_over_environment_over_repository_over_user(places):
    user, shared = "ui.theme = 'user'", "[ui]\ntheme = 'repo'"
    environ, flags = {"SPARK_UI_THEME": "env"}, {"ui.theme": "flag"}
    assert places(user).settings.theme == "user"
    assert places(user, shared).settings.theme == "repo"
    assert places(user, shared, environ).settings.theme == "env"
    loaded = places(user, shared, environ, flags)
    assert loaded.settings.theme == "flag"
    assert loaded.origin["ui.theme"] == "the command line"


def test_an_unknown_key_names_the_nearest(places):
    with pytest.raises(ConfigError, match=r"unknown setting `ui\.thme`") as caught:
        places("[ui]\nthme = 'x'")
    assert "`ui.theme`" in caught.value.hint
    with pytest.raises(ConfigError) as caught:
        places("theme = 'x'")
    assert "`ui.theme`" in caught.value.hint
    with pytest.raises(ConfigError, match="unknown setting `model`") as caught:
        places("model = 'x'")
    assert "`model.name`" in caught.value.hint


def test_another_products_environment_is_not_ours_but_a_near_miss_is(places):
    assert places(environ={"SPARK_HOME": "/opt/apache", "SPARK_MASTER": "x"}).settings == config.Settings()
    with pytest.raises(ConfigError) as caught:
        places(environ={"SPARK_UI_THEEM": "x"})
    assert "SPARK_UI_THEME" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ui]\nmouse = 'yes'", "true or false"),
        ("[model]\nmax_tokens = 0", "at least 1"),
        ("[model]\nmax_tokens = true", "a whole number"),
        ("[edit]\nleast_confidence = 300", "from 0 to 100, not 300"),
        ("[edit]\nformat = 'emacs'", "cannot be 'emacs'"),
        ("[keys]\n'hunk.accept' = 3", "must be a string"),
        ("[ui", "not valid TOML"),
    ],
)
def test_a_wrong_value_says_where_and_what_it_should_be(places, text, said):
    with pytest.raises(ConfigError, match=said) as caught:
        places(text)
    assert caught.value.where.endswith("user.toml")


def test_a_default_is_said_as_it_is_written_in_the_file(places):
    with pytest.raises(ConfigError) as caught:
        places("[ui]\nmouse = 'yes'")
    assert caught.value.hint == "The default is true."


@pytest.mark.parametrize(
    "text",
    [
        "[remote]\napi_key = 'x'",
        "[model]\nname = 'sk-abcdefgh12345'",
        "github_token = 'x'",
        "a.password = 'x'",
    ],
)
def test_secrets_are_refused_in_the_repositorys_file(places, text):
    with pytest.raises(Refused, match="looks like a secret"):
        places(shared_text=text)


def test_a_repository_may_set_all_but_what_the_documentation_names(places):
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8").split("\n\n|")[0]
    for key, _, default, _ in config.documented():
        if isinstance(default, tuple | dict) or f"`{key}`" in page:
            continue
        value = json.dumps(default)
        assert places(shared_text=f"{key} = {value}").origin[key].endswith("config.toml")
    for key in re.findall(r"`(\w+\.\w+)`", page):
        with pytest.raises(Refused, match="cannot be set in a repository"):
            places(shared_text=f"{key} = 1")


def test_a_byte_order_mark_is_no_part_of_the_settings(places):
    assert places("\ufeff[ui]\nmouse = false\n").settings.mouse is False


def test_the_hint_names_only_ways_that_there_are(places):
    with pytest.raises(Refused) as caught:
        places(shared_text="[tools]\nrun = 'always'")
    assert "SPARK_TOOLS_RUN" in caught.value.hint
    with pytest.raises(Refused) as caught:
        places(shared_text="[mcp.servers]\nx = 'y'")
    assert "SPARK_" not in caught.value.hint


def test_keys_of_both_files_are_merged(places):
    loaded = places("[keys]\na = 'x'\nb = 'y'", "[keys]\nb = 'z'")
    assert dict(loaded.settings.keys) == {"a": "x", "b": "z"}


def test_a_file_that_is_not_utf8_or_cannot_be_read_is_named(tmp_path, monkeypatch):
    bad = tmp_path / "c.toml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        config.load(None, environ={}, user_file=bad)

    def read_bytes(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(Refused, match="cannot be read: Permission denied"):
        config.load(None, environ={}, user_file=bad)


def test_a_settings_file_that_is_linked_to_nothing_is_none(tmp_path):
    (tmp_path / "config.toml").symlink_to(os.devnull)
    assert config.load(None, environ={}, user_file=tmp_path / "config.toml") == config.load(None, environ={})


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (os.mkfifo, "a named pipe"),
        (os.mkdir, "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
    ],
)
def test_what_is_no_file_is_named_and_not_waited_for(tmp_path, make, kind):
    (tmp_path / ".spark").mkdir()
    make(tmp_path / ".spark" / "config.toml")
    with pytest.raises(ConfigError, match=f"is {kind}, not a file"):
        config.load(tmp_path, environ={}, user_file=tmp_path / "none")


def test_environment_values_are_parsed_by_the_settings_type(places):
    settings = places(environ={"SPARK_UI_MOUSE": "off", "SPARK_MODEL_MAX_TOKENS": "12"}).settings
    assert settings.mouse is False
    assert settings.max_tokens == 12
    with pytest.raises(ConfigError, match="true or false"):
        places(environ={"SPARK_UI_MOUSE": "perhaps"})


def test_tables_and_lists_are_taken_from_files_and_a_wrong_format_is_named(places):
    settings = places(
        '[model]\nfolders = ["~/models"]\n[model.formats]\n"gpt-*" = "apply_patch"\n'
        '[model.servers]\ndesk = "http://desk:8000/v1"\n'
    ).settings
    assert settings.folders == ("~/models",)
    assert settings.formats == {"gpt-*": "apply_patch"}
    assert settings.servers == {"desk": "http://desk:8000/v1"}
    with pytest.raises(ConfigError, match=r"model\.formats\.gpt-"):
        places('[model.formats]\n"gpt-*" = "patch"\n')


@pytest.mark.parametrize(
    "text",
    [
        '[model.servers]\nx = "http://evil/v1"\n',
        '[model]\nauthority = "ca.pem"\n',
        '[keys]\naccept = "sk-12345678"\n',
    ],
)
def test_a_repository_offers_no_server_and_no_authority_and_holds_no_key(places, text):
    with pytest.raises(Refused):
        places(shared_text=text)


def test_folders_of_models_stand_in_a_variable_like_any_path_list(places):
    found = places(environ={"SPARK_MODEL_FOLDERS": f"a{os.pathsep}b"}).settings.folders
    assert found == ("a", "b")


def test_a_model_that_is_chosen_later_leaves_what_was_chosen_besides_it(places, tmp_path):
    far = '[model]\nname = "llama"\nconnect = "http://desk/v1"\n'

    def source(*args, **kwargs):
        settings = places(*args, **kwargs).settings
        return settings.model, settings.connect, settings.replay

    assert source(far, environ={"SPARK_MODEL_NAME": "qwen"}) == ("qwen", "http://desk/v1", "")
    assert source(far, flags={"model.name": str(tmp_path)}) == (str(tmp_path), "", "")
    assert source(far, flags={"model.connect": "http://lab/v1"}) == ("", "http://lab/v1", "")
    assert source(far, flags={"model.replay": "rec"}) == ("llama", "http://desk/v1", "rec"), (
        "a recording goes first"
    )
    assert source('[model]\nreplay = "rec"\n', flags={"model.name": "small"}) == ("small", "", "")
    assert "model.connect" not in places(far, flags={"model.name": str(tmp_path)}).origin
