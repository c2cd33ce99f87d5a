"""The report of inputs that were made flat."""

from __future__ import annotations

from dataclasses import dataclass

from evalcontract.datasets import ConvertedFiles, NormalizedItems
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible


@dataclass(frozen=True, slots=True)
class NormalizingReport:
    """What became of the items, and the files that were written."""

    items: NormalizedItems
    done: ConvertedFiles

    @property
    def exit_code(self) -> int:
        """0, or 1 when an item breaks its contract afterwards."""
        return 1 if self.items.invalid else 0


def normalizing_text(report: NormalizingReport, look: Look = PLAIN) -> str:
    """What was unwrapped, what was left and why, and what was written."""
    items, done = report.items, report.done
    lines = [
        f"{counted(count, 'input')} unwrapped from {key}" for key, count in items.unwrapped.most_common()
    ]
    lines += [f"left as it is: item {name}: {doubt}" for name, doubt in items.left]
    rest = items.left_count - len(items.left)
    lines += [f"and {rest} more left as they are"] if rest else []
    decided = ", ".join(
        f"{label} ({counted(count, 'item')})" for label, count in items.by_schema.most_common()
    )
    lines += [f"decided by {decided}"] if decided else []
    lines += [f"{counted(done.items, 'item')} written to {', '.join(map(str, done.files))}"]
    if items.invalid:
        why = f"evalcontract validate {done.files[0]} says why"
        lines += [f"failed: {counted(items.invalid, 'item')} not valid; {why}"]
    return "".join(f"{visible(line)}\n" for line in lines)


def normalizing_json(report: NormalizingReport) -> str:
    """Keys: items, unwrapped, left, left_count, decided_by, invalid, files."""
    items, done = report.items, report.done
    document = {
        "items": items.items,
        "unwrapped": dict(items.unwrapped),
        "left": [{"item_id": name, "reason": doubt} for name, doubt in items.left],
        "left_count": items.left_count,
        "decided_by": dict(items.by_schema),
        "invalid": items.invalid,
        "files": [str(file) for file in done.files],
    }
    return json_text(document)
