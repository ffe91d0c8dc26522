"""Writes the weights that ship: int8 matrices, the names of the trained intents, and the calibration."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.network import Array, Network, quantized
from spark_tui.intent.reading.reader import Calibration
from spark_tui.train import array_file
from spark_tui.train.reader.network import ReaderNetwork


def arrays_of(model: ReaderNetwork) -> dict[str, Array]:
    """The parameters under the names that `intent.network` reads."""
    out = {}
    for name, value in model.state_dict().items():
        plain = name.removesuffix(".weight") if name == "grams.weight" else name
        out[plain] = value.detach().float().numpy()
    return out


def numpy_network(model: ReaderNetwork) -> Network:
    """The same network in numpy, without the loss of int8."""
    table = tuple(intents().values())
    return Network(arrays_of(model), table, [intent.name for intent in model.intents])


def write(model: ReaderNetwork, calibration: Calibration, path: Path) -> None:
    """Writes the weights with what belongs to them."""
    arrays: dict[str, NDArray[Any]] = dict(quantized(arrays_of(model)))
    arrays["trained"] = np.array([intent.name for intent in model.intents])
    arrays["calibration"] = calibration.as_array()
    array_file.write(path, arrays, zipfile.ZIP_STORED)
