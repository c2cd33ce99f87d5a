"""The frame of every page: templates that escape, the policy, and text that shows what it hides.

Jinja2 is imported when the first page is made: no other format needs it.
"""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from evalcontract._version import __version__
from evalcontract.values import counted, cut

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = files("evalcontract.reports.pages") / "templates"
_LONGEST = 2000
_LONGEST_WHOLE = 100_000


def page(template: str, *, script: str = "filter.js", workers: bool = False, **values: Any) -> str:
    """One page, whole: every value in it is escaped, and is the same from run to run.

    `script` is the only one that runs in it; with `workers` that one may start workers from texts of its own.
    """
    from markupsafe import Markup

    style, code = _text("style.css"), _text(script)
    frame = {"policy": policy(style, code, workers), "style": Markup(style), "script": Markup(code)}
    return _environment().get_template(f"{template}.html").render(frame | values)


def plain(text: str, longest: int = _LONGEST, kept: str = "\n") -> str:
    """Text from outside, at most 2000 characters of it; what can't be printed or turns text is an escape.

    Unlike `visible`, it keeps line breaks: a page has room for them.
    """
    text = cut(text, longest)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else f"\\u{ord(char):04x}" for char in text)


def policy(style: str, script: str, workers: bool = False) -> str:
    """What a browser may do for the page: this style, this script, its workers where it has some, and nothing else."""
    started = "worker-src blob:; " if workers else ""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; {started}"
        "base-uri 'none'; form-action 'none'"
    )


def _data_block(text: str) -> Any:
    """A script of ours as data of a page: a browser runs it only as the worker that it is made into."""
    from markupsafe import Markup

    if "</" in text or "<!--" in text:
        raise ValueError("it would end the element that it stands in")
    return Markup(text)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup, escape

    def finalize(value: Any) -> Any:
        return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = Environment(
        autoescape=True,
        loader=FunctionLoader(_text),
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def whole(text: str) -> Markup:
        return escape(plain(text, _LONGEST_WHOLE, "\n\t"))

    made.globals["version"] = __version__
    made.filters |= {
        "script": _data_block,
        "whole": whole,
        "counted": counted,
        "grouped": "{:,}".format,
        "score": "{:.4f}".format,
        "signed": "{:+.4f}".format,
    }
    return made


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
