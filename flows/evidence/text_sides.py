"""Which side a sentence or headline speaks for, by its words.

First what is mere description, then the matters that one table knows, the first rule found deciding, then the
single words of the lexicon. A plus is given sparingly: good and bad in one text, a doubt, a continuing loss, a
contract whose size is unknown or small and a price move speak for nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.contracts.packs import Polarity
from flows.evidence.rules import rule_for
from flows.evidence.sentiment import read_sentiment

_PLUS, _MINUS, _NEUTRAL = Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.NEUTRAL

#: Descriptions that favour nobody: terms and dates, holdings after a trade, the formula of an abnormal move.
PLAIN = re.compile(
    r"(?:履行|有效|回购|锁定)期限|工期|交货期|日期为|涉及股东\d+名|无应披露|不存在应披露|未披露(?:的)?(?:重大)?(?:事项|信息)"
    r"|持(?:有|股).{0,14}(?:比例|股份).{0,4}[为至]\d|持股比例(?:降|升|增|减)"
)
#: Words under which good news is not yet good.
_DOUBT = re.compile(
    r"但|(?<![冷退])却|不过|然而|尽管|虽|不确定|能否|尚需|尚未|仍|不足\d|有限(?!公司|责任|合伙)|不构成|(?<!不)低于|回落|为负"
    r"|同比(?:减少|下降|下滑)|[?？]|若|如果|除非"
    r"|(?:负债|债务|费用|成本|应收|存货|库存|质押|担保|减值|逾期).{0,8}(?:上升|提升|提高|增长|增加|走高)"
)
_LOSS = re.compile(r"亏")
_TURNED_PROFITABLE = re.compile(r"扭亏|转亏为盈|由亏转盈|亏损?转(?:为)?盈")
#: Words that announce a contract and say nothing of its weight.
_CONTRACT_WORDS = frozenset(
    {"中标", "签订", "签署", "签约", "斩获", "大单", "首单", "新签", "定点", "战略合作", "合作协议"}
)
#: Words of a price move: the prices are facts already.
_PRICE_WORDS = frozenset(
    {"上涨", "大涨", "走高", "走强", "拉升", "反弹", "涨停", "领涨", "站上", "放量上涨", "突破前高", "新高", "创新高"}
)


@dataclass(frozen=True)
class TextRule:
    """Words that decide the side of a sentence or headline before its single words are weighed, and why."""

    pattern: str
    side: Polarity
    why: str


TEXT_RULES: tuple[TextRule, ...] = (
    TextRule("无逾期|(?:不存在|没有|未发生)逾期|逾期.{0,8}(?:为零|为0(?![.\\d])|[^.\\d]0(?:\\.0+)?[万亿]?元)", _NEUTRAL,
             "Nothing is overdue."),
    TextRule("(?:不会|未|没有).{0,10}负债率", _NEUTRAL, "What is denied is no change."),
    TextRule("负债率.{0,8}(?:升至|上升|提高|攀升|走高|增至)", _MINUS, "Creditors are paid before shareholders."),
    TextRule("负债率.{0,12}(?:降至|下降|降低|回落)", _PLUS, "Less stands before the shareholders."),
    TextRule("并购贷款|(?:借款|贷款|举债).{0,10}(?:收购|支付.{0,6}对价)", _MINUS, "A purchase paid with debt."),
    TextRule("(?:中选|中标|集采|带量采购).{0,10}价.{0,14}(?:下降|降幅|降低|下调)", _MINUS,
             "The lower price is certain, the volume is not."),
    TextRule("为(?:控股股东|实际控制人|大股东|关联方).{0,8}提供.{0,4}担保", _MINUS,
             "The company answers for its owner."),
    TextRule("员工持股计划.{0,4}完成.{0,4}购买", _PLUS, "Employees have put their own money in."),
    TextRule("(?:产能利用率|毛利率|净利率|市占率|市场份额).{0,8}(?:降至|跌至)", _MINUS, "Less is earned or sold."),
    TextRule("(?:产能利用率|毛利率|净利率|市占率|市场份额).{0,8}升至", _PLUS, "More is earned or sold."),
)  # fmt: skip

_RECEIVABLES = re.compile(
    r"应收账款[^，。；]{0,14}占[^，。；]{0,8}?(第?一季度|上半年|前三季度|年度|全年)(?:经审计)?(?:营业收入|营收).{0,6}?(\d+(?:\.\d+)?)%"
)
_PERIOD_DAYS = {"上半年": 181, "前三季度": 273, "年度": 365, "全年": 365}
_QUARTER_DAYS = 90
#: Sales of so many days not yet paid for count as much; customers are usually given one to three months.
SLOW_PAYMENT_DAYS = 120
_GUARANTEES = re.compile(r"担保[^，。；]{0,14}占[^，。；]{0,20}净资产.{0,6}?(\d+(?:\.\d+)?)%")
#: Guarantees of this share of net assets need the shareholders' consent for every further one.
LARGE_GUARANTEES_PCT = 50.0


def text_side(text: str, contract_share: float | None = None) -> Polarity:
    """Side of a sentence or headline about the company.

    *contract_share* is the size of the contract it speaks of, percent of a year's revenue; None if unknown.
    """
    if PLAIN.search(text):
        return _NEUTRAL
    if _is_heavy(text):
        return _MINUS
    rule = next((rule for rule in TEXT_RULES if re.search(rule.pattern, text)), None)
    if rule is not None:
        return _NEUTRAL if rule.side is _PLUS and (_DOUBT.search(text) or _is_loss(text)) else rule.side
    return _read_side(text, contract_share)


def _is_heavy(text: str) -> bool:
    """Whether customers owe the sales of many days, or guarantees weigh on the net assets."""
    if found := _RECEIVABLES.search(text):
        return float(found[2]) / 100 * _PERIOD_DAYS.get(found[1], _QUARTER_DAYS) >= SLOW_PAYMENT_DAYS
    given = _GUARANTEES.search(text)
    return given is not None and float(given[1]) >= LARGE_GUARANTEES_PCT


def _read_side(text: str, contract_share: float | None) -> Polarity:
    """By its single words: a minus as read, a plus only where nothing denies it."""
    reading = read_sentiment(text)
    if reading.polarity is not _PLUS:
        return reading.polarity
    if any(reason.endswith("-") for reason in reading.reasons) or _DOUBT.search(text) or _is_loss(text):
        return _NEUTRAL
    told = {reason[:-1] for reason in reading.reasons} - _PRICE_WORDS
    return contract_side(contract_share) if told <= _CONTRACT_WORDS else _PLUS


def _is_loss(text: str) -> bool:
    return bool(_LOSS.search(text)) and not _TURNED_PROFITABLE.search(text)


def contract_side(share_pct: float | None) -> Polarity:
    """Side of a contract of that share of a year's revenue, percent; unknown size speaks for nobody."""
    return _NEUTRAL if share_pct is None else rule_for("announcements.contract_share_pct").polarity(share_pct)
