"""Raw tables of what was said about a company: filings, reported figures, news, research, holders' dealings."""

from __future__ import annotations

from flows.contracts.columns import NOTICE_DATE, REPORT_PERIOD, SYMBOL, TRADE_DATE, raw_table
from flows.contracts.table import day, flag, number, text, whole

FILING_CLASSES = (
    "业绩预告", "重大合同", "增减持", "权益分派", "风险提示", "问询监管", "诉讼", "重组",
    "解禁", "质押", "回购", "股权激励", "定期报告", "其他",
)  # fmt: skip

ANNOUNCEMENTS = raw_table(
    "announcements", "One filing of one company.", ("announcement_id", "symbol"),
    text("announcement_id", "Vendor's stable id of the filing."),
    SYMBOL,
    text("name", "Company short name as printed in the filing list."),
    text("title", "Title, markup stripped, otherwise verbatim (untrusted text)."),
    text("category", "Vendor's category codes or names, comma separated.", nullable=True),
    text("url", "Address of the document.", nullable=True),
    flag("is_date_only", "True if only the date is known: no order within the day."),
)  # fmt: skip

FILING_TEXTS = raw_table(
    "filing_texts", "One sentence with figures of one filing, or one row saying it is unreadable.",
    ("announcement_id", "sentence_no"),
    text("announcement_id", "The filing."),
    SYMBOL,
    whole("sentence_no", "Running number; 0 on the status row of an unreadable document.", minimum=0),
    whole("page", "Page of the sentence, from 1.", nullable=True, minimum=1),
    text("readability", "Whether text could be read.",
         values=("readable", "scanned", "broken", "encrypted", "too_large")),
    text("sentence", "The sentence (untrusted text).", nullable=True),
)  # fmt: skip

EARNINGS_FORECASTS = raw_table(
    "earnings_forecasts", "One forecast line of one company (业绩预告); revisions are further notices.",
    ("symbol", "report_period", "metric", "notice_date"),
    SYMBOL, REPORT_PERIOD, NOTICE_DATE,
    text("metric", "Forecast quantity as worded, e.g. 归属于上市公司股东的净利润."),
    text("forecast_type", "预增 预减 扭亏 首亏 续盈 续亏 略增 略减 不确定.", nullable=True),
    number("value_low_cny", "Lower bound or point value, CNY.", nullable=True),
    number("value_high_cny", "Upper bound, CNY.", nullable=True),
    number("change_low_pct", "Lower bound of year-on-year change, percent.", nullable=True),
    number("change_high_pct", "Upper bound of year-on-year change, percent.", nullable=True),
    number("prior_value_cny", "Same period of the year before, CNY.", nullable=True),
    text("summary", "Wording of the forecast (untrusted text).", nullable=True),
    text("reason", "Stated reason (untrusted text).", nullable=True),
)  # fmt: skip

FINANCIAL_INDICATORS = raw_table(
    "financial_indicators", "Main indicators of one report, cumulative from the start of the year.",
    ("symbol", "report_period"),
    SYMBOL, REPORT_PERIOD, NOTICE_DATE,
    number("revenue_cny", "Operating revenue, CNY, cumulative.", nullable=True),
    number("revenue_yoy_pct", "Revenue, year on year, percent.", nullable=True),
    number("net_profit_cny", "Net profit attributable to the parent, CNY, cumulative.", nullable=True),
    number("net_profit_yoy_pct", "Net profit, year on year, percent.", nullable=True),
    number("deducted_net_profit_cny", "Net profit after non-recurring items (扣非), CNY.", nullable=True),
    number("eps_cny", "Basic earnings per share, CNY.", nullable=True),
    number("bvps_cny", "Book value per share, CNY.", nullable=True),
    number("roe_pct", "Weighted return on equity, percent, cumulative.", nullable=True),
    number("gross_margin_pct", "Gross margin, percent.", nullable=True),
    number("net_margin_pct", "Net margin, percent.", nullable=True),
    number("debt_ratio_pct", "Liabilities / assets, percent.", nullable=True),
    number("operating_cash_flow_cny", "Net operating cash flow, CNY, cumulative.", nullable=True),
)  # fmt: skip

NEWS = raw_table(
    "news", "One news item found for one company; it may concern others.", ("news_id", "symbol"),
    text("news_id", "Stable id: the item's address."),
    SYMBOL,
    text("title", "Headline, markup stripped, otherwise verbatim (untrusted text)."),
    text("content", "Excerpt (untrusted text).", nullable=True),
    text("media", "Publisher.", nullable=True),
    text("url", "Address.", nullable=True),
)  # fmt: skip

RESEARCH_REPORTS = raw_table(
    "research_reports", "One sell-side report.", ("report_id", "symbol"),
    text("report_id", "Vendor's id of the report."),
    SYMBOL,
    day("report_date", "Date of the report."),
    text("title", "Title (untrusted text)."),
    text("organisation", "Publishing broker.", nullable=True),
    text("rating", "Rating as worded by the broker: data, never our advice.", nullable=True),
    text("abstract", "Abstract (untrusted text).", nullable=True),
    whole("forecast_year", "First forecast year, reconstructed from the report date.", nullable=True),
    number("eps_year_0_cny", "Forecast EPS of forecast_year, CNY.", nullable=True),
    number("eps_year_1_cny", "Forecast EPS of the year after, CNY.", nullable=True),
    text("url", "Address.", nullable=True),
)  # fmt: skip

PLEDGES = raw_table(
    "pledges", "Pledged shares of one company on one weekly date.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("pledge_ratio_pct", "Pledged share of total capital, percent.", minimum=0, maximum=100),
    number("pledged_shares", "Pledged shares.", nullable=True, minimum=0),
    whole("pledge_count", "Number of pledges.", nullable=True, minimum=0),
)  # fmt: skip

HOLDER_TRADES = raw_table(
    "holder_trades", "One increase or reduction by one holder.",
    ("symbol", "holder", "direction", "end_date", "notice_date"),
    SYMBOL,
    text("holder", "Name of the holder."),
    text("direction", "Increase or reduction.", values=("增持", "减持")),
    number("changed_shares", "Shares changed, positive.", minimum=0),
    number("changed_pct", "Percent of total capital, positive.", nullable=True, minimum=0, maximum=100),
    number("holding_after_pct", "Holding afterwards, percent of total capital.", nullable=True, minimum=0,
           maximum=100),
    day("start_date", "First day of the change.", nullable=True),
    day("end_date", "Last day of the change.", nullable=True),
    NOTICE_DATE,
)  # fmt: skip

UNLOCKS = raw_table(
    "unlocks", "Restricted shares that become tradable (解禁).", ("symbol", "unlock_date", "share_type"),
    SYMBOL,
    day("unlock_date", "Date on which they become tradable."),
    text("share_type", "Kind of restricted share."),
    number("unlocked_shares", "Shares.", minimum=0),
    number("unlocked_pct", "Percent of total capital.", nullable=True, minimum=0, maximum=100),
)  # fmt: skip
