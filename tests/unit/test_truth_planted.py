"""Issue 2's demand on ``verify``: of ten errors planted in a real report it finds ten, of none it finds none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from flows.contracts.packs import Fact, Pack
from flows.reports.chart_data import ChartData
from flows.reports.checked import with_report_checks
from flows.reports.render import render_html, render_markdown
from flows.reports.view import build_view
from flows.truth.verify import VerifyResult, verify_document
from tests.plant_errors import KINDS, PlantedError, plant_errors
from tests.unit import debate_packs
from tests.unit.debate_fakes import hold

SAMPLE = Path(__file__).resolve().parents[1] / "fixtures" / "sample_pack_605901.json"
PACKS = ("hand-made", "sample market")


@dataclass(frozen=True)
class Published:
    """A pack and the report of the debate on it."""

    pack: Pack
    markdown: str
    html: str

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (*self.pack.facts, *self.pack.appendix)

    @property
    def name(self) -> str:
        assert self.pack.identity.name
        return self.pack.identity.name

    def verified(self, text: str) -> VerifyResult:
        return verify_document(text, self.facts, subject=self.pack.symbol, names={self.name: self.pack.symbol})

    def planted(self, seed: int) -> tuple[str, list[PlantedError]]:
        return plant_errors(self.markdown, self.facts, seed=seed, company=self.name)


@cache
def published(which: str) -> Published:
    """The report of a debate of the offline model, rendered as the flow renders it."""
    pack = debate_packs.pack() if which == "hand-made" else Pack.model_validate_json(SAMPLE.read_text("utf-8"))
    transcript, _ = hold("bull_bear", the_pack=pack)
    view = build_view(with_report_checks(transcript, pack), pack, pack.cutoff)
    return Published(pack, render_markdown(view), render_html(view, ChartData()))


def flagged_lines(result: VerifyResult) -> set[int]:
    """Lines from 1 on which something fails."""
    return {check["line"] for check in result.as_json()["checks"] if check["verdict"] in {"unsupported", "mismatch"}}


@pytest.mark.parametrize("which", PACKS)
@pytest.mark.parametrize("seed", range(20))
def test_ten_planted_errors_are_found_where_they_stand(which: str, seed: int) -> None:
    report = published(which)
    text, planted = report.planted(seed)
    assert len(planted) == 10
    found = flagged_lines(report.verified(text))
    assert [p for p in planted if p.line not in found] == []


@pytest.mark.parametrize("which", PACKS)
@pytest.mark.parametrize("seed", range(0, 20, 5))
def test_lines_without_a_planted_error_stay_unflagged(which: str, seed: int) -> None:
    report = published(which)
    text, planted = report.planted(seed)
    assert flagged_lines(report.verified(text)) == {p.line for p in planted}


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("which", PACKS)
def test_the_untouched_report_holds(which: str, form: str) -> None:
    report = published(which)
    result = report.verified(getattr(report, form))
    assert [(c.text, c.reason) for c in result.failures] == []
    assert result.exit_code == 0
    held = sum(result.counts[verdict] for verdict in ("supported", "rounded", "derived"))
    assert held > 50


@pytest.mark.parametrize("which", PACKS)
def test_twenty_seeds_plant_every_kind(which: str) -> None:
    kinds = [error.kind for seed in range(20) for error in published(which).planted(seed)[1]]
    assert set(kinds) == set(KINDS)
    assert len(kinds) == 200


def test_a_planted_number_is_struck_through_with_the_right_one_beside_it() -> None:
    report = published("hand-made")
    line = next(line for line in report.markdown.splitlines() if "14.52倍" in line and line.startswith("- **E"))
    wrong = report.verified(report.markdown.replace(line, line.replace("14.52倍", "17.52倍"), 1))
    assert {c.text for c in wrong.failures} == {"17.52倍"}
    assert "~~17.52倍~~（应为14.52倍" in wrong.annotated


def test_the_report_of_one_company_does_not_hold_on_the_facts_of_another() -> None:
    report, other = published("hand-made"), published("sample market")
    result = other.verified(report.markdown)
    assert len(result.failures) > 50
