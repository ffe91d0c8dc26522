"""The MCP server as the SDK's client sees it: every tool is called, and only `patch_apply` changes files."""

import shlex
import subprocess

import pytest
from support.git_command import git

from spark_tui.codemods import describe, registry
from spark_tui.codemods.plan import Finding

RENAME = {"target": "Cart.add", "new": "put"}
PATCH = """--- a/shop/cart.py
+++ b/shop/cart.py
@@ -6,2 +6,2 @@
 FREE_SHIPPING_FROM = 4900
-SHIPPING = 490
+SHIPPING = 500
"""


def clean(repo):
    return git(repo, "status", "--porcelain") == ""


def example_arguments(name):
    words = shlex.split(describe.example(registry.operations()[name]))
    arguments = registry.to_json(registry.from_words(words[0], words[1:]))
    return {key: value for key, value in arguments.items() if key != "op"}


async def test_there_is_a_tool_for_each_exact_edit_with_its_schema(connect):
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {f"refactor_{name}" for name in registry.operations()} | {
        "patch_check",
        "patch_apply",
        "diagnostics",
    }
    assert tools["refactor_rename"].input_schema == registry.schema(registry.operations()["rename"])
    assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == ["patch_apply"]


async def test_every_exact_edit_answers_with_a_plan_or_with_why_not_and_writes_nothing(connect, repo):
    plans = []
    async with connect() as client:
        for name in registry.operations():
            answer = await client.call_tool(f"refactor_{name}", example_arguments(name))
            assert answer.content[0].text
            if answer.is_error:
                assert answer.structured_content["error"]["what"]
            else:
                plans.append(answer.structured_content["plan"])
        for resource in (await client.list_resources()).resources:
            diff = (await client.read_resource(resource.uri)).contents[0]
            assert diff.mime_type == "text/x-diff"
            subprocess.run(["git", "apply", "--check"], cwd=repo, input=diff.text.encode(), check=True)
            plans.remove(resource.uri.rpartition("/")[2])
    assert plans == []
    assert clean(repo)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_plan_is_written_where_the_server_may_write(connect, repo, mode):
    async with connect(write=True, mode=mode) as client:
        planned = await client.call_tool("refactor_rename", RENAME)
        assert planned.content[1].uri == "spark://plans/1"
        assert "+    def put(self" in planned.structured_content["diff"]
        assert clean(repo)
        written = await client.call_tool("patch_apply", {"plan": planned.structured_content["plan"]})
    assert written.structured_content["paths"] == planned.structured_content["paths"]
    assert "def put(self" in (repo / "shop/cart.py").read_text()
    assert "spark checkpoints restore" in written.content[0].text


async def test_nothing_is_written_by_a_server_that_may_not(connect, repo):
    async with connect() as client:
        planned = await client.call_tool("refactor_rename", RENAME)
        for what in ({"plan": planned.structured_content["plan"]}, {"patch": PATCH}):
            answer = await client.call_tool("patch_apply", what)
            assert answer.is_error
            assert "--write" in answer.content[0].text
    assert clean(repo)


async def test_a_plan_that_breaks_something_is_written_only_by_force(connect, repo, monkeypatch):
    harm = lambda *_: [Finding("shop/cart.py", 19, "calls", "a call no longer fits")]  # noqa: E731
    monkeypatch.setattr("spark_tui.codemods.checks.harm.check", harm)
    async with connect(write=True) as client:
        planned = await client.call_tool("refactor_rename", RENAME)
        plan = planned.structured_content["plan"]
        assert "breaks: shop/cart.py:19: a call no longer fits" in planned.content[0].text
        refused = await client.call_tool("patch_apply", {"plan": plan})
        assert refused.is_error
        assert "would break something: shop/cart.py:19" in refused.content[0].text
        assert clean(repo)
        forced = await client.call_tool("patch_apply", {"plan": plan, "force": True})
    assert "shop/cart.py" in forced.structured_content["paths"]


async def test_a_patch_is_checked_and_written(connect, repo):
    async with connect(write=True) as client:
        checked = await client.call_tool("patch_check", {"patch": PATCH})
        assert checked.structured_content["paths"] == ["shop/cart.py"]
        assert checked.structured_content["breaks"] == []
        assert checked.content[0].text == "It fits: 1 hunk in shop/cart.py. Nothing was written."
        assert clean(repo)
        await client.call_tool("patch_apply", {"patch": PATCH})
    assert "SHIPPING = 500" in (repo / "shop/cart.py").read_text()


