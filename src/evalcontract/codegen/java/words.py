"""Names and texts of contracts as Java writes them."""

from __future__ import annotations

import html
import re
from textwrap import wrap

from evalcontract.codegen.model import Model, pascal

_KEYWORDS = frozenset(
    [
        "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
        "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for",
        "goto", "if", "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null",
        "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch",
        "synchronized", "this", "throw", "throws", "transient", "true", "try", "void", "volatile", "while",
    ]
)  # fmt: skip


def java_package_name(model: Model) -> str:
    """The host from its end, and the name of the package where the host doesn't end with it."""
    labels = [_label(label) for label in reversed(model.host.split("."))]
    return ".".join(labels if labels[-1] == model.package else [*labels, _label(model.package)])


def _label(text: str) -> str:
    label = re.sub(r"[^A-Za-z0-9]", "_", text)
    return f"{label}_" if label in _KEYWORDS else f"_{label}" if label[:1].isdigit() else label


def accessors(names: list[str]) -> dict[str, str]:
    """What follows get and set for each property; no two are the same."""
    made: dict[str, str] = {}
    for name in names:
        word = pascal(name)
        while word in made.values() or word == "Class":
            word += "_"
        made[name] = word
    return made


def constants(members: tuple[str | int, ...]) -> dict[str | int, str]:
    """A constant for each member of an enumeration; those that make no name are counted."""
    names: dict[str | int, str] = {}
    for number, member in enumerate(members):
        text = f"MINUS_{-member}" if isinstance(member, int) and member < 0 else str(member)
        name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").upper()
        if not name:
            name = str(number)
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
            name = f"VALUE_{name}"
        while name in names.values():
            name += "_"
        names[member] = name
    return names


def string_literal(text: str) -> str:
    """A string literal in ASCII."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    units = quoted.encode("utf-16-be")
    return '"' + "".join(map(_unit, (units[at] << 8 | units[at + 1] for at in range(0, len(units), 2)))) + '"'


def _unit(unit: int) -> str:
    if unit in (0x0A, 0x0D):  # a Unicode escape would be a line end in the source
        return "\\n" if unit == 0x0A else "\\r"
    return chr(unit) if 0x20 <= unit < 0x7F else f"\\u{unit:04x}"


def text_block(text: str) -> str:
    """A text block, its closing quotes behind the text."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = [f"            {line}".rstrip() for line in escaped.split("\n")]
    return '"""\n' + "\n".join(lines) + '"""'


def doc(text: str, indent: int = 0, *, more: str = "") -> str:
    """A documentation comment that says what the text says: Javadoc reads HTML, tags and Unicode escapes.

    `more` is a second paragraph, as it is written.
    """
    plain = html.escape(" ".join(text.split()), quote=False)
    plain = plain.replace("\\", "&#92;").replace("@", "&#64;").replace("*/", "*&#47;").replace("{", "&#123;")
    margin = " " * indent
    lines = wrap(plain, 112 - indent, break_long_words=False, break_on_hyphens=False)
    if more:
        lines += ["", f"<p>{more}"]
    if len(lines) == 1 and len(lines[0]) < 108 - indent:
        return f"{margin}/** {lines[0]} */\n"
    return "".join(
        [f"{margin}/**\n", *(f"{margin} * {line}".rstrip() + "\n" for line in lines), f"{margin} */\n"]
    )
