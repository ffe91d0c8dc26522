"""A model that computes no number where it reads a certain token."""

import numpy as np


def poison(model, token, value=np.nan):
    """From now on the model's rows of this token are `value`."""
    original = model._rows_of

    def rows_of(index):
        rows = np.array(original(index))
        rows[np.asarray(index) == token] = value
        return rows

    model._rows_of = rows_of
