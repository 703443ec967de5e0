"""The files of the page, read once: small, unchanging, and none can be asked for that is not there.

Each has a strong ETag made of its content, so that a phone that comes back fetches nothing twice
and never shows yesterday's script beside today's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Not from the system's table: what a type is called must not depend on what else is installed.
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    content: bytes
    media_type: str
    etag: str

    def is_known_by(self, if_none_match: str) -> bool:
        """Whether a browser that sends this header has the file already.

        >>> PageFile(b"", "text/css", '"5d41"').is_known_by('W/"ab", "5d41"')
        True
        """
        tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
        return self.etag in tags or "*" in tags


def load_page(folder: Path) -> dict[str, PageFile]:
    """Every file of a known type in the folder and below, by its path there."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in _TYPES and path.is_file():
            content = path.read_bytes()
            etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            name = path.relative_to(folder).as_posix()
            files[name] = PageFile(content, _TYPES[path.suffix], etag)
    return files
