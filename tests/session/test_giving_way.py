"""Long work lets other threads have the interpreter soon, for as long as any of it goes on."""

import sys
import threading

from spark_tui.session.timing import giving_way


def test_the_interpreter_is_given_up_sooner_until_the_last_work_ends():
    usual, first, second = sys.getswitchinterval(), threading.Event(), threading.Event()

    def work() -> None:
        with giving_way():
            first.set()
            assert second.wait(60)

    other = threading.Thread(target=work)
    with giving_way():
        other.start()
        assert first.wait(60)
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() < usual
    second.set()
    other.join()
    assert sys.getswitchinterval() == usual
