"""Two threads that parse at once do not break one another; a walk is that of the standard library."""

import ast
import threading
import time
from pathlib import Path

from spark_tui.pysource.syntax import parsing


def test_one_thread_parses_at_a_time_and_gets_what_the_parser_gives(monkeypatch):
    inside, most = [], []

    def slow(text, mode="exec"):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return ast.parse(text, mode=mode)

    parse, found = parsing._one_at_a_time(slow), []
    threads = [threading.Thread(target=lambda: found.append(parse("1 + 1", mode="eval"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert [type(item) for item in found] == [ast.Expression] * 4
    assert ast.dump(parsing.parse_code("x = 1")) == ast.dump(ast.parse("x = 1"))


def test_walking_gives_the_nodes_in_the_order_of_the_standard_library() -> None:
    tree = parsing.parse_code(Path(__file__).read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert list(parsing.walk(tree)) == nodes
    assert [tree, *parsing.parents_below(tree)] == list(dict.fromkeys(nodes))  # operators are shared
    assert all(one in ast.iter_child_nodes(holder) for one, holder in parsing.parents_below(tree).items())
