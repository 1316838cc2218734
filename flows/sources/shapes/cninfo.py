"""cninfo through akshare 1.19.5: filings and corporate actions.

Contracts: ``stock_zh_a_disclosure_report_cninfo``, ``stock_dividend_cninfo``, ``stock_allotment_cninfo``. An
added column ``公告类别`` carries the category codes where the transport knows them. A filing's id stands only
inside its link.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes.common import (
    bare,
    check,
    days,
    finish,
    local_moment,
    midnight,
    numbers,
    only_entity,
    plain,
    require_values,
    take,
    unique_rows,
    unmarked,
    wanted,
)

DISCLOSURE = "akshare.stock_zh_a_disclosure_report_cninfo"
DIVIDENDS = "akshare.stock_dividend_cninfo"
RIGHTS = "akshare.stock_allotment_cninfo"
_DIVIDEND_COLUMNS = ("实施方案公告日期", "送股比例", "转增比例", "派息比例", "除权日", "实施方案分红说明")
_DIVIDEND_EXTRA = ("分红类型", "股权登记日", "派息日", "股份到账日", "报告时间")
_COLUMNS = ("代码", "简称", "公告标题", "公告时间", "公告链接")
_RENAMING = "简称|名称"
_OFFICES = ("董事", "监事", "公司", "机构", "律师", "会计", "证券", "事务所", "关于", "报告", "公告", "意见", "说明")
#: A title that opens with a short name: ``某某股份：关于…的公告`` (the Shanghai exchange's style).
_TITLE_NAME = r"^([^：:（(《\s]{2,8})[：:]"


def announcements(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Filings of the company, one row per announcement id.

    Rows that are tagged with our code but belong to somebody else by name or title are left out
    (``quarantined`` returns them); if nothing is ours, the answer is rejected.
    """
    rows = _rows(frame)
    if rows.is_empty():
        return finish(rows.with_columns(symbol=pl.lit(wanted(request))), "announcements", request, "published_at")
    ours = rows.filter(_is_ours(rows, request))
    if ours.is_empty():
        codes = rows.select("代码", "简称").unique().head(3).rows()
        raise DataRejected(f"{DISCLOSURE}:请求 {wanted(request)},返回的公告都不属于该公司,例如 {codes}")
    return finish(ours.with_columns(pl.lit(wanted(request)).alias("symbol")), "announcements", request, "published_at")


