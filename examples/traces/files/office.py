"""An office in one file: a kanban board, a spreadsheet, and reports that put one into the other."""

import csv
import json
import math
import re
import shlex
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from pathlib import Path

# --- the board ---------------------------------------------------------------

DEFAULT_COLUMNS = ["backlog", "doing", "review", "done"]
WIP_LIMIT = 4
LABEL = re.compile(r"#(\w+)")
DUE = re.compile(r"due:(\d{4}-\d{2}-\d{2})")
OWNER = re.compile(r"@(\w+)")


class BoardError(Exception):
    pass


class Priority(Enum):
    LOW = 1
    NORMAL = 2
    HIGH = 3

    @classmethod
    def parse(cls, text):
        for member in cls:
            if member.name.lower() == text.lower():
                return member
        raise BoardError("unknown priority: %s" % text)


@dataclass
class Card:
    id: int
    title: str
    labels: set = field(default_factory=set)
    owner: str = None
    due: date = None
    priority: Priority = Priority.NORMAL
    comments: list = field(default_factory=list)
    created: datetime = None

    def is_late(self, today):
        if self.due is None:
            return False
        if self.due < today:
            return True
        return False

    def matches(self, words):
        for word in words:
            if word.startswith("#"):
                if word[1:] not in self.labels:
                    return False
            elif word.startswith("@"):
                if word[1:] != self.owner:
                    return False
            else:
                if word.lower() not in self.title.lower():
                    return False
        return True

    def to_dict(self):
        result = {"id": self.id, "title": self.title, "priority": self.priority.name}
        if self.labels:
            result["labels"] = sorted(self.labels)
        if self.owner:
            result["owner"] = self.owner
        if self.due:
            result["due"] = self.due.isoformat()
        if self.comments:
            result["comments"] = self.comments
        if self.created:
            result["created"] = self.created.isoformat()
        return result

    @staticmethod
    def from_dict(data):
        card = Card(data["id"], data["title"])
        card.labels = set(data.get("labels", []))
        card.owner = data.get("owner")
        if "due" in data:
            card.due = date.fromisoformat(data["due"])
        card.priority = Priority[data.get("priority", "NORMAL")]
        card.comments = data.get("comments", [])
        if "created" in data:
            card.created = datetime.fromisoformat(data["created"])
        return card


@dataclass
class Event:
    """What happened to a card. `detail` is for people."""

    at: datetime
    card: int
    what: str
    detail: str = ""

    def line(self):
        return "%s  #%d %s %s" % (self.at.strftime("%Y-%m-%d %H:%M"), self.card, self.what, self.detail)


class Column:
    def __init__(self, name, limit=None):
        self.name = name
        self.limit = limit
        self.cards = []

    def is_full(self):
        return self.limit is not None and len(self.cards) >= self.limit

    def add(self, card, position=None):
        if self.is_full():
            raise BoardError("column %s is full" % self.name)
        if position is None:
            self.cards.append(card)
        else:
            self.cards.insert(position, card)

    def remove(self, card):
        self.cards.remove(card)

    def sort(self):
        self.cards.sort(key=lambda card: (-card.priority.value, card.due or date.max, card.id))


def parse_title(text):
    """Split '#label', '@owner' and 'due:' marks off a title."""
    labels = set(LABEL.findall(text))
    owner = OWNER.search(text)
    due = DUE.search(text)
    title = LABEL.sub("", text)
    title = OWNER.sub("", title)
    title = DUE.sub("", title)
    title = " ".join(title.split())
    if due:
        due_date = date.fromisoformat(due.group(1))
    else:
        due_date = None
    return title, labels, owner.group(1) if owner else None, due_date


