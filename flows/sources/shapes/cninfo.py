"""cninfo through akshare 1.19.5: filings; corporate actions in ``cninfo_actions``.

Contract: ``stock_zh_a_disclosure_report_cninfo``; an added column ``公告类别`` carries the category codes
where the transport knows them. The id stands only inside the link.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes.common import bare, check, finish, local_moment, plain, require_values, take, wanted
from flows.sources.shapes.eastmoney import unmarked

DISCLOSURE = "akshare.stock_zh_a_disclosure_report_cninfo"
_COLUMNS = ("代码", "简称", "公告标题", "公告时间", "公告链接")
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


_RENAMING = "简称|名称"
_OFFICES = ("董事", "监事", "公司", "机构", "律师", "会计", "证券", "事务所", "关于", "报告", "公告", "意见", "说明")


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
