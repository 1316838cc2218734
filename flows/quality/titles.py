"""Chinese titles of the checked tables, for reasons a person reads."""

from __future__ import annotations

_TITLES = {
    "instruments": "证券资料", "trade_dates": "交易日历", "daily_bars": "日线", "adjust_factors": "复权因子",
    "corporate_actions": "分红送配", "valuations": "估值", "announcements": "公告", "filing_texts": "公告正文",
    "earnings_forecasts": "业绩预告", "financial_indicators": "财务指标", "news": "新闻", "research_reports": "研报",
    "pledges": "质押", "holder_trades": "增减持", "unlocks": "解禁", "top_list": "龙虎榜", "margins": "融资融券",
    "fund_flows": "资金流向", "attention": "关注度", "suspensions": "停牌", "macro": "宏观", "peers": "同业",
    "adjusted_bars": "复权日线", "valuation_percentiles": "估值分位", "price_facts": "价格事实",
}  # fmt: skip


def kind_title(kind: str) -> str:
    """The title of *kind* or mart; its own name if it has none."""
    return _TITLES.get(kind, kind)