async def test_what_a_written_patch_breaks_is_said(connect, repo):
    async with connect(write=True) as client:
        written = await client.call_tool(
            "patch_apply", {"patch": PATCH.replace("+SHIPPING =", "+SHIPPING = =")}
        )
    assert any("would not compile" in item for item in written.structured_content["breaks"])
    assert "would not compile" in written.content[0].text


@pytest.mark.parametrize("tool", ["patch_check", "patch_apply"])
async def test_a_plan_whose_lines_changed_meanwhile_is_to_be_made_again(connect, repo, tool):
    async with connect(write=True) as client:
        planned = await client.call_tool("refactor_rename", RENAME)
        cart = repo / "shop/cart.py"
        cart.write_text(cart.read_text().replace("def add(self", "def add_one(self"))
        before = git(repo, "diff")
        answer = await client.call_tool(tool, {"plan": planned.structured_content["plan"]})
    assert answer.is_error
    assert "changed on disk" in answer.content[0].text
    assert "make the edit again" in answer.content[0].text
    assert "hunk" not in answer.content[0].text
    assert git(repo, "diff") == before


async def test_a_check_names_what_a_patch_breaks_and_where_it_does_not_fit(connect, repo):
    async with connect() as client:
        broken = await client.call_tool("patch_check", {"patch": PATCH.replace("+SHIPPING", "+COSTS")})
        assert any("SHIPPING" in item for item in broken.structured_content["breaks"])
        misfit = await client.call_tool("patch_check", {"patch": PATCH.replace("490\n", "491\n")})
    assert misfit.is_error
    assert misfit.structured_content["failures"][0]["path"] == "shop/cart.py"


async def test_diagnostics_name_what_does_not_compile_and_undefined_names(connect, repo):
    async with connect() as client:
        good = await client.call_tool("diagnostics", {})
        (repo / "shop/prices.py").write_text("def broken(:\n")
        (repo / "shop/report.py").write_text("\nprint(nothing_defines_me)\n")
        bad = await client.call_tool("diagnostics", {})
        some = await client.call_tool("diagnostics", {"paths": ["shop/cart.py"]})
    assert good.structured_content == {"diagnostics": [], "total": 0}
    assert [(item["path"], item["line"]) for item in bad.structured_content["diagnostics"]] == [
        ("shop/prices.py", 1),
        ("shop/report.py", 2),
    ]
    assert some.structured_content["total"] == 0


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("refactor_rename", {}, "needs target and new"),
        ("refactor_rename", {"target": "Cart", "new": "1x"}, "is not a valid name"),
        ("refactor_rename", {"target": "a\0b", "new": "x"}, "no symbol"),
        ("refactor_rename", {"target": "/etc/passwd::a", "new": "x"}, "no such file"),
        ("refactor_rename", {"target": 7, "new": []}, "no symbol"),
        ("refactor_rename", {"target": "Cart", "new": "Car", "op": "move"}, "no argument 'op'"),
        ("patch_check", {}, "either `patch` or `plan`"),
        ("patch_check", {"patch": 7}, "must be of the type string"),
        ("patch_check", {"patch": PATCH, "format": "none"}, "must be one of"),
        ("patch_check", {"patch": "no edit at all"}, "no edit found"),
        ("patch_check", {"patch": "no edit at all"}, "name its format: lines, apply_patch"),
        ("patch_check", {"patch": "x" * 10_000_001}, "the limit is"),
        ("patch_apply", {"plan": "99"}, "there is no plan"),
        ("patch_apply", {"patch": PATCH.replace("shop/cart.py", "../out.py")}, "out"),
        ("patch_apply", {"patch": PATCH.replace("shop/cart.py", "/etc/passwd")}, "etc/passwd"),
        ("patch_apply", {"patch": PATCH.replace("shop/cart.py", "shop/\0.py")}, ""),
        ("diagnostics", {"paths": "shop/cart.py"}, "must be of the type array"),
        ("diagnostics", {"paths": ["/etc/passwd"]}, "no such Python file"),
        ("diagnostics", {"files": []}, "has no argument 'files'"),
    ],
)
async def test_a_bad_call_says_what_is_wrong_and_writes_nothing(connect, repo, tool, arguments, said):
    async with connect(write=True) as client:
        answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    assert said in answer.content[0].text
    assert clean(repo)


async def test_unknown_tools_and_plans_are_protocol_errors(connect):
    from mcp.shared.exceptions import MCPError

    async with connect() as client:
        for name in ("refactor_nothing", "rename", "exec"):
            with pytest.raises(MCPError, match="unknown tool"):
                await client.call_tool(name, {})
        with pytest.raises(MCPError, match="there is no plan"):
            await client.read_resource("spark://plans/7")
        with pytest.raises(MCPError):
            await client.read_resource("file:///etc/passwd")
