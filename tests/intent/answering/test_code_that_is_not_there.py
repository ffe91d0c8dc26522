"""What is said as code and stands nowhere is not taken for something else."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CLIENT = """\
from models import Cookies


class Client:
    def __init__(self, cookies):
        self.my_cookies = Cookies(cookies)
"""
STREAM = """\
def stream(writer):
    if writer is None:
        raise RuntimeError("no stream")
    return writer
"""
PATHS = "def here(name):\n    return os.path.join(name, 'x')\n"


def test_a_member_that_no_object_has_is_no_other_spelling_of_a_class() -> None:
    said = {"old": "self._cookies", "new": "self.my_cookies"}
    assert not answer_to(CLIENT, "use self.my_cookies for self._cookies", "replace_call", **said).ways
    assert answer_to(CLIENT, "use Jar for cookies", "replace_call", old="cookies", new="Jar").ways


def test_a_call_that_is_to_go_is_not_left_out_by_another_reading() -> None:
    said = "replace echo(err=err) with raise ValueError"
    code = (Span(22 + 5, len(said), "raise ValueError"),)
    old = (Span(8, 21, "echo(err=err)"),)
    first = Reading("replace_statement", 0.6, {"old": old, "code": code})
    other = Reading("change_raised", 0.3, {"exception": (Span(33, len(said), "ValueError"),)})
    here = situation({PATH: STREAM}, instruction=said)
    assert not answer_orders([Order(0, len(said), (first, other))], here).ways
    assert answer_orders([Order(0, len(said), (other,))], here).ways


def test_a_name_that_is_not_used_is_not_imported_because_it_is_undefined() -> None:
    said = "fix NameError: name 'os' is not defined"
    asked = [Order(0, len(said), (Reading("add_import", 0.9, {"module": (Span(22, 24, "os"),)}),))]
    idle = answer_orders(asked, situation({PATH: STREAM}, instruction=said))
    assert not idle.ways and "os is not used" in idle.reason
    other = answer_orders(asked, situation({PATH: STREAM, "paths.py": PATHS}, instruction=said))
    assert [call.path for way in other.ways for call in way.calls] == ["paths.py"]
    assert not answer_to(STREAM + "\nprint(writr)\n", said, "fix_error", symbol="os").ways