class Board:
    def __init__(self, name, columns=DEFAULT_COLUMNS, clock=datetime.now):
        self.name = name
        self.clock = clock
        self.columns = OrderedDict()
        for column in columns:
            self.columns[column] = Column(column)
        if "doing" in self.columns:
            self.columns["doing"].limit = WIP_LIMIT
        self.history = []
        self.last_id = 0
        self.listeners = []

    def column(self, name):
        if name in self.columns:
            return self.columns[name]
        candidates = [c for c in self.columns if c.startswith(name)]
        if len(candidates) == 1:
            return self.columns[candidates[0]]
        raise BoardError("no column " + name)

    def find(self, card_id):
        for column in self.columns.values():
            for card in column.cards:
                if card.id == card_id:
                    return column, card
        raise BoardError("no card #%d" % card_id)

    def cards(self):
        for column in self.columns.values():
            for card in column.cards:
                yield card

    def record(self, card, what, detail=""):
        event = Event(self.clock(), card.id, what, detail)
        self.history.append(event)
        for listener in self.listeners:
            listener(event)

    def add(self, text, column="backlog"):
        title, labels, owner, due = parse_title(text)
        if title == "":
            raise BoardError("a card needs a title")
        self.last_id += 1
        card = Card(self.last_id, title, labels, owner, due, created=self.clock())
        self.column(column).add(card)
        self.record(card, "added", title)
        return card

    def move(self, card_id, column_name, position=None):
        source, card = self.find(card_id)
        target = self.column(column_name)
        if target is source:
            return card
        target.add(card, position)
        source.remove(card)
        self.record(card, "moved", source.name + " -> " + target.name)
        return card

    def advance(self, card_id):
        """Move a card one column to the right."""
        source, card = self.find(card_id)
        names = list(self.columns)
        index = names.index(source.name)
        if index == len(names) - 1:
            raise BoardError("#%d is in the last column" % card_id)
        return self.move(card_id, names[index + 1])

    def delete(self, card_id):
        column, card = self.find(card_id)
        column.remove(card)
        self.record(card, "deleted")

    def assign(self, card_id, owner):
        _, card = self.find(card_id)
        card.owner = owner
        self.record(card, "assigned", owner)

    def comment(self, card_id, text):
        _, card = self.find(card_id)
        card.comments.append(text)
        self.record(card, "comment", text)

    def set_priority(self, card_id, text):
        column, card = self.find(card_id)
        card.priority = Priority.parse(text)
        column.sort()
        self.record(card, "priority", text)

    def search(self, query):
        words = query.split()
        found = []
        for card in self.cards():
            if card.matches(words):
                found.append(card)
        return found

    def late(self, today=None):
        today = today or date.today()
        return [card for card in self.cards() if card.is_late(today)]

    def workload(self):
        """How many open cards each person has."""
        counts = {}
        for name, column in self.columns.items():
            if name == "done":
                continue
            for card in column.cards:
                if card.owner is not None:
                    if card.owner not in counts:
                        counts[card.owner] = 0
                    counts[card.owner] += 1
        return counts

    def cycle_times(self):
        """Days between a card's first move and its move to done."""
        started = {}
        result = {}
        for event in self.history:
            if event.what != "moved":
                continue
            if event.card not in started:
                started[event.card] = event.at
            if event.detail.endswith("-> done"):
                result[event.card] = (event.at - started[event.card]).total_seconds() / 86400
        return result

    def to_dict(self):
        return {
            "name": self.name,
            "last_id": self.last_id,
            "columns": [
                {"name": c.name, "limit": c.limit, "cards": [card.to_dict() for card in c.cards]}
                for c in self.columns.values()
            ],
            "history": [[e.at.isoformat(), e.card, e.what, e.detail] for e in self.history],
        }

    @classmethod
    def from_dict(cls, data):
        board = cls(data["name"], columns=[])
        board.last_id = data["last_id"]
        for record in data["columns"]:
            column = Column(record["name"], record["limit"])
            column.cards = [Card.from_dict(card) for card in record["cards"]]
            board.columns[column.name] = column
        for at, card, what, detail in data["history"]:
            board.history.append(Event(datetime.fromisoformat(at), card, what, detail))
        return board


def save_board(board, path):
    Path(path).write_text(json.dumps(board.to_dict(), indent=2))


def load_board(path):
    path = Path(path)
    if not path.exists():
        return Board(path.stem)
    return Board.from_dict(json.loads(path.read_text()))


def render_card(card, today):
    parts = ["#%d" % card.id, card.title]
    if card.owner:
        parts.append("@" + card.owner)
    for label in sorted(card.labels):
        parts.append("#" + label)
    if card.due:
        parts.append("due " + card.due.isoformat())
    if card.is_late(today):
        parts.append("LATE")
    if card.priority == Priority.HIGH:
        parts.insert(0, "!")
    return " ".join(parts)


