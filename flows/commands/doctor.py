"""``doctor``: can a review run, and if not, what to do."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from flows.commands.console import parse_day, print_json, settings_from, table
from flows.commands.review import clock_of
from flows.desk.checkup import checkup


def doctor(options: argparse.Namespace) -> int:
    """Check calendar, data folder, database, locks, vendors and model; exit code 3 if something must be changed."""
    settings = settings_from(options)
    as_of = parse_day(options.as_of)
    findings = checkup(settings, as_of, clock_of(settings, as_of))
    is_fine = all(finding.is_fine for finding in findings)
    if options.json:
        print_json({"is_fine": is_fine, "findings": [asdict(finding) for finding in findings]})
    else:
        rows = [("正常" if f.is_fine else "有问题", f.subject, f.message) for f in findings]
        table("自检", ("状态", "项目", "说明"), rows)
    return 0 if is_fine else 3
