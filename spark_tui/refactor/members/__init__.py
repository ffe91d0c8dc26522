"""Rules of the family `members`: what classes hold and can do."""

from __future__ import annotations

from spark_tui.refactor.members import bodies as members_bodies
from spark_tui.refactor.members import counters as members_counters
from spark_tui.refactor.members import dunders as members_dunders
from spark_tui.refactor.members import fields as members_fields
from spark_tui.refactor.members import gone as members_gone
from spark_tui.refactor.members import methods as members_methods
from spark_tui.refactor.members import values as members_values
from spark_tui.refactor.order import Rule

RULES: tuple[Rule, ...] = (
    Rule(members_dunders.TRIGGER, members_dunders.dunder),
    Rule(members_values.CONSTANT, members_values.constant),
    Rule(members_values.ATTRIBUTE, members_values.attribute),
    Rule(members_values.FIELD, members_values.field),
    Rule(members_values.MEMBER, members_values.enum_member),
    Rule(members_methods.METHOD, members_methods.method),
    Rule(members_bodies.BODIES, members_bodies.from_name),
    Rule(members_counters.COUNTED, members_counters.counted),
    Rule(members_fields.FIELDS, members_fields.change_field),
    Rule(members_gone.GONE, members_gone.remove_attribute),
    Rule(members_methods.FUNCTION, members_methods.function),
    Rule(members_methods.PROPERTY, members_methods.as_property),
    Rule(members_methods.SETTER, members_methods.setter),
)
