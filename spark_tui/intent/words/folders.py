"""Words that ask for a folder to be made."""

from __future__ import annotations

import re

_FOLDER = re.compile(
    r"\b(?:creates?|makes?|mkdirs?|ensures?|make sure)\b[^.;]{0,40}?\b(?:folders?|director(?:y|ies)|dirs?)\b"
    r"(?=\s*(?:[,.;!?)]|\Z|(?:if|when|unless|before|first|exists?|is|are|in|for|of|as needed)\b))"
    r"|\b(?:ordner|verzeichnis)\b[^.;]{0,40}\b(?:anlegen|erstellen|anlegt|erstellt)\b"
    r"|\bcr[ée]+\w*\b[^.;]{0,30}\b(?:dossier|répertoire|carpeta|directorio)\b|创建[^。；]{0,10}(?:文件夹|目录)",
    re.IGNORECASE,
)


def folder_words(text: str) -> tuple[int, int] | None:
    """Where the words stand that ask for the folder of something to be made."""
    found = _FOLDER.search(text)
    return found.span() if found is not None else None
