"""Names and texts of contracts as Rust writes them."""

from __future__ import annotations

import re

from evalcontract.codegen.model import pascal

_KEYWORDS = frozenset(
    [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
        "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
        "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
        "while", "yield",
    ]
)  # fmt: skip
_NEVER_RAW = frozenset({"crate", "self", "super"})


def free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that no property can have."""
    return f"{name}_" if name in taken else name


def field_name(name: str) -> str:
    """The name of a field, as a raw identifier where Rust keeps the word for itself."""
    if name in _NEVER_RAW:
        return f"{name}_"
    return f"r#{name}" if name in _KEYWORDS else name


def variants(members: tuple[str | int, ...]) -> dict[str | int, str]:
    """A name for each member; those that make none are counted."""
    names: dict[str | int, str] = {}
    for number, member in enumerate(members):
        text = f"Minus{-member}" if isinstance(member, int) and member < 0 else str(member)
        name = pascal(text) if isinstance(member, str) else text
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
            name = f"Value{name}" if re.fullmatch(r"[0-9]+", name) else f"Value{number}"
        while name in names.values() or name == "Self":
            name += "Again"
        names[member] = name
    return names


def escaped(text: str) -> str:
    """What stands between the quotes of a string literal."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in quoted)


def plain(text: str) -> str:
    """Text that can stand between back quotes."""
    return text.replace("`", "'").replace("\n", " ")


def doc(text: str, indent: int = 0) -> str:
    """A line of documentation that says what the text says: rustdoc reads Markdown, links and footnotes."""
    parts = " ".join(text.split()).split("`")
    written = [
        part if number % 2 and number < len(parts) - 1 else re.sub(r"([\\\[\]<>*_#~|])", r"\\\1", part)
        for number, part in enumerate(parts)
    ]
    line = re.sub(r"(https?://[^\s)\\]+)", r"<\1>", "`".join(written))
    return f"{' ' * indent}/// {re.sub(r'^([-+=]|[0-9]+(?=[.)]))', _guarded, line)}\n"


def _guarded(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found[0] in "-+=" else f"{found[0][:-1]}&#{ord(found[0][-1])};"
