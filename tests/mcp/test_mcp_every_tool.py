"""Each exact edit through the SDK's client: a call that fits is planned, read as a diff, and written."""

import subprocess

import pytest
from codemods.test_laws import LARGEST, SIZES, samples
from support.git_command import git

from spark_tui.codemods import registry
from spark_tui.mcp.tools import Tools

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", sorted(registry.operations()))
async def test_a_plan_of_each_tool_fits_and_is_written(name, tmp_path):
    sdk = pytest.importorskip("mcp")
    from spark_tui.mcp.server import make_server

    files, each = SIZES.get(name, (6, 8))
    repo, call, expected = next(
        sample for seed in range(20) for sample in samples(name, files, each, seed, LARGEST)
    )
    tree = repo.index.tree
    for path in tree.paths():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(tree.read(path).encode("utf-8", "surrogateescape"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Start")
    arguments = {key: value for key, value in registry.to_json(call).items() if key != "op"}
    async with sdk.Client(make_server(Tools(tmp_path, write=True))) as client:
        planned = await client.call_tool(f"refactor_{name}", arguments)
        assert not planned.is_error, planned.content[0].text
        plan = planned.structured_content["plan"]
        assert set(planned.structured_content["paths"]) == set(expected.paths)
        diff = (await client.read_resource(f"spark://plans/{plan}")).contents[0].text
        assert git(tmp_path, "status", "--porcelain") == ""
        subprocess.run(["git", "apply", "--check"], cwd=tmp_path, input=diff.encode(), check=True)
        assert not (await client.call_tool("patch_check", {"plan": plan})).is_error
        written = await client.call_tool("patch_apply", {"plan": plan, "force": True})
    assert not written.is_error, written.content[0].text
    assert git(tmp_path, "status", "--porcelain") != ""
