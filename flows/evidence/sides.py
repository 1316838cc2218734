"""Which side a filing speaks for: by class and title, and its sentences by their words inside what it stands for.

The first rule found decides, and what no rule knows is neutral. A filing nobody could read speaks by its class
alone. Sentences and headlines by themselves: :mod:`flows.evidence.text_sides`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from flows.contracts.packs import Dimension, Polarity
from flows.evidence.drafts import Quote
from flows.evidence.sentiment import read_sentiment
from flows.evidence.text_sides import PLAIN, contract_side, text_side

_PLUS, _MINUS, _NEUTRAL = Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.NEUTRAL
CONTRACT, FORECAST = "重大合同", "业绩预告"
OTHER = "其他"


@dataclass(frozen=True)
class ClassRule:
    """Dimension of one filing class and the side of a title that no title rule knows."""

    dimension: Dimension
    polarity: Polarity


CLASS_RULES: dict[str, ClassRule] = {
    FORECAST: ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    CONTRACT: ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "增减持": ClassRule(Dimension.CAPITAL, _NEUTRAL),
    "权益分派": ClassRule(Dimension.FUNDAMENTALS, _PLUS),
    "风险提示": ClassRule(Dimension.RISK, _MINUS),
    "问询监管": ClassRule(Dimension.RISK, _MINUS),
    "诉讼": ClassRule(Dimension.RISK, _MINUS),
    "重组": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "解禁": ClassRule(Dimension.CAPITAL, _MINUS),
    "质押": ClassRule(Dimension.RISK, _MINUS),
    "回购": ClassRule(Dimension.CAPITAL, _PLUS),
    "股权激励": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "定期报告": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    OTHER: ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
}


@dataclass(frozen=True)
class TitleRule:
    """What a title of one class says about the matter, and why it decides the side."""

    filing_class: str
    pattern: str
    side: Polarity
    why: str


TITLE_RULES: tuple[TitleRule, ...] = (
    TitleRule("业绩预告", "减亏|亏损.*(?:减少|收窄)", _NEUTRAL, "Still a loss."),
    TitleRule("业绩预告", "扭亏|预增|预盈|略增|增长|上修|向上修正", _PLUS, "Profit grows or returns."),
    TitleRule("业绩预告", "预亏|首亏|续亏|预减|略减|亏损|下降|下修|向下修正", _MINUS, "Profit falls or is lost."),
    TitleRule(CONTRACT, "带量采购|集采", _NEUTRAL, "Volume won at a lower price."),
    TitleRule(CONTRACT, "终止|解除|取消|未中标|流标", _MINUS, "Lost, whatever its size: costs already spent stay."),
    TitleRule("增减持", "未减持|终止减持|不减持|终止.*减持计划", _PLUS, "A sale that does not take place."),
    TitleRule("增减持", "终止.*增持|取消.*增持|延期.*增持|增持.*延期", _MINUS, "A purchase that does not take place."),
    TitleRule("增减持", "询价转让|减持", _MINUS, "A holder sells."),
    TitleRule("增减持", "增持", _PLUS, "A holder buys."),
    TitleRule("权益分派", "授权|转股价格|差异化|调整|变更|更正|回报规划", _NEUTRAL, "Procedure, not a distribution."),
    TitleRule("权益分派", "不(?:进行|派|分配|实施)|取消|终止", _MINUS, "No distribution."),
    TitleRule("风险提示", "核查结果", _NEUTRAL, "What was found is not in the title."),
    TitleRule("风险提示", "申请撤销|拟撤销", _NEUTRAL, "Asked for, not granted."),
    TitleRule("风险提示", "撤销.*并.*(?:实施|继续)", _NEUTRAL, "One warning goes, another comes."),
    TitleRule("风险提示", "撤销.*(?:风险警示|退市)|解除冻结|恢复生产|复产", _PLUS, "The trouble ends."),
    TitleRule("风险提示", "^(?!.*风险).*(?:异常波动|异动)", _NEUTRAL, "A rule of the exchange about price moves."),
    TitleRule("问询监管", "延期", _MINUS, "An answer that is late."),
    TitleRule("问询监管", "回复|答复|整改|意见|说明|最近五年", _NEUTRAL, "An answer or a list, not the letter."),
    TitleRule("问询监管", "不予|终结|撤销|免于", _PLUS, "The matter ends without a measure."),
    TitleRule("诉讼", "撤诉|驳回|和解|调解|终结", _NEUTRAL, "Whose case it was is not in the title."),
    TitleRule("诉讼", "胜诉", _PLUS, "Won."),
    TitleRule("诉讼", "(?:公司|子公司)(?:作为原告|提起|起诉)", _NEUTRAL, "The company is the plaintiff."),
    TitleRule("重组", "终止|失败|未(?:获)?通过", _NEUTRAL, "Whether the deal was good is not in the title."),
    TitleRule("解禁", "延长|自愿锁定|承诺不减持", _PLUS, "Shares stay locked."),
    TitleRule("质押", "延期|展期", _MINUS, "Not released when due."),
    TitleRule("质押", "再质押|解除.*(?:及|并|暨|和)(?:.*新增|.*再)?(?:质押|冻结)|质押.*(?:及|并|暨|和).*解除", _NEUTRAL,
              "Released and pledged again."),
    TitleRule("质押", "解除|解质押|解冻|购回", _PLUS, "Released."),
    TitleRule("回购", "前十名|调整|变更.*用途", _NEUTRAL, "Procedure, no purchase."),
    TitleRule("回购", "终止|取消|未(?:能|完成|实施)", _MINUS, "Not bought after all."),
    TitleRule("回购", "(?:减持|出售).*回购|回购.*(?:减持|出售)", _MINUS, "The company sells what it bought."),
    TitleRule("股权激励", "员工持股计划.*完成.*购买", _PLUS, "Employees have put their own money in."),
    TitleRule("定期报告", "延期|推迟|(?:无法|未能|不能).*披露|无法表示|保留意见|否定意见|差错更正",
              _MINUS, "Late, qualified or wrong before."),
)  # fmt: skip

_SHARE_SAID = re.compile(
    r"(?:金额|合同|订单|总价|价款)[^。；]{0,40}?占.{0,24}?(?:收入|营收).{0,8}?(\d+(?:\.\d+)?)\s*[%％]"
)
_AMOUNT = re.compile(r"(?:金额|总价|总额|价款)[^，。；\d]{0,10}(\d[\d,]*(?:\.\d+)?)\s*(万亿|亿|万)?元")
_SCALE = {"万亿": 1e12, "亿": 1e8, "万": 1e4, "": 1.0}


def contract_share(texts: Iterable[str], annual_revenue_cny: float | None) -> float | None:
    """Size of the contract *texts* speak of, percent of a year's revenue; None if it cannot be told.

    The share the filer states wins; else the largest amount stated, CNY, over *annual_revenue_cny*.
    """
    whole = "".join(texts)
    if (said := stated_share(whole)) is not None:
        return said
    amount = contract_amount(whole)
    if amount is None or annual_revenue_cny is None or annual_revenue_cny <= 0:
        return None
    return round(amount / annual_revenue_cny * 100, 8)


def stated_share(text: str) -> float | None:
    """The share of revenue *text* states, percent (占公司上年度营业收入的2.60%); None if it states none."""
    found = _SHARE_SAID.search(text)
    return float(found.group(1)) if found else None


def contract_amount(text: str) -> float | None:
    """The largest amount *text* states as an amount of money, CNY; None if it states none."""
    found = [float(number.replace(",", "")) * _SCALE[scale] for number, scale in _AMOUNT.findall(text)]
    return max(found, default=None)


def title_side(filing_class: str, title: Quote, share_pct: float | None = None) -> Polarity:
    """Side of a filing by its class and title; *share_pct* sizes a contract, percent of a year's revenue."""
    if title.is_suspect:
        return _NEUTRAL
    for rule in TITLE_RULES:
        if rule.filing_class == filing_class and re.search(rule.pattern, title.text):
            return rule.side
    if filing_class == CONTRACT:
        return contract_side(share_pct)
    return text_side(title.text) if filing_class == OTHER else CLASS_RULES[filing_class].polarity


def sentence_side(sentence: Quote, title: Quote, filing_class: str, share_pct: float | None = None) -> Polarity:
    """Side of one sentence of a filing: its own words, inside what its filing stands for.

    A filing of the adverse kind lends its side to what is said in it and no sentence of it is a plus;
    a favourable filing lends nothing, its sentences must say so themselves.
    """
    if sentence.is_suspect or title.is_suspect or PLAIN.search(sentence.text):
        return _NEUTRAL
    own = text_side(sentence.text, share_pct)
    if title_side(filing_class, title, share_pct) is not _MINUS:
        return own
    reasons = read_sentiment(sentence.text).reasons
    only_praises = bool(reasons) and all(reason.endswith("+") for reason in reasons)
    return _NEUTRAL if only_praises else _MINUS
