"""Names that everybody imports, and from where.

Comes in: a name, and the source that uses it. Goes out: the import as a line. Must not know: instructions.
"""

from __future__ import annotations

import re
import sys

from spark_tui.refactor.source import Source

_FROM = {
    "pathlib": "Path PurePath PosixPath",
    "typing": "Any Optional Union Callable Iterable Iterator List Dict Tuple Set Sequence Mapping TYPE_CHECKING Literal NamedTuple TypedDict Protocol ClassVar Final Generic TypeVar cast overload Generator Awaitable Self Type",
    "dataclasses": "dataclass field asdict astuple",
    "collections": "defaultdict Counter deque OrderedDict namedtuple ChainMap",
    "functools": "lru_cache partial wraps reduce cached_property total_ordering cmp_to_key",
    "itertools": "chain product combinations permutations islice groupby zip_longest accumulate starmap takewhile dropwhile pairwise",
    "contextlib": "contextmanager suppress closing ExitStack asynccontextmanager nullcontext",
    "datetime": "timedelta date timezone",
    "enum": "Enum IntEnum StrEnum IntFlag auto",
    "abc": "ABC abstractmethod",
    "decimal": "Decimal ROUND_HALF_UP",
    "fractions": "Fraction",
    "time": "sleep perf_counter monotonic",
    "math": "sqrt ceil floor pi",
    "random": "randint choice shuffle uniform randrange",
    "json": "JSONDecodeError",
    "os": "environ getenv path",
    "threading": "Thread Lock",
    "queue": "Queue",
    "concurrent.futures": "ThreadPoolExecutor ProcessPoolExecutor as_completed",
    "multiprocessing": "Pool",
    "subprocess": "Popen CalledProcessError",
    "argparse": "ArgumentParser Namespace",
    "io": "StringIO BytesIO",
    "tempfile": "NamedTemporaryFile TemporaryDirectory",
    "urllib.parse": "urlparse urlencode urljoin quote",
    "urllib.request": "urlopen",
    "unittest": "TestCase",
    "unittest.mock": "Mock MagicMock patch",
    "types": "SimpleNamespace",
    "textwrap": "dedent",
    "operator": "itemgetter attrgetter",
    "string": "ascii_letters digits",
    "uuid": "uuid4",
    "zoneinfo": "ZoneInfo",
    "collections.abc": "",
    "bs4": "BeautifulSoup",
    "flask": "Flask request jsonify render_template Blueprint abort redirect url_for",
    "fastapi": "FastAPI HTTPException APIRouter",
    "pydantic": "BaseModel",
    "tqdm": "tqdm",
    "dotenv": "load_dotenv",
    "PIL": "Image",
    "sqlalchemy": "create_engine",
    "tkinter": "messagebox ttk",
}  # fmt: skip
FROM = {name: module for module, names in _FROM.items() for name in re.findall(r"\S+", names)}
ALIASES = {
    "np": "import numpy as np", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot as plt", "sns": "import seaborn as sns", "tf": "import tensorflow as tf",
    "tk": "import tkinter as tk", "dt": "import datetime as dt", "nx": "import networkx as nx", "ET": "import xml.etree.ElementTree as ET", "sp": "import scipy as sp",
    "mp": "import multiprocessing as mp", "px": "import plotly.express as px", "st": "import streamlit as st", "nn": "from torch import nn", "F": "import torch.nn.functional as F",
    "sa": "import sqlalchemy as sa", "mock": "from unittest import mock",
}  # fmt: skip
THIRD = frozenset(
    re.findall(
        r"\S+",
        "numpy pandas requests yaml flask django click pytest torch tensorflow scipy sklearn matplotlib seaborn httpx aiohttp rich jinja2 redis boto3 psutil serial pygame "
        "telebot discord tweepy openpyxl psycopg2 pymongo sqlalchemy paramiko attr attrs pydantic typer tqdm toml bcrypt jwt celery uvicorn fastapi schedule selenium lxml "
        "cv2 networkx sympy plotly streamlit pyautogui keyboard termcolor colorama markdown feedparser docx simplejson orjson ujson",
    )
)
_BOTH = frozenset(["datetime", "glob", "copy", "pprint", "time", "tqdm"])
"""Modules that hold a thing of their own name."""


def is_module(name: str) -> bool:
    """A module that many know."""
    first = name.split(".")[0]
    return first in sys.stdlib_module_names or first in THIRD


def import_for(name: str, src: Source) -> str | None:
    """The line that gives a file a well-known name, as the file uses it."""
    if name in ALIASES:
        return ALIASES[name]
    if name in _BOTH and re.search(rf"(?<![\w.]){name}\(", src.text):
        return f"from {name} import {name}"
    if name == "datetime" and re.search(r"(?<![\w.])datetime\.(?:now|utcnow|today|strptime|fromisoformat|fromtimestamp|min|max|combine)\b", src.text):  # fmt: skip
        return "from datetime import datetime"
    if is_module(name):
        return f"import {name}"
    return f"from {FROM[name]} import {name}" if name in FROM else None
