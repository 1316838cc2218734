"""Which of ``FILING_CLASSES`` a filing belongs to, from its title and, failing that, its cninfo category.

The rules are an ordered list that anybody can read: the first rule whose pattern is found and whose
exception is not decides, and ``explain`` names it. Order matters where titles speak of two things; each
rule says why it stands where it stands. Titles are the filer's words and decide first; categories are
coarse (日常经营 holds contracts and guarantees alike) and only break silence.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import polars as pl

from flows.contracts.raw import FILING_CLASSES

OTHER = "其他"
#: Filings whose documents are read per stock and run.
MAX_READ = 8
#: Of them, filings of one class before all other classes had their turn.
_NEWEST_OF_A_CLASS = 3


@dataclass(frozen=True)
class Rule:
    """A class, what its titles say, what they must not say, and why the rule stands here."""

    filing_class: str
    pattern: str
    why: str
    unless: str = ""

    def matches(self, title: str) -> bool:
        """Whether the rule decides *title* (already normalised)."""
        return bool(re.search(self.pattern, title)) and not (self.unless and re.search(self.unless, title))


RULES: tuple[Rule, ...] = (
    Rule(OTHER, "业绩说明会|会议决议|(?:股东大会|股东会)(?:决议|的?通知|增加临时提案)|召开.*(?:股东大会|股东会)",
         "Meetings name what they deal with, but are no event of that class."),
    Rule(OTHER, "述职报告|内部控制|三方监管|披露时间|(?:制度|章程)(?:[（(].*)?$|募集资金.*专项报告",
         "Standing documents whose titles borrow words of other classes (年度, 监管, 报告).",
         unless="问询|激励|持股计划"),
    Rule("解禁", "上市流通|解禁|限售股.*流通",
         "Before incentives: vested shares that become tradable are an unlock."),
    Rule("回购", "回购(?:公司|本公司)?(?:A股)?股份.*用于.*(?:激励|员工持股)",
         "Before incentives: shares bought for a plan are bought, not granted."),
    Rule("股权激励", "激励|限制性股票|股票期权|员工持股|行权价格|行权期",
         "Before buy-backs: 回购注销限制性股票 undoes a grant."),
    Rule("问询监管", "问询函|反馈意见|关注函|监管函|监管工作函|警示函|监管警示|行政处罚|处罚|立案|责令改正|通报批评|"
         "公开谴责|纪律处分|监管措施|留置",
         "Before everything the letter is about: 年报问询函 is no report, 审核问询函 no deal."),
    Rule("解禁", "解除限售|延长.*(?:锁定期|限售期)",
         "After incentives (解除限售条件成就 is a grant's), before deals: other lock-ups that end or are extended."),
    Rule("质押", "质押|平仓线",
         "Before buy-backs (质押式回购)."),
    Rule("业绩预告", "业绩预|业绩快报|净利润预计|预计.*净利润|预增|预减|预亏|预盈|业绩.*预告|净利润.*预告",
         "Before risk: 预亏暨风险提示 is a forecast first."),
    Rule("回购", "调整.*回购.*价格",
         "Before distributions: they only make the ceiling of a buy-back move."),
    Rule("权益分派", "权益分派|利润分配|分红|派息|股息|股利|送转|转增|现金红利|股东回报规划",
         "Before buy-backs and meetings' mandates."),
    Rule("增减持", "权益变动报告书|询价转让|协议转让.*股份",
         "Before deals: the reports of a holder whose stake crossed a threshold."),
    Rule("重组", "重大资产|购买资产|吸收合并|并购重组|重组|控制权变更|要约收购|收购.*(?:股权|股份|资产)|"
         "股权收购|收购意向",
         "After the letters about deals.", unless="债务重组|破产重整"),
    Rule("回购", "回购",
         "Before reductions: a company selling repurchased shares is still its buy-back.", unless="逆回购|债券回购"),
    Rule("增减持", "减持|增持|短线交易|权益变动|持股变动|大宗交易|被动稀释",
         "Changes of holdings by holders."),
    Rule("诉讼", "诉讼|仲裁|起诉|判决|裁定|裁决|传票|应诉|涉诉|撤诉|索赔|被告(?!知)|纠纷案|财产保全|强制执行",
         "Before risk (accounts frozen to secure a claim) and contracts (quarrels about them)."),
    Rule("质押", "(?:股份|股权|股票)[^,。、]{0,12}(?:冻结|司法标记|司法拍卖)"
         "|(?:冻结|司法标记|司法拍卖)[^,。、]{0,8}(?:股份|股权|股票)",
         "The exchanges have pledge, freeze and judicial sale of a holder's shares disclosed as one matter; "
         "frozen accounts and assets of the company are warnings or part of a suit.",
         unless="账户|资金|资产被"),
    Rule("风险提示", "异常波动|异动|风险提示|风险警示|终止上市|退市|逾期|冻结|停牌核查|停产|流动性风险|股价短期涨幅",
         "What is left of warnings."),
    Rule("重大合同", "合同|中标|框架协议|采购协议|(?:供货|供应|销售)协议|定点|订单|投资合作协议|项目.*协议",
         "After risk. Contracts of labour, credit and guarantee are no orders.",
         unless="劳动合同|借款合同|授信|担保|关联交易|理财|保荐"),
    Rule("定期报告", "年度报告|季度报告|中期报告|年报|季报|审计报告|财务报告|财务报表",
         "Last: other filings quote the report they belong to.",
         unless="说明会|社会责任|环境|专项|鉴证|募集资金|ESG"),
)  # fmt: skip

#: cninfo categories (names and codes of the query form) that say enough when the title does not.
CATEGORIES: dict[str, str] = {
    "业绩预告": "业绩预告", "category_yjygjxz_szsh": "业绩预告",
    "权益分派": "权益分派", "category_qyfpxzcs_szsh": "权益分派",
    "年报": "定期报告", "category_ndbg_szsh": "定期报告",
    "半年报": "定期报告", "category_bndbg_szsh": "定期报告",
    "一季报": "定期报告", "category_yjdbg_szsh": "定期报告",
    "三季报": "定期报告", "category_sjdbg_szsh": "定期报告",
    "股权激励": "股权激励", "category_gqjl_szsh": "股权激励",
    "解禁": "解禁", "category_jj_szsh": "解禁",
    "股权变动": "增减持", "category_gqbd_szsh": "增减持",
    "风险提示": "风险提示", "category_fxts_szsh": "风险提示",
    "特别处理和退市": "风险提示", "category_tbclts_szsh": "风险提示",
}  # fmt: skip


#: What a reader is shown where the class alone would mislead: a 快报 states results, a freeze is no pledge.
_SHOWN: tuple[tuple[str, str, str], ...] = (
    ("业绩预告", r"^(?!.*预告).*业绩快报", "业绩快报"),
    ("质押", r"^(?!.*质押).*(?:冻结|司法标记|司法拍卖)", "股份冻结"),
)


@dataclass(frozen=True)
class Classification:
    """The class of a filing and what decided it: a rule's *why*, a category, or nothing."""

    filing_class: str
    reason: str


