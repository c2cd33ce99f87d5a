"""Which document a passage comes from, as far as it can be told."""

from __future__ import annotations

import hashlib

from evalcontract.responses.shapes import JsonNode
from evalcontract.values import Notice


class Identities:
    """Document ids in the stated order of fallback, and the notices about those that tell little."""

    def __init__(self) -> None:
        self._hashed: list[str] = []
        self._titled: list[str] = []

    def of(
        self,
        place: JsonNode,
        *,
        own: str | None = None,
        filepath: str | None = None,
        url: str | None = None,
        title: str | None = None,
        content: str | None = None,
    ) -> str:
        """The provider's own document id if it has one, else filepath, url, title, else a hash of the text."""
        known = own or filepath or url
        if known:
            return known
        if title:
            self._titled.append(place.pointer)
            return title
        self._hashed.append(place.pointer)
        return "sha256:" + hashlib.sha256((content or "").encode()).hexdigest()[:16]

    def notices(self) -> list[Notice]:
        found = []
        if self._hashed:
            count = len(self._hashed)
            found.append(
                Notice(
                    "no-identity",
                    "1 passage has neither filepath, url nor title: which document it comes from can't be told"
                    if count == 1
                    else f"{count} passages have neither filepath, url nor title: which of them come from one "
                    "document can't be told apart",
                    self._hashed[0],
                    "map a filepath, url or title field of the index; the ids are hashes of the texts",
                )
            )
        if self._titled:
            count = len(self._titled)
            subject = "1 passage has" if count == 1 else f"{count} passages have"
            found.append(
                Notice(
                    "title-as-identity",
                    f"{subject} only a title: documents of the same title can't be told apart",
                    self._titled[0],
                )
            )
        return found