def quarantined(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The rows that ``announcements`` left out because code, name and title disagree (S3)."""
    rows = _rows(frame)
    return rows.filter(~_is_ours(rows, request)).select("announcement_id", "代码", "name", "title")


def _rows(frame: pl.DataFrame) -> pl.DataFrame:
    rows = take(frame, DISCLOSURE, _COLUMNS, ("公告类别",)).cast(pl.String)
    require_values(rows, DISCLOSURE, *_COLUMNS)
    category = pl.col("公告类别") if "公告类别" in rows.columns else pl.lit(None, dtype=pl.String)
    rows = rows.select(
        "代码",
        "简称",
        pl.col("公告链接").str.extract(r"announcementId=(\d+)").alias("announcement_id"),
        pl.col("简称").alias("name"),
        unmarked("公告标题").alias("title"),
        category.alias("category"),
        pl.col("公告链接").alias("url"),
        local_moment("公告时间").alias("published_at"),
    )
    check(rows, DISCLOSURE, pl.col("announcement_id").is_not_null(), "公告链接里没有公告编号", ("title", "url"))
    check(rows, DISCLOSURE, pl.col("published_at").is_not_null(), "公告时间无法识别", ("title", "url"))
    rows = rows.with_columns((pl.col("published_at").dt.time() == pl.time(0, 0, 0)).alias("is_date_only"))
    return rows.unique(subset=["announcement_id"], keep="first", maintain_order=True)


def _is_ours(rows: pl.DataFrame, request: Request) -> pl.Series:
    """Code equal, name a name of the company, and no other company's name in front of the title."""
    names = _company_names(rows.filter(pl.col("代码") == bare(request)))
    prefix = rows.select(pl.col("title").str.extract(_TITLE_NAME)).to_series()
    verdicts = [
        code == bare(request) and plain(name) in names and (opening is None or _agrees(opening, names))
        for code, name, opening in zip(rows["代码"], rows["name"], prefix, strict=True)
    ]
    return pl.Series(verdicts, dtype=pl.Boolean)


def _agrees(opening: str, names: set[str]) -> bool:
    """Whether a title's opening may stand before a filing of the company called *names*.

    Openings that are no listed company's short name (独立董事, 保荐机构 …) say nothing about whose it is.
    """
    opening = plain(opening)
    return any(opening in name or name in opening for name in names) or any(w in opening for w in _OFFICES)


def _company_names(rows: pl.DataFrame) -> set[str]:
    """The company's names: the most frequent one, and others that held for an unbroken stretch of time.

    A company that is renamed files a notice of it and bears one name up to a day, another from then on;
    a stranger's filing shows up between filings that carry the right name, or without any such notice.
    """
    named = rows.sort("published_at", "announcement_id").select(
        pl.col("name").map_elements(plain, return_dtype=pl.String), "published_at"
    )
    if named.is_empty():
        return set()
    counts = named["name"].value_counts(sort=True)
    main = str(counts["name"][0])
    spans = named.group_by("name").agg(pl.col("published_at").min().alias("a"), pl.col("published_at").max().alias("b"))
    (first, last) = spans.filter(pl.col("name") == main).select("a", "b").row(0)
    outside = spans.filter((pl.col("b") < first) | (pl.col("a") > last))
    if not rows["title"].str.contains(_RENAMING).any():
        return {main}
    return {main, *outside["name"].to_list()}


def corporate_actions(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Dividends (``stock_dividend_cninfo``) or rights issues (``stock_allotment_cninfo``), per 10 → per share."""
    rows = _rights(frame, request) if "配股比例" in frame.columns else _dividends(frame)
    rows = rows.with_columns(pl.lit(wanted(request)).alias("symbol"), midnight("notice").alias("published_at"))
    return finish(rows.drop("notice"), "corporate_actions", request, "ex_date")


def _dividends(frame: pl.DataFrame) -> pl.DataFrame:
    rows = take(frame, DIVIDENDS, _DIVIDEND_COLUMNS, _DIVIDEND_EXTRA)
    rows = numbers(days(rows, DIVIDENDS, "实施方案公告日期", "除权日"), DIVIDENDS, "送股比例", "转增比例", "派息比例")
    rows = rows.filter(pl.col("除权日").is_not_null())
    require_values(rows, DIVIDENDS, "实施方案公告日期")
    show = ("除权日", "派息比例", "送股比例", "转增比例")
    check(rows, DIVIDENDS, pl.min_horizontal("派息比例", "送股比例", "转增比例") >= 0, "分红送转为负", show)
    check(rows, DIVIDENDS, pl.col("实施方案公告日期") <= pl.col("除权日"), "实施公告晚于除权日", show)
    bonus = pl.col("送股比例").fill_null(0.0) + pl.col("转增比例").fill_null(0.0)
    return rows.group_by(pl.col("除权日").alias("ex_date")).agg(
        (pl.col("派息比例").fill_null(0.0).sum() / 10).alias("cash_cny"),
        (bonus.sum() / 10).alias("bonus_ratio"),
        pl.lit(0.0).alias("rights_ratio"),
        pl.col("实施方案分红说明").drop_nulls().str.join("；").alias("plan"),
        pl.col("实施方案公告日期").max().alias("notice"),
    )


def _rights(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    rows = take(frame, RIGHTS, ("证券代码", "除权基准日", "配股比例", "配股价格", "公告日期"), is_open=True)
    only_entity(rows, RIGHTS, "证券代码", bare(request))
    rows = numbers(days(rows, RIGHTS, "除权基准日", "公告日期"), RIGHTS, "配股比例", "配股价格")
    rows = rows.filter(pl.col("除权基准日").is_not_null())
    require_values(rows, RIGHTS, "配股比例", "配股价格", "公告日期")
    show = ("除权基准日", "配股比例", "配股价格")
    check(rows, RIGHTS, pl.col("配股比例").is_between(0, 10) & (pl.col("配股价格") > 0), "配股比例或价格不合理", show)
    return unique_rows(rows, RIGHTS, ["除权基准日"]).select(
        pl.col("除权基准日").alias("ex_date"),
        pl.lit(0.0).alias("cash_cny"),
        pl.lit(0.0).alias("bonus_ratio"),
        (pl.col("配股比例") / 10).alias("rights_ratio"),
        pl.col("配股价格").alias("rights_price_cny"),
        pl.format("每10股配{}股,配股价{}元", "配股比例", "配股价格").alias("plan"),
        pl.col("公告日期").alias("notice"),
    )
