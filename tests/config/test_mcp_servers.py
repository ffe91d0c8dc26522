"""`[mcp.servers]`: addresses, command lines and tables; every mistake names its place."""

import pytest

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.config.settings import load
from spark_tui.errors import ConfigError, Refused


def servers(tmp_path, text, *, shared=False):
    file = tmp_path / "config.toml"
    file.write_text(text)
    if shared:
        (tmp_path / ".spark").mkdir()
        (tmp_path / ".spark" / "config.toml").write_text(text)
        return load(tmp_path, environ={}, user_file=tmp_path / "none.toml").settings.mcp_servers
    return load(None, environ={}, user_file=file).settings.mcp_servers


def test_three_forms(tmp_path):
    found = servers(
        tmp_path,
        '[mcp.servers]\nfiles = "files-server --root \'my code\'"\nweb = "http://localhost:9000/mcp"\n'
        '[mcp.servers.full]\ncommand = "x"\nargs = ["a"]\nenv = { TOKEN = "t" }\nseconds = 5\n'
        '[mcp.servers.far]\nurl = "http://localhost:9001/mcp"\nheaders = { Authorization = "Bearer t" }\n',
    )
    assert found == {
        "files": ServerConfig("files", "files-server", ("--root", "my code")),
        "web": ServerConfig("web", url="http://localhost:9000/mcp"),
        "full": ServerConfig("full", "x", ("a",), {"TOKEN": "t"}, "", 5),
        "far": ServerConfig("far", url="http://localhost:9001/mcp", headers={"Authorization": "Bearer t"}),
    }
    assert [str(server) for server in found.values()] == [
        "files-server --root 'my code'",
        "http://localhost:9000/mcp",
        "x a",
        "http://localhost:9001/mcp",
    ]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('x = ""', "`mcp.servers.x` needs a command or a url, and not both"),
        ('x = "a \'b"', "`mcp.servers.x` is not a command"),
        ("x = 3", "must be a table or a string, not 3"),
        ('"a b" = "c"', "`mcp.servers.a b` is not a valid name"),
        ('x = { comand = "a" }', "unknown setting `mcp.servers.x.comand`"),
        ('x = { command = "a", url = "http://b" }', "not both"),
        ('x = { command = ["a"] }', "`mcp.servers.x.command` must be a string"),
        ('x = { command = "a", args = "b" }', "`mcp.servers.x.args` must be a list of strings"),
        ('x = { command = "a", env = { B = 1 } }', "`mcp.servers.x.env` must be a table of strings"),
        ('x = { url = "http://b", headers = ["c"] }', "`mcp.servers.x.headers` must be a table of strings"),
        ('x = { command = "a", headers = { B = "c" } }', "`mcp.servers.x.headers` needs a url"),
        ('x = { command = "a", seconds = 0 }', "`mcp.servers.x.seconds` must be a number above 0"),
        ('x = { command = "a", seconds = true }', "`mcp.servers.x.seconds` must be a number above 0"),
    ],
)
def test_a_mistake_names_its_place(tmp_path, entry, message):
    with pytest.raises(ConfigError) as error:
        servers(tmp_path, f"[mcp.servers]\n{entry}\n")
    assert message in str(error.value)
    assert "config.toml" in str(error.value)


def test_a_repository_cannot_name_servers(tmp_path):
    with pytest.raises(Refused, match="could run commands"):
        servers(tmp_path, '[mcp.servers]\nx = "evil"\n', shared=True)
