"""What editors link and quote in a prompt: files are attached, and all else is named where it stands."""

import acp
import pytest

from spark_tui.acp.prompts import read_prompt

CART = "shop/cart.py"


def linked(repo, uri):
    blocks = [acp.text_block("look at"), acp.resource_link_block("x", uri), acp.text_block("and mend it")]
    return read_prompt(blocks, repo, 1_000_000)


@pytest.mark.parametrize(
    "uri",
    [
        "file://{root}/shop/cart.py",
        "file://{root}/shop/cart.py#L10:20",
        "file://{root}/shop/cart.py?symbol=Cart#L10:20",
        "zed:///agent/file?path={root}/shop/cart.py",
        "zed:///agent/symbol/Cart?path={root}/shop/cart.py#L10:25",
        "zed:///agent/selection?path={root}/shop%2Fcart.py#L10:25",
    ],
)
def test_a_file_is_attached_by_every_address_of_it(repo, uri):
    prompt = linked(repo, uri.format(root=repo))
    assert (prompt.files, prompt.buffers) == ([CART], {})
    assert prompt.instruction == "look atand mend it"


@pytest.mark.parametrize(
    ("uri", "named"),
    [
        ("https://example.com/x.py", "https://example.com/x.py"),
        ("zed:///agent/thread/1?name=Old", "zed:///agent/thread/1?name=Old"),
        ("file://{root}/shop/", "shop/"),
        ("zed:///agent/directory?path={root}/shop", "shop/"),
    ],
)
def test_what_is_no_file_is_named_where_it_stands(repo, uri, named):
    prompt = linked(repo, uri.format(root=repo))
    assert (prompt.files, prompt.instruction) == ([], f"look at {named} and mend it")


def test_a_quoted_file_of_another_folder_is_text_and_its_own_file_is_not_read(repo):
    outside = repo.parent / "outside.py"
    quoted = acp.resource_block(acp.embedded_text_resource(outside.as_uri(), "x = 1\n"))
    prompt = read_prompt([acp.text_block("as in"), quoted], repo, 1_000_000)
    assert (prompt.files, prompt.buffers) == ([], {})
    assert prompt.instruction == f"as in\n{outside.as_uri()}:\nx = 1"


def test_a_quoted_file_mentions_nothing(repo):
    text = 'import { total } from "@/shop/cart";\nsee @shop/cart.py\n'
    quoted = acp.resource_block(acp.embedded_text_resource("file:///other/cart.ts", text))
    prompt = read_prompt([acp.text_block("as in"), quoted], repo, 1_000_000)
    assert (prompt.files, prompt.mentioned) == ([], [])