def render(board, today=None):
    today = today or date.today()
    lines = [board.name, "=" * len(board.name)]
    for column in board.columns.values():
        heading = column.name
        if column.limit:
            heading += " (%d/%d)" % (len(column.cards), column.limit)
        lines.append("")
        lines.append(heading)
        for card in column.cards:
            lines.append("  " + render_card(card, today))
    return "\n".join(lines)


def cmd_add(board, args):
    card = board.add(" ".join(args))
    return "added #%d" % card.id


def cmd_move(board, args):
    card = board.move(int(args[0]), args[1])
    return "moved #%d" % card.id


def cmd_next(board, args):
    card = board.advance(int(args[0]))
    return "moved #%d" % card.id


def cmd_delete(board, args):
    board.delete(int(args[0]))
    return "deleted"


def cmd_assign(board, args):
    board.assign(int(args[0]), args[1].lstrip("@"))
    return "assigned"


def cmd_comment(board, args):
    board.comment(int(args[0]), " ".join(args[1:]))
    return "noted"


def cmd_find(board, args):
    found = board.search(" ".join(args))
    if not found:
        return "nothing found"
    return "\n".join(render_card(card, date.today()) for card in found)


def cmd_late(board, args):
    return "\n".join(render_card(card, date.today()) for card in board.late()) or "nothing is late"


def cmd_load(board, args):
    counts = board.workload()
    lines = []
    for owner in sorted(counts):
        lines.append("%-10s %d" % (owner, counts[owner]))
    return "\n".join(lines)


def cmd_log(board, args):
    n = int(args[0]) if args else 10
    return "\n".join(event.line() for event in board.history[-n:])


def cmd_show(board, args):
    return render(board)


COMMANDS = {
    "add": cmd_add,
    "move": cmd_move,
    "next": cmd_next,
    "delete": cmd_delete,
    "assign": cmd_assign,
    "comment": cmd_comment,
    "find": cmd_find,
    "late": cmd_late,
    "load": cmd_load,
    "log": cmd_log,
    "show": cmd_show,
}


def execute(board, line):
    """Run one command line and return the answer."""
    words = shlex.split(line, comments=False)
    if not words:
        return ""
    name, args = words[0], words[1:]
    if name not in COMMANDS:
        return "unknown command: " + name
    try:
        return COMMANDS[name](board, args)
    except (BoardError, ValueError) as error:
        return "error: %s" % error


# --- the sheet ---------------------------------------------------------------

MAX_ROWS = 1000
MAX_COLUMNS = 26
CELL = re.compile(r"([A-Z])([0-9]+)$")
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<string>\"[^\"]*\")|(?P<name>[A-Za-z]+[0-9]*)|(?P<op><=|>=|<>|[-+*/^&=<>(),:]))"
)


class SheetError(Exception):
    """The base of everything that can be wrong with a formula."""

    code = "#ERR"


class ParseError(SheetError):
    code = "#PARSE"


class RefError(SheetError):
    code = "#REF"


class CycleError(SheetError):
    code = "#CYCLE"


class DivisionError(SheetError):
    code = "#DIV/0"


class ValueProblem(SheetError):
    code = "#VALUE"


def split_ref(ref):
    m = CELL.match(ref)
    if not m:
        raise RefError("not a cell: " + ref)
    column = ord(m.group(1)) - ord("A")
    row = int(m.group(2)) - 1
    if row < 0 or row > MAX_ROWS:
        raise RefError("no such row: " + ref)
    return column, row


def join_ref(column, row):
    return chr(ord("A") + column) + str(row + 1)


def expand_range(start, end):
    """All cells of a rectangle, row by row."""
    c1, r1 = split_ref(start)
    c2, r2 = split_ref(end)
    refs = []
    for row in range(min(r1, r2), max(r1, r2) + 1):
        for column in range(min(c1, c2), max(c1, c2) + 1):
            refs.append(join_ref(column, row))
    return refs


@dataclass
class Token:
    kind: str
    text: str
    position: int


def tokenize(source):
    tokens = []
    position = 0
    while position < len(source):
        m = TOKEN.match(source, position)
        if not m:
            if source[position:].strip() == "":
                break
            raise ParseError("unexpected %r at %d" % (source[position], position))
        kind = m.lastgroup
        tokens.append(Token(kind, m.group(kind), m.start(kind)))
        position = m.end()
    tokens.append(Token("end", "", len(source)))
    return tokens


