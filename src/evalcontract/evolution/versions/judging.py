"""What a schema breaks, from its name to the judgements: the comparison of schemas in one call."""

from __future__ import annotations

from collections.abc import Sequence

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import UsageError
from evalcontract.evolution.comparing.work import BUDGET
from evalcontract.evolution.versions.breaking import Judgement, Mode, breaking
from evalcontract.evolution.versions.choosing import ALL, chosen, versions_to_compare
from evalcontract.evolution.versions.data import documents_of
from evalcontract.evolution.versions.number import Waiver


def mode_named(name: str) -> Mode:
    """The mode of that name; UsageError when there is none."""
    for mode in Mode:
        if mode.value == name:
            return mode
    raise UsageError(f"there is no mode {name[:40]!r}", hint=f"known: {', '.join(Mode)}")


def compare_schemas(
    schema: str,
    against: str = ALL,
    *,
    mode: Mode | str = Mode.BACKWARD,
    catalogue: Catalogue | None = None,
    waivers: Sequence[Waiver] = (),
    keys_from: Sequence[str] = (),
    budget: int = BUDGET,
) -> list[Judgement]:
    """Whether a schema breaks older ones: a judgement for each of them, none where nothing older is released.

    `schema` is a contract (`rag_input@1.1`; every version of `rag_input` that isn't released), a schema file or
    `package.module:Class`. `against` is
    `all` (every released version of its major), a version, a git commit, or another contract with its version,
    file or class. `mode` is backward (old documents under the new schema), forward, or full for both. `waivers`
    are what `read_waivers` gives. `keys_from` are paths of datasets: data in which a new key was in use with other
    values settles a waiver against it. The catalogue is the built-in one unless another is given. `budget` is the work
    of each proof and of each search for a document, in looks at a value.

    Each judgement has an `exit_code`: 0 fine, 1 breaking, 3 undecided. Raises UnknownContract, UnknownVersion,
    UsageError, SchemaError, UnreadableInput and HistoryError.
    """
    catalogue = catalogue or default_catalogue()
    wanted = mode_named(mode)
    found: list[Judgement] = []
    for version in versions_to_compare(catalogue, schema, against):
        pairs = chosen(catalogue, version, against)
        data = documents_of(catalogue, schema.partition("@")[0], list(keys_from)) if keys_from else ()
        kept = list(data) if len(pairs) > 1 else data
        found += [breaking(old, new, wanted, waivers, kept, budget, whole=whole) for old, new, whole in pairs]
    return found
