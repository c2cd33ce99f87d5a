"""Bugs follow from the code: they are found anew however it is spelt, and each changes what it does."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.__main__ import planted
from tests.mutants.planting import bugs


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a < b", {"a <= b"}),
        ("a and b", {"a or b", "a", "b"}),
        ("not a", {"a"}),
        ("a if b else c", {"a", "c"}),
        ("any(a)", {"all(a)"}),
        ("a + 1", {"a - 1", "a", "a + 2"}),
        ("words('if then')", {"words('if')", "words('then')"}),
        ("[a for a in b if c]", {"[a for a in list(b)[:1] if c]", "[a for a in b]"}),
    ],
)
def test_an_expression_has_its_bugs(right: str, wrong: set[str]) -> None:
    assert {bug.source for bug in bugs("module", f"x = {right}")} == {f"x = {code}" for code in wrong}


def test_a_refusal_may_go_missing_and_its_words_don_t_matter() -> None:
    code = (
        "def f(a: int) -> None:\n    '''Check a.'''\n    if a:\n        raise ValueError(f'{a + 1} is wrong')"
    )
    found = [bug.source.partition('"""\n')[2].strip() for bug in bugs("module", code)]
    assert [" ".join(source.split()) for source in found] == [
        "if True: raise ValueError(f'{a + 1} is wrong')",
        "if False: raise ValueError(f'{a + 1} is wrong')",
        "if a: pass",
    ]


def test_edits_that_read_alike_are_told_apart() -> None:
    code = "def f(a):\n    return g(False) if a else False\ndef h():\n    return False"
    named = [str(bug) for bug in bugs("module", code) if bug.right == "False"]
    assert named == [
        "module f: False  ->  True",
        "module f: False  ->  True  #2",
        "module h: False  ->  True",
    ]
    everything = planted()
    assert len(set(map(str, everything))) == len(everything)


def test_every_bug_of_the_prover_is_a_program_of_its_own() -> None:
    found = planted(("values", "implied", "sameness"))
    assert len(found) > 150
    assert len({(bug.module, bug.source) for bug in found}) == len(found)
    for bug in found[::50]:
        ast.parse(bug.source)
