"""*The file changed on disk in the same lines*: the instruction is sent again, as the message says."""

import pytest
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted, accept, accept_and_write, run, small_model
from support.small_repositories import written

from spark_tui.workspace.apply import ConflictedFile

ASKED = "change the default of limit in is_heavy to 25"
BEFORE = "def is_heavy(weight, limit=20):\n    return weight > limit\n\n\nSIZE = 3\n"
ANSWER = "*** parcel.py\n@@ 1,2\n+def is_heavy(weight, limit=25):\n"


@pytest.fixture(params=["reader", "model"])
def session(request, tmp_path):
    root = written(tmp_path / "tree", {"parcel.py": BEFORE})
    model = small_model if request.param == "reader" else Scripted
    with open_sessions(root, tmp_path / "state") as open_one:
        yield open_one(model({ASKED: ANSWER, "SIZE should be 4": "*** parcel.py\n@@ 5,6\n+SIZE = 4\n"}))


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("key", [False, True], ids=["typed", "t"])
def test_an_edit_that_clashes_with_its_file_is_replaced_when_it_is_asked_for_again(session, key, between):
    def say(words):
        run(session.turns.follow, words, files=("parcel.py",))

    path = session.root / "parcel.py"
    if between and not key:
        say("SIZE should be 4")
        accept(session)
    say(ASKED)
    accept(session)
    path.write_text(BEFORE.replace("20", "30"))
    with pytest.raises(ConflictedFile):
        session.changes.check_write()
        session.changes.write()
    (clashes,) = (one for one in session.decisions.review.accepted() if "limit=25" in "".join(one.new_lines))
    assert session.changes.in_conflict({"parcel.py"}) == {clashes.id}
    assert not session.changes.in_conflict({"other.py"})
    if key:
        run(session.turns.retry)
    else:
        say(ASKED)
    accept_and_write(session)
    assert path.read_text().startswith("def is_heavy(weight, limit=25):")
