"""How keys are written for people, and read back: `ctrl+p` as `Ctrl+P`, `full_stop` as `.`."""

from __future__ import annotations

_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "space": "Space",
    "full_stop": ".",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "slash": "/",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "backspace": "Backspace",
    "delete": "Del",
    "colon": ":",
    "comma": ",",
    "minus": "-",
    "plus": "+",
}
_WRITTEN = {written: key for key, written in _NAMES.items()} | {
    "esc": "escape",
    "return": "enter",
    "pgdn": "pagedown",
}
_MODIFIERS = ("ctrl", "alt", "shift", "super", "meta")


def shown(key: str) -> str:
    """How a key is written for people: `ctrl+p` as `Ctrl+P`, `full_stop` as `.`."""
    *modifiers, last = key.split("+") if key != "+" else [key]
    name = _NAMES.get(
        last, last.upper() if (modifiers and len(last) == 1) or _is_function_key(last) else last
    )
    return "+".join([*(m.capitalize() for m in modifiers), name])


def _is_function_key(key: str) -> bool:
    return key[:1] == "f" and key[1:].isdigit()


def parse_key(text: str) -> str | None:
    """The other way: what a person writes in the settings, `Ctrl+P` or `.`; None when it is no key."""
    text = text.strip()
    *modifiers, last = text.split("+") if text not in ("+",) else [text]
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    if any(modifier not in _MODIFIERS for modifier in modifiers) or not last:
        return None
    if last in _WRITTEN or last.lower() in _WRITTEN:
        last = _WRITTEN.get(last) or _WRITTEN[last.lower()]
    elif last.lower() in _NAMES or _is_function_key(last.lower()):
        last = last.lower()
    elif len(last) != 1:
        return None
    elif modifiers:
        last = last.lower()
    return "+".join([*modifiers, last])
