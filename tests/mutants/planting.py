"""The bugs that can be planted in a module: small edits of its syntax tree, found anew whenever the code changes."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

Operator: TypeAlias = Callable[[Any], Iterator[ast.AST]]

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
NAMESAKES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True, slots=True)
class Bug:
    """A module with one edit. `function` is where it is, `right` and `wrong` the code before and after.

    `before` is how many edits that read alike stand before it in the function.
    """

    module: str
    function: str
    right: str
    wrong: str
    source: str
    before: int = 0

    def __str__(self) -> str:
        edit = f"{self.module} {self.function or 'itself'}: {_line(self.right)}  ->  {_line(self.wrong)}"
        return f"{edit}  #{self.before + 1}" if self.before else edit


def bugs(module: str, source: str) -> Iterator[Bug]:
    """Every bug that the operators can plant in a module, each once."""
    tree = ast.parse(source)
    seen: set[str] = set()
    alike: Counter[str] = Counter()
    for holder, field, at, function in _places(tree):
        value = getattr(holder, field)
        node = value if at is None else value[at]
        for wrong in _edits(node, constants=not function):
            _put(holder, field, at, wrong)
            planted = ast.unparse(ast.fix_missing_locations(tree))
            _put(holder, field, at, node)
            if planted not in seen:
                seen.add(planted)
                bug = Bug(module, function, ast.unparse(node), ast.unparse(wrong), planted)
                yield replace(bug, before=alike[str(bug)])
                alike[str(bug)] += 1


def _line(code: str) -> str:
    """Of a statement with others inside, the first line says which it is."""
    return code.partition("\n")[0].strip()


def _put(holder: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[at] = node


def _places(node: ast.AST, function: str = "") -> Iterator[tuple[ast.AST, str, int | None, str]]:
    """Every place of the tree that decides something: no annotations, texts for people, imports and raised errors."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "ctx"):
            continue
        for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(
                child, ast.JoinedStr | ast.Import | ast.ImportFrom
            ):
                continue
            name = child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else ""
            inside = f"{function}.{name}".strip(".")
            yield node, field, at, inside
            if not isinstance(child, ast.Raise) and not _is_docstring(child):
                yield from _places(child, inside)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _edits(node: ast.AST, constants: bool) -> Iterator[ast.AST]:
    """Texts of several words are lists of keywords among the constants of a module, and for people inside functions."""
    for kind, operator in OPERATORS:
        if isinstance(node, kind) and (constants or operator is not _one_word_less):
            yield from operator(copy.deepcopy(node))


def _other_operator(node: ast.Compare | ast.BinOp | ast.BoolOp) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for at, sign in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[at] = SWAPPED[type(sign)]()  # type: ignore[call-overload]
            yield changed
    elif type(node.op) in SWAPPED:
        node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
        yield node


def _one_operand_less(node: ast.BoolOp) -> Iterator[ast.AST]:
    for at in range(len(node.values)):
        kept = node.values[:at] + node.values[at + 1 :]
        yield kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)


def _left_operand(node: ast.BinOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Add | ast.Sub | ast.BitOr | ast.BitAnd):
        yield node.left


def _no_negation(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _either_branch(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def _decided(node: ast.If | ast.While) -> Iterator[ast.AST]:
    for outcome in (True, False) if isinstance(node, ast.If) else (False,):
        changed = copy.deepcopy(node)
        changed.test = ast.Constant(outcome)
        yield changed


def _other_constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float) and value < 1_000:
        yield ast.Constant(value + 1)


def _one_word_less(node: ast.Constant) -> Iterator[ast.AST]:
    """Lists of keywords are written as one text."""
    words = node.value.split(" ") if isinstance(node.value, str) and "\n" not in node.value else []
    if len(words) > 1 and all(word.strip("$").isalpha() for word in words):
        for at in range(len(words)):
            yield ast.Constant(" ".join(words[:at] + words[at + 1 :]))


def _namesake(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in NAMESAKES:
        node.func = ast.Name(NAMESAKES[node.func.id])
        yield node


def _first_only(node: ast.For | ast.comprehension) -> Iterator[ast.AST]:
    node.iter = ast.parse(f"list({ast.unparse(node.iter)})[:1]", mode="eval").body
    yield node


def _no_filter(node: ast.comprehension) -> Iterator[ast.AST]:
    for at in range(len(node.ifs)):
        changed = copy.deepcopy(node)
        del changed.ifs[at]
        yield changed


def _left_out(node: ast.stmt) -> Iterator[ast.AST]:
    if _is_docstring(node):
        return
    value = node.value if isinstance(node, ast.Expr) else None
    yielded = isinstance(value, ast.Yield | ast.YieldFrom)
    yield ast.parse("yield from ()" if yielded else "pass").body[0]


OPERATORS: tuple[tuple[Any, Operator], ...] = (
    (ast.Compare | ast.BinOp | ast.BoolOp, _other_operator),
    (ast.BoolOp, _one_operand_less),
    (ast.BinOp, _left_operand),
    (ast.UnaryOp, _no_negation),
    (ast.IfExp, _either_branch),
    (ast.If | ast.While, _decided),
    (ast.Constant, _other_constant),
    (ast.Constant, _one_word_less),
    (ast.Call, _namesake),
    (ast.For | ast.comprehension, _first_only),
    (ast.comprehension, _no_filter),
    (ast.Expr | ast.Raise | ast.AugAssign, _left_out),
)
