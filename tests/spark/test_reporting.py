"""What tables give are the result objects of the command line: every report shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evalcontract import iter_violations
from evalcontract.catalog import Catalogue
from evalcontract.reports import RELEASE, RUN, SCORES, Formats
from evalcontract.reports.published import contracts_folder
from evalcontract.spark import check_release_dataframe, score_dataframe, validate_dataframe
from tests.spark.test_releasing import METADATA, items_of
from tests.spark.test_scoring import a_run
from tests.spark.test_validating import frame, texts
from tests.support.tables import mixed

CATALOGUE = Catalogue.load(contracts_folder())


def shown(result: Any, formats: Formats[Any], contract: str, named: str) -> None:
    for name in formats.names:
        assert named in formats.write(name, result), name
    found = iter_violations(json.loads(formats.write("json", result)), contract, catalogue=CATALOGUE)
    assert [str(violation) for violation in found] == []


def test_every_report_shows_what_a_table_gives(spark: Any, tmp_path: Path) -> None:
    shown(validate_dataframe(frame(spark, mixed(200))).summary(), RUN, "run_report", "table")
    items, records = a_run()
    scored = score_dataframe(
        frame(spark, texts(*records)), frame(spark, texts(*items)), metrics=("answer_f1", "recall_at_5")
    )
    shown(scored.report(), SCORES, "score_report", "answer_f1")
    items = items_of(20)
    items[3]["item_id"] = items[4]["item_id"]
    report = check_release_dataframe(frame(spark, texts(*items)), metadata=METADATA)
    shown(report, RELEASE, "release_report", "items")
