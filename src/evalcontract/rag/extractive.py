"""A stand-in for a chat model that copies sentences: for demonstrations and tests, not for answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from evalcontract.rag.context import LINE_PREFIX
from evalcontract.rag.protocols import ChatMessage, ChatReply
from evalcontract.texts import words

_DOCUMENT = re.compile(r'<document number="(\[\d+\])" source="[^"\n]*">\n(.*?)\n</document>', re.DOTALL)
_QUESTION = re.compile(r"\nQuestion: (.*)\Z", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*")


class ExtractiveStandIn:
    """Answers with the sentence of the context that shares most words with the question, and cites its
    document.

    No language model: it copies, and can't combine, infer or decline well. Deterministic and offline.
    """

    async def complete(self, messages: Sequence[ChatMessage]) -> ChatReply:
        """The best sentence with its marker, or a statement that there is none."""
        prompt = messages[-1]["content"]
        question = _QUESTION.search(prompt)
        wanted = frozenset(words(question.group(1))) if question else frozenset()
        best_overlap, best = 0, "The documents don't hold the answer."
        for marker, body in _DOCUMENT.findall(prompt):
            text = "\n".join(line.removeprefix(LINE_PREFIX) for line in body.split("\n"))
            for sentence in _SENTENCE.findall(unescape(text)):
                overlap = len(wanted.intersection(words(sentence)))
                if overlap > best_overlap:
                    best_overlap, best = overlap, f"{sentence.strip()} {marker}"
        return ChatReply(best)
