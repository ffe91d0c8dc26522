"""Builders turn readings into calls of codemods where the table `calls.toml` cannot: one file for each
family.

Importing this package registers them.
"""

import importlib
import pkgutil

for _one in pkgutil.walk_packages(__path__, f"{__name__}."):
    importlib.import_module(_one.name)