def classify(title: str, category: str | None = None) -> str:
    """Class of a filing; 其他 if neither title nor category says more."""
    return explain(title, category).filing_class


def shown_class(filing_class: str, title: str) -> str:
    """*filing_class* as a reader is shown it beside *title*."""
    text = normalised(title)
    return next(
        (shown for name, words, shown in _SHOWN if name == filing_class and re.search(words, text)), filing_class
    )


def explain(title: str, category: str | None = None) -> Classification:
    """Class of a filing with the rule or category that decided it."""
    text = normalised(title)
    rule = next((rule for rule in RULES if rule.matches(text)), None)
    if rule is not None:
        return Classification(rule.filing_class, f"{rule.pattern}: {rule.why}")
    for code in re.split(r"[,，|;\s]+", category or ""):
        if code in CATEGORIES:
            return Classification(CATEGORIES[code], f"cninfo category {code}")
    return Classification(OTHER, "no rule and no category")


def worth_reading(filings: pl.DataFrame) -> pl.DataFrame:
    """The filings of the listed classes whose documents are fetched (PRODUCT E12), newest first.

    *filings* is in the shape of ``raw.announcements``. The newest of each class come first, so that a string of
    routine notices of one class does not keep the others unread. Periodic reports are left out: their figures come
    as financial indicators, and hundreds of pages would crowd out everything else.
    """
    rows = filings.sort("published_at", "announcement_id", descending=True)
    pairs = zip(rows["title"], rows["category"], strict=True)
    classes = pl.Series("filing_class", [classify(title, category) for title, category in pairs], dtype=pl.String)
    listed = rows.with_columns(classes).filter(~pl.col("filing_class").is_in([OTHER, "定期报告"]))
    is_surplus = pl.int_range(pl.len()).over("filing_class") >= _NEWEST_OF_A_CLASS
    chosen = listed.sort(is_surplus, maintain_order=True).head(MAX_READ)
    return chosen.sort("published_at", "announcement_id", descending=True).drop("filing_class")


def normalised(title: str) -> str:
    """A title as the rules read it: half-width, without spaces, without the short name in front."""
    text = "".join(unicodedata.normalize("NFKC", title).split())
    return re.sub(r"^[^::《]{2,8}:", "", text)


if not {rule.filing_class for rule in RULES} | {OTHER} == set(FILING_CLASSES):
    raise AssertionError("every filing class needs a rule")
