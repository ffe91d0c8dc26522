"""A kanban board in one file: columns, cards, a history of what happened, and a small command language."""

import json
import re
import shlex
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from pathlib import Path

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
        print(execute(board, line))
        save_board(board, path)
