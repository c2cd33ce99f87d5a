"""Checking files: read -> choose the contract -> validate -> a result for the reports."""

from evalcontract.checking.plan import Plan, plan
from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.checking.run import check_files

__all__ = ["FileResult", "Group", "Plan", "RunResult", "check_files", "plan"]
