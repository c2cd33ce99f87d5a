"""Checking files: read -> choose the contract -> validate -> a result for the reports."""

from evalcontract.checking.parallel import Splitting
from evalcontract.checking.plan import Plan, plan
from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.checking.run import check_files

__all__ = ["FileResult", "Group", "Plan", "RunResult", "Splitting", "check_files", "plan"]