class Node:
    def evaluate(self, sheet):
        raise NotImplementedError

    def references(self):
        return set()


class Number(Node):
    def __init__(self, value):
        self.value = value

    def evaluate(self, sheet):
        return self.value


class Text(Node):
    def __init__(self, value):
        self.value = value

    def evaluate(self, sheet):
        return self.value


class Reference(Node):
    def __init__(self, ref):
        self.ref = ref

    def evaluate(self, sheet):
        return sheet.value(self.ref)

    def references(self):
        return {self.ref}


class Range(Node):
    def __init__(self, start, end):
        self.refs = expand_range(start, end)

    def evaluate(self, sheet):
        return [sheet.value(ref) for ref in self.refs]

    def references(self):
        return set(self.refs)


class Negate(Node):
    def __init__(self, operand):
        self.operand = operand

    def evaluate(self, sheet):
        return -as_number(self.operand.evaluate(sheet))

    def references(self):
        return self.operand.references()


class Binary(Node):
    def __init__(self, op, left, right):
        self.op = op
        self.left = left
        self.right = right

    def evaluate(self, sheet):
        a = self.left.evaluate(sheet)
        b = self.right.evaluate(sheet)
        if self.op == "&":
            return as_text(a) + as_text(b)
        if self.op == "=":
            return a == b
        if self.op == "<>":
            return a != b
        a = as_number(a)
        b = as_number(b)
        if self.op == "+":
            return a + b
        if self.op == "-":
            return a - b
        if self.op == "*":
            return a * b
        if self.op == "/":
            if b == 0:
                raise DivisionError("division by zero")
            return a / b
        if self.op == "^":
            return a**b
        if self.op == "<":
            return a < b
        if self.op == ">":
            return a > b
        if self.op == "<=":
            return a <= b
        if self.op == ">=":
            return a >= b
        raise ParseError("unknown operator " + self.op)

    def references(self):
        return self.left.references() | self.right.references()


class Call(Node):
    def __init__(self, name, arguments):
        self.name = name
        self.arguments = arguments

    def evaluate(self, sheet):
        if self.name == "IF":
            return self.evaluate_if(sheet)
        if self.name not in FUNCTIONS:
            raise ParseError("unknown function " + self.name)
        values = []
        for argument in self.arguments:
            value = argument.evaluate(sheet)
            if isinstance(value, list):
                values.extend(value)
            else:
                values.append(value)
        return FUNCTIONS[self.name](values)

    def evaluate_if(self, sheet):
        if len(self.arguments) != 3:
            raise ParseError("IF takes three arguments")
        condition, yes, no = self.arguments
        if condition.evaluate(sheet):
            return yes.evaluate(sheet)
        else:
            return no.evaluate(sheet)

    def references(self):
        result = set()
        for argument in self.arguments:
            result = result | argument.references()
        return result


def as_number(value):
    if value is None or value == "":
        return 0.0
    if isinstance(value, bool):
        return 1.0 if value else 0.0
    if isinstance(value, (int, float)):
        return value
    try:
        return float(value)
    except ValueError:
        raise ValueProblem("not a number: %r" % value)


def as_text(value):
    if value is None:
        return ""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)


def numbers(values):
    return [as_number(v) for v in values if v is not None and not isinstance(v, str)]


def fn_sum(values):
    total = 0
    for value in numbers(values):
        total = total + value
    return total


def fn_average(values):
    items = numbers(values)
    if len(items) == 0:
        raise DivisionError("average of nothing")
    return sum(items) / len(items)


def fn_count(values):
    return len(numbers(values))


def fn_min(values):
    return min(numbers(values))


def fn_max(values):
    return max(numbers(values))


def fn_round(values):
    if len(values) == 1:
        return round(as_number(values[0]))
    return round(as_number(values[0]), int(as_number(values[1])))


def fn_sqrt(values):
    return math.sqrt(as_number(values[0]))


def fn_concat(values):
    result = ""
    for value in values:
        result += as_text(value)
    return result


def fn_len(values):
    return len(as_text(values[0]))


FUNCTIONS = {
    "SUM": fn_sum,
    "AVERAGE": fn_average,
    "COUNT": fn_count,
    "MIN": fn_min,
    "MAX": fn_max,
    "ROUND": fn_round,
    "SQRT": fn_sqrt,
    "CONCAT": fn_concat,
    "LEN": fn_len,
}


