"""Any grammar as one function."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MaskConstraint:
    """From the ids written so far to a mask over the vocabulary, or None for all."""

    mask: object

    def start(self, prompt):
        return ()

    def advance(self, state, token):
        return (*state, token)

    def allowed(self, state):
        return self.mask(state)
