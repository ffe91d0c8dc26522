"""A kiosk that sells tickets for a small ferry."""

from dataclasses import dataclass, field


@dataclass
class Ticket:
    passenger: str
    price: float
    bicycle: bool = False

    def total(self):
        if self.bicycle:
            return self.price + 2.5
        return self.price


@dataclass
class Crossing:
    departs: str
    seats: int
    tickets: list = field(default_factory=list)

    def sell(self, passenger, price, bicycle=False):
        if len(self.tickets) >= self.seats:
            raise ValueError("the ferry is full")
        ticket = Ticket(passenger, price, bicycle)
        self.tickets.append(ticket)
        return ticket

    def refund(self, passenger):
        for ticket in self.tickets:
            if ticket.passenger == passenger:
                self.tickets.remove(ticket)
                return ticket.total()
        return 0.0

    def income(self):
        return sum(ticket.total() for ticket in self.tickets)


def timetable(crossings):
    lines = []
    for crossing in crossings:
        free = crossing.seats - len(crossing.tickets)
        lines.append(f"{crossing.departs}  {free} free")
    return "\n".join(lines)