class Parser:
    """Precedence climbing over the tokens of one formula."""

    LEVELS = [["=", "<>", "<", ">", "<=", ">="], ["&"], ["+", "-"], ["*", "/"]]

    def __init__(self, source):
        self.tokens = tokenize(source)
        self.index = 0

    def peek(self):
        return self.tokens[self.index]

    def next(self):
        token = self.tokens[self.index]
        self.index += 1
        return token

    def expect(self, text):
        token = self.next()
        if token.text != text:
            raise ParseError("expected %s at %d" % (text, token.position))
        return token

    def parse(self):
        node = self.binary(0)
        if self.peek().kind != "end":
            raise ParseError("unexpected %s" % self.peek().text)
        return node

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while self.peek().kind == "op" and self.peek().text in self.LEVELS[level]:
            op = self.next().text
            right = self.binary(level + 1)
            left = Binary(op, left, right)
        return left

    def power(self):
        base = self.unary()
        if self.peek().text == "^":
            self.next()
            return Binary("^", base, self.power())
        return base

    def unary(self):
        if self.peek().text == "-":
            self.next()
            return Negate(self.unary())
        return self.atom()

    def atom(self):
        token = self.next()
        if token.kind == "number":
            return Number(float(token.text))
        if token.kind == "string":
            return Text(token.text[1:-1])
        if token.text == "(":
            node = self.binary(0)
            self.expect(")")
            return node
        if token.kind == "name":
            name = token.text.upper()
            if self.peek().text == "(":
                return self.call(name)
            if self.peek().text == ":":
                self.next()
                end = self.next()
                return Range(name, end.text.upper())
            split_ref(name)
            return Reference(name)
        raise ParseError("unexpected %r" % token.text)

    def call(self, name):
        self.expect("(")
        arguments = []
        if self.peek().text != ")":
            arguments.append(self.binary(0))
            while self.peek().text == ",":
                self.next()
                arguments.append(self.binary(0))
        self.expect(")")
        return Call(name, arguments)


class Cell:
    def __init__(self, source=""):
        self.source = source
        self.node = None
        self.value = None
        self.error = None

    def is_formula(self):
        return self.source.startswith("=")

    def show(self):
        if self.error is not None:
            return self.error.code
        return as_text(self.value)


class Sheet:
    def __init__(self, name="sheet"):
        self.name = name
        self.cells = {}
        self.evaluating = []
        self.undo_stack = []

    def set(self, ref, source):
        split_ref(ref)
        old = self.cells.get(ref)
        self.undo_stack.append((ref, old.source if old else ""))
        self.put(ref, source)

    def put(self, ref, source):
        if source == "":
            self.cells.pop(ref, None)
        else:
            cell = Cell(source)
            if cell.is_formula():
                try:
                    cell.node = Parser(source[1:]).parse()
                except SheetError as error:
                    cell.error = error
            else:
                cell.value = self.literal(source)
            self.cells[ref] = cell
        self.recalculate()

    def literal(self, source):
        try:
            return float(source)
        except ValueError:
            return source

    def undo(self):
        if len(self.undo_stack) == 0:
            return False
        ref, source = self.undo_stack.pop()
        self.put(ref, source)
        return True

    def value(self, ref):
        cell = self.cells.get(ref)
        if cell is None:
            return None
        if cell.node is not None and cell.value is None and cell.error is None:
            self.evaluate(ref, cell)
        if cell.error is not None:
            raise cell.error
        return cell.value

    def evaluate(self, ref, cell):
        if ref in self.evaluating:
            raise CycleError(" -> ".join(self.evaluating + [ref]))
        self.evaluating.append(ref)
        try:
            cell.value = cell.node.evaluate(self)
        except SheetError as error:
            cell.error = error
        finally:
            self.evaluating.pop()

    def recalculate(self):
        for cell in self.cells.values():
            if cell.node is not None:
                cell.value = None
                cell.error = None
        for ref, cell in self.cells.items():
            if cell.node is not None and cell.value is None and cell.error is None:
                self.evaluate(ref, cell)

    def dependents(self, ref):
        """Cells whose formula mentions the cell."""
        found = []
        for other, cell in self.cells.items():
            if cell.node is not None:
                if ref in cell.node.references():
                    found.append(other)
        return sorted(found)

    def used_area(self):
        if not self.cells:
            return 0, 0
        columns = [split_ref(ref)[0] for ref in self.cells]
        rows = [split_ref(ref)[1] for ref in self.cells]
        return max(columns) + 1, max(rows) + 1

    def row(self, index):
        width, _ = self.used_area()
        result = []
        for column in range(width):
            cell = self.cells.get(join_ref(column, index))
            result.append(cell.show() if cell else "")
        return result

    def render(self, width=10):
        columns, rows = self.used_area()
        head = " " * 4
        for column in range(columns):
            head += chr(ord("A") + column).center(width)
        lines = [head]
        for index in range(rows):
            line = str(index + 1).rjust(3) + " "
            for text in self.row(index):
                line += text[:width].rjust(width)
            lines.append(line)
        return "\n".join(lines)


