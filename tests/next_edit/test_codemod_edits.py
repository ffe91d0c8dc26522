"""Renames, changed signatures and imports are followed exactly."""

from __future__ import annotations

from next_edit.asking import offer_after, taken

CART = "def total(qty, price):\n    return qty * price\n\n\ndef twice(qty):\n    return total(qty, 2)\n"
SHOP = "from cart import total\n\nprint(total(3, 4))\nprint(total(qty=1, price=2))\n"


def test_a_renamed_parameter_is_followed_in_its_function_and_its_calls_only():
    files = taken({"cart.py": CART, "shop.py": SHOP}, ("cart.py", "qty, price", "quantity, price"))
    assert "return quantity * price" in files["cart.py"]
    assert "def twice(qty):\n    return total(qty, 2)" in files["cart.py"]
    assert "total(quantity=1, price=2)" in files["shop.py"]


def test_a_renamed_function_is_followed_in_other_files():
    files = taken({"cart.py": CART, "shop.py": SHOP}, ("cart.py", "def total", "def total_price"))
    assert "return total_price(qty, 2)" in files["cart.py"]
    assert files["shop.py"] == SHOP.replace("total", "total_price")


def test_the_line_says_how_many_places_in_how_many_files():
    offer = offer_after({"cart.py": CART, "shop.py": SHOP}, ("cart.py", "def total", "def total_price"))
    assert offer is not None
    assert offer.line == "4 more places in 2 files: rename total → total_price"


def test_a_removed_parameter_goes_from_the_calls():
    text = "def send(item, retries):\n    return item\n\n\nsend(1, 2)\nsend(item=1, retries=2)\n"
    files = taken({"a.py": text}, ("a.py", "(item, retries)", "(item)"))
    assert files["a.py"] == "def send(item):\n    return item\n\n\nsend(1)\nsend(item=1)\n"


def test_a_lost_default_is_passed_by_the_calls_that_left_it_out():
    text = "def send(item, retries=3):\n    return item, retries\n\n\nsend(1)\nsend(2, 5)\n"
    files = taken({"a.py": text}, ("a.py", "retries=3", "retries"))
    assert "send(1, 3)" in files["a.py"] or "send(1, retries=3)" in files["a.py"]
    assert "send(2, 5)" in files["a.py"]


def test_a_name_that_is_now_missing_is_imported_from_where_the_others_have_it():
    files = {
        "a.py": "import os\n\n\ndef home():\n    return os.curdir\n",
        "b.py": "from pathlib import Path\n\nprint(Path())\n",
        "c.py": "from pathlib import Path\n\nprint(Path())\n",
    }
    assert "from pathlib import Path\n" in str(taken(files, ("a.py", "os.curdir", "Path(os.curdir)"))["a.py"])


def test_an_import_that_lost_its_last_use_is_removed():
    files = {"a.py": "import os\nimport sys\n\nprint(os.curdir)\nprint(sys.path)\n"}
    assert taken(files, ("a.py", "os.curdir", "'.'"))["a.py"] == "import sys\n\nprint('.')\nprint(sys.path)\n"


def test_a_rename_that_would_hide_another_name_is_not_offered():
    text = "def f(one):\n    two = one + 1\n    return one + two\n"
    assert offer_after({"a.py": text}, ("a.py", "(one)", "(three)")) is not None
    assert offer_after({"a.py": text}, ("a.py", "(one)", "(two)")) is None


def test_a_later_assignment_that_gets_another_name_is_no_rename():
    text = "def f(data):\n    print(data)\n    data = data.strip()\n    return data\n"
    assert offer_after({"a.py": text}, ("a.py", "    data = ", "    text = ")) is None
    assert offer_after({"a.py": text}, ("a.py", "(data)", "(raw)")) is not None


def test_a_method_that_overrides_another_is_followed_in_its_own_class():
    base = "class A:\n    def run(self): ...\n\n\ndef go(a: A):\n    a.run()\n"
    own = (
        "from a import A\n\n\nclass B(A):\n    def run(self): ...\n\n    def two(self):\n        self.run()\n"
    )
    files = taken({"a.py": base, "b.py": own}, ("b.py", "def run", "def walk"))
    assert files == {"a.py": base, "b.py": own.replace("run", "walk")}
    files = taken({"a.py": base, "b.py": own}, ("a.py", "def run", "def walk"))
    assert files == {"a.py": base.replace("run", "walk"), "b.py": own.replace("run", "walk")}
