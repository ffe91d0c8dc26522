"""Examples of ghost text: every line of code is asked, in the form of the prompt, to its end."""

from random import Random

from spark_tui.engine.text import token_layout
from spark_tui.train import sequences
from spark_tui.train.source_windows import SourceWindow

TEXT = '''class Shelf:
    """Holds books, by title."""

    def __init__(self, books, limit):
        self.books = books
        self.limit = limit

    def add(self, book):
        # the last one falls off
        self.books.append(book)
        while len(self.books) > self.limit:
            self.books.pop()
        return self.books
'''


def encode(text):
    return [32 + byte for byte in text.encode()]


def text_of(ids):
    return bytes(token - 32 for token in ids).decode()


def drawn(count=60):
    window, rng = SourceWindow("shop/shelf.py", TEXT), Random(3)
    found = [sequences.fill_example(encode, window, rng) for _ in range(count)]
    return [(example.ids, example.spans) for example in found if example is not None]


def test_the_prompt_is_the_one_that_ghost_text_is_asked_with_and_text_and_what_is_behind_make_the_file():
    for ids, spans in drawn():
        assert ids[0] == token_layout.SUF
        assert ids[-1] == token_layout.EOS
        middle = ids.index(token_layout.PRE)
        typed = text_of(ids[middle + 1 : -1])
        behind = text_of(ids[1:middle])
        assert (typed.removesuffix("\n") + behind)[: len(typed) + 40] in TEXT
        begin, end = spans[0]
        before, rest = text_of(ids[middle + 1 : begin]), text_of(ids[begin : end - 1])
        assert token_layout.encode_fill(encode, before, behind) == ids[:begin]
        assert before.split("\n")[-1] + rest in TEXT.split("\n")


def test_each_answer_is_the_rest_of_one_line_of_code_and_prose_is_never_asked():
    asked = set()
    for ids, spans in drawn():
        for begin, end in spans[:-1]:
            answer = text_of(ids[begin:end])
            assert answer.index("\n") == len(answer) - 1
            line = (text_of(ids[ids.index(token_layout.PRE) + 1 : begin]).split("\n")[-1] + answer).strip()
            asked.add(line)
            assert not line.startswith(("#", '"'))
        assert spans[-1] == (len(ids) - 1, len(ids))
    assert {"self.books = books", "self.limit = limit", "return self.books"} <= asked


def test_half_of_the_lines_are_asked_from_their_second_word_on():
    begun = whole = 0
    for ids, spans in drawn():
        for begin, _ in spans[:-1]:
            typed = text_of(ids[ids.index(token_layout.PRE) + 1 : begin]).split("\n")[-1]
            begun += bool(typed.strip())
            whole += not typed.strip()
    assert begun > 50
    assert whole > 50
