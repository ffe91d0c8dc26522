"""A spreadsheet: cells with values and formulas, recalculated in the order of their dependencies."""

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path

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
