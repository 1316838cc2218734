"""The user's own table as a vendor (``sql``): a ``select`` per kind, run by whoever owns the database.

The select returns the kind's contract columns (``published_at`` may be left out: then the kind's publication
time on the row's date counts) and may use ``$symbol``, ``$start`` and ``$end``. Types are cast to the contract;
what does not fit is rejected, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Envelope, Request
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.errors import DataRejected, ZhengmingError
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import denied, outage
from flows.sources.shapes import bars
from flows.sources.shapes.common import finish, midnight, only_entity, stamp, unique_rows

#: Date columns of kinds without a trade date; those that are the publication date themselves.
_DATES = ("ex_date", "start_date", "notice_date", "report_date", "listed_date")
_NOTICES = frozenset({"notice_date", "report_date", "listed_date"})
RunQuery = Callable[[str, Mapping[str, object]], pl.DataFrame]


@dataclass
class UserSql:
    """The user's selects for one run."""

    asker: Asker
    selects: Mapping[str, str]
    run_query: RunQuery | None = None

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher, for the kinds with a select."""
        return dict.fromkeys(self.selects, self.fetch)

    def fetch(self, request: Request) -> Envelope:
        """Rows of the user's select for *request*."""
        run_query = self.run_query
        if run_query is None:
            return self.asker.refusal(request, request.kind, denied("未配置自有数据库：请设置 user_sql_database"))
        parameters = {"symbol": request.symbol, "start": request.start, "end": request.end}

        def ask() -> list[pl.DataFrame]:
            try:
                return [run_query(self.selects[request.kind], parameters)]
            except DataRejected:
                raise
            except (ZhengmingError, OSError) as error:
                raise outage(f"自有数据库查询失败：{error}") from error

        return self.asker.ask(request, Question(request.kind, ask, rows))


def rows(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """*frame* as the kind's raw contract."""
    table = RAW_TABLES[request.kind].without([column.name for column in SYSTEM])
    where = f"user_sql.{request.kind}"
    if frame.is_empty():
        return table.schema.to_frame()
    required = [c.name for c in table.columns if not c.nullable and c.name != "published_at"]
    missing = [name for name in required if name not in frame.columns]
    extra = [name for name in frame.columns if name not in table.schema]
    if missing or extra:
        raise DataRejected(f"{where}：缺少列 {missing}，多出列 {extra}；请按约定的列名改写 SQL")
    frame = _cast(frame, where, table.schema)
    if request.symbol is not None and "symbol" in frame.columns:
        only_entity(frame, where, "symbol", request.symbol)
    frame = unique_rows(frame, where, [name for name in table.grain if name in frame.columns])
    if request.kind == "daily_bars":
        bars.check_prices(frame, where)
        frame = bars.volume_in_shares(frame, where, vendor_unit=1)
    return finish(_published(frame, request.kind, where), request.kind, request, KIND_RULES[request.kind].date_column)


def _cast(frame: pl.DataFrame, where: str, schema: pl.Schema) -> pl.DataFrame:
    try:
        return frame.cast({name: schema[name] for name in frame.columns})
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError) as error:
        raise DataRejected(f"{where}：列的类型与约定不符：{error}") from error


def _published(frame: pl.DataFrame, kind: str, where: str) -> pl.DataFrame:
    if "published_at" in frame.columns:
        return frame
    rule = KIND_RULES[kind]
    dated = rule.date_column or next((name for name in _DATES if name in frame.columns), None)
    if dated is None or (rule.ready is None and dated not in _NOTICES):
        raise DataRejected(f"{where}：没有 published_at，也无法推断公布时间；请在 SQL 中给出 published_at")
    return (
        frame.with_columns(midnight(dated).alias("published_at")) if rule.ready is None else stamp(frame, kind, dated)
    )
