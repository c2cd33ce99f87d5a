"""The page of an import or an export."""

from __future__ import annotations

from evalcontract.importing import Transfer
from evalcontract.reports.pages.findings import by_code, choices
from evalcontract.reports.pages.page import page

_SHOWN = 1000


def transfer_html(transfer: Transfer) -> str:
    """The outcome, the findings, and what became of each key: mapped, kept or dropped."""
    files, codes = choices(transfer.findings)
    fates: dict[str, list[object]] = {}
    for key in transfer.keys:
        fates.setdefault(key.fate, []).append(key)
    return page(
        "transfer",
        transfer=transfer,
        groups=by_code(transfer.findings),
        files=files,
        codes=codes,
        fates=fates,
        shown=_SHOWN,
    )