def load_csv(path):
    sheet = Sheet(Path(path).stem)
    f = open(path, newline="")
    for r, record in enumerate(csv.reader(f)):
        for c, source in enumerate(record):
            if source != "":
                sheet.put(join_ref(c, r), source)
    f.close()
    return sheet


def save_csv(sheet, path, formulas=True):
    columns, rows = sheet.used_area()
    with open(path, "w", newline="") as f:
        writer = csv.writer(f)
        for r in range(rows):
            record = []
            for c in range(columns):
                cell = sheet.cells.get(join_ref(c, r))
                if cell is None:
                    record.append("")
                elif formulas:
                    record.append(cell.source)
                else:
                    record.append(cell.show())
            writer.writerow(record)


# --- reports -----------------------------------------------------------------


def put_table(sheet, rows, top=0, left=0):
    """Write rows of values into a sheet, the first one at the given place."""
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            sheet.put(join_ref(left + c, top + r), str(value))


def workload_sheet(board):
    """Owners and their open cards, with a sum and an average below."""
    sheet = Sheet(board.name + " workload")
    counts = board.workload()
    rows = [("owner", "cards")]
    for owner in sorted(counts):
        rows.append((owner, counts[owner]))
    put_table(sheet, rows)
    if counts:
        last = len(rows)
        sheet.put("A%d" % (last + 1), "total")
        sheet.put("B%d" % (last + 1), "=SUM(B2:B%d)" % last)
        sheet.put("A%d" % (last + 2), "average")
        sheet.put("B%d" % (last + 2), "=AVERAGE(B2:B%d)" % last)
    return sheet


def cycle_sheet(board):
    sheet = Sheet(board.name + " cycle times")
    times = board.cycle_times()
    rows = [("card", "days")]
    for card_id, days in sorted(times.items()):
        rows.append((card_id, round(days, 2)))
    put_table(sheet, rows)
    return sheet


def late_sheet(board, today):
    sheet = Sheet(board.name + " late")
    rows = [("card", "title", "owner", "days late")]
    for card in board.late(today):
        rows.append((card.id, card.title, card.owner or "", (today - card.due).days))
    put_table(sheet, rows)
    return sheet


def cards_from_sheet(board, sheet, column="backlog"):
    """Add a card for every row: the title in A, the owner in B, the date in C."""
    _, height = sheet.used_area()
    added = []
    for index in range(height):
        row = sheet.row(index)
        if row[0] == "":
            continue
        text = row[0]
        if len(row) > 1 and row[1]:
            text += " @" + row[1]
        if len(row) > 2 and row[2]:
            text += " due:" + row[2]
        added.append(board.add(text, column))
    return added


def write_reports(board, folder, today=None):
    """Write every report as CSV and return the paths."""
    today = today or date.today()
    paths = []
    for sheet in (workload_sheet(board), cycle_sheet(board), late_sheet(board, today)):
        path = Path(folder) / (sheet.name.replace(" ", "-") + ".csv")
        save_csv(sheet, path, formulas=False)
        paths.append(path)
    return paths


def main(path="board.json"):
    board = load_board(path)
    print(render(board))
    while True:
        try:
            line = input("> ")
        except EOFError:
            break
        if line.strip() in ("quit", "exit"):
            break
        if line.strip() == "report":
            for written in write_reports(board, Path(path).parent):
                print("wrote", written)
            continue
        print(execute(board, line))
        save_board(board, path)
