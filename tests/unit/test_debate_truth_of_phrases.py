"""No argument of the offline model contradicts the pack it argues from: every phrase has a precondition."""
# ruff: noqa: E501 -- one phrase, one line

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random

import pytest

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, FactKind, Pack, Polarity
from flows.contracts.transcripts import Claim, Falsifier, Side
from flows.contracts.units import Unit
from flows.debate.metrics import is_cumulative, is_percentile, is_reported
from flows.debate.offline.bundles import bundles
from flows.debate.offline.picking import is_contradicted
from flows.debate.offline.reading import Scene, Seen
from flows.evidence.facts_comparisons import inflow_side
from flows.evidence.phrasing import directed, say
from flows.evidence.rules import RULES
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import DAY, REPORTED, SYMBOL, _fact, facts, pack

Cited = Sequence[Fact]
_MULTIPLE = r"市盈率\(TTM\)|市净率|市销率\(TTM\)"
_FLOW = r"主力资金(?:当日|近5日|当日、近5日|近5日、当日)净流"


def _number(fact: Fact) -> float:
    assert isinstance(fact.value, int | float), fact
    return float(fact.value)


def _own(the_pack: Pack, field: str) -> list[Fact]:
    own = [f for f in the_pack.facts if f.field == field and f.subject in {"", the_pack.symbol}]
    return sorted(own, key=lambda fact: fact.as_of)


def _latest(the_pack: Pack, field: str) -> float | None:
    own = _own(the_pack, field)
    return _number(own[-1]) if own else None


def _all(cited: Cited, test: Callable[[float], bool]) -> bool:
    return all(test(_number(fact)) for fact in cited)


def _says(pattern: str) -> Callable[[Pack, Cited], bool]:
    return lambda _, cited: all(re.search(pattern, fact.sentence) for fact in cited)


def _in_one_row(cited: Cited) -> bool:
    """Whether what is said of all multiples and windows is said of facts of one multiple, or of one window."""
    fields = [re.fullmatch(r"(\w+)_pct_(\d+)y", fact.field) for fact in cited]
    return any(len({found[part] for found in fields if found}) == 1 for part in (1, 2))


def _profits(the_pack: Pack) -> bool:
    return (_latest(the_pack, "net_profit_cny") or 1.0) > 0


#: Conclusion → what must be true of the pack and the cited facts. Written from the words, not from the topics.
PRECONDITIONS: dict[str, Callable[[Pack, Cited], bool]] = {
    r"亏损在收窄，公司仍未盈利": lambda p, c: not _profits(p) and _all(c, lambda v: v > 0),
    r"报告期亏损，且同比变差": lambda p, c: not _profits(p) and _all(c, lambda v: v < 0),
    r"报告期扭亏为盈": lambda p, c: _profits(p) and _all(c, lambda v: v > 0),
    r"(?:扣非净利润|净利润|第.季度单季归母净利润|、)+同比增长": lambda p, c: _profits(p) and _all(c, lambda v: v > 0),
    r"(?:扣非净利润|净利润|第.季度单季归母净利润|、)+同比下降": lambda p, c: _profits(p) and _all(c, lambda v: v < 0),
    r"(?:第.季度单季)?营业收入(?:、第.季度单季营业收入)?在增长": lambda p, c: _all(c, lambda v: v > 0),
    r"(?:第.季度单季)?营业收入(?:、第.季度单季营业收入)?在下降": lambda p, c: _all(c, lambda v: v < 0),
    r"(?:毛利率|净资产收益率|资产负债率)同比上升": lambda p, c: _all(c, lambda v: v > 0) and all(f.unit is Unit.PP for f in c),
    r"(?:毛利率|净资产收益率|资产负债率)同比下降": lambda p, c: _all(c, lambda v: v < 0) and all(f.unit is Unit.PP for f in c),
    r"(?:净资产收益率|净利率|毛利率|、)+为负": lambda p, c: _all(c, lambda v: v < 0),
    r"经营活动现金流同比增加": _says("现金流.*同比(?:增|上)"),
    r"经营活动现金流同比下降": _says("现金流.*(?:同比|较上年同期)(?:下降|减少)"),
    r"账面利润有经营现金对应": lambda p, c: _profits(p) and _all(c, lambda v: v >= 1),
    r"账面利润的现金含量偏低": lambda p, c: _profits(p) and _all(c, lambda v: v <= 0.5),
    r"经营活动现金流为净流入": lambda p, c: _all(c, lambda v: v > 0) and not _cash_fell(p),
    r"经营活动现金流为净流出": lambda p, c: _all(c, lambda v: v < 0),
    r"资产负债率处在偏高水平": lambda p, c: _all(c, lambda v: v >= 70),
    r"报告期的(?:归母净利润|扣非净利润|每股收益|、)+为负": lambda p, c: _all(c, lambda v: v < 0),
    r"公司预告亏损收窄，仍为亏损": _says("减亏|亏损"),
    r"公司自己预告的业绩为亏损": _says("减亏|续亏|首亏|增亏|预亏|亏损"),
    r"公司有合同终止": _says("(?:合同|协议|合作|订单).*终止|终止.*(?:合同|协议|合作|订单)|解除.*合同"),
    r"集采中选价格低于原价": _says("(?:集采|带量采购).*价.*下降"),
    r"《.+》载有对命题有利的事项": lambda p, c: all(f.polarity is Polarity.POSITIVE for f in c),
    r"《.+》提示了对命题不利的事项": lambda p, c: all(f.polarity is Polarity.NEGATIVE for f in c),
    r"公司预告的业绩方向向好": _says("预增|略增|扭亏|续盈"),
    r"公司预告的业绩方向向下": _says("预减|略减"),
    rf"(?:{_MULTIPLE}|、)+处在[近年\d、]+的低位": lambda p, c: _all(c, lambda v: v <= 20) and _in_one_row(c),
    rf"(?:{_MULTIPLE}|、)+处在[近年\d、]+的高位": lambda p, c: _all(c, lambda v: v >= 80) and _in_one_row(c),
    r"市盈率为负，没有当期盈利可供定价": lambda p, c: (_latest(p, "pe_ttm") or 0) < 0,
    r"净资产为负": lambda p, c: _all(c, lambda v: v < 0),
    r"[^，]+低于行业平均": lambda p, c: _all(c, lambda v: v < 0) and all(f.subject == p.symbol for f in c),
    r"[^，]+高于行业平均": lambda p, c: _all(c, lambda v: v > 0) and all(f.subject == p.symbol for f in c),
    r"股价较52周高点已有明显回落": lambda p, c: _all(c, lambda v: v <= -30),
    r"股价[近日\d、]+上涨": lambda p, c: _all(c, lambda v: v > 0) and not _windows_differ(p, c),
    r"股价[近日\d、]+下跌": lambda p, c: _all(c, lambda v: v < 0) and not _windows_differ(p, c),
    r"股价[近\d日、]+上涨，[近\d日、]+下跌": lambda p, c: _number(c[0]) > 0 > _number(c[-1]),
    r"股价[近\d日、]+下跌，[近\d日、]+上涨": lambda p, c: _number(c[0]) < 0 < _number(c[-1]),
    r"收盘价高于\d+日均线": lambda p, c: _number(c[0]) > _number(c[1]),
    r"收盘价低于\d+日均线": lambda p, c: _number(c[0]) < _number(c[1]),
    r"短线动量处在超卖区": lambda p, c: _all(c, lambda v: v <= 30),
    r"短线动量处在超买区": lambda p, c: _all(c, lambda v: v >= 70),
    r"近60日的波动偏大": lambda p, c: _all(c, lambda v: v >= 50),
    r"近60日里跌幅大的日子不少": lambda p, c: _all(c, lambda v: v <= -5),
    r"近60日上涨的日子占多数": lambda p, c: _all(c, lambda v: v > 30),
    r"近60日上涨的日子偏少": lambda p, c: _all(c, lambda v: v < 30),
    r"近60日出现过(?:涨停|跌停)": lambda p, c: _all(c, lambda v: v >= 1),
    _FLOW + "入": lambda p, c: _all(c, lambda v: v > 0),
    _FLOW + "出": lambda p, c: _all(c, lambda v: v < 0),
    r"融资余额在增加": lambda p, c: _all(c, lambda v: v > 0),
    r"融资余额在减少": lambda p, c: _all(c, lambda v: v < 0),
    r"上榜席位当日净买入": lambda p, c: _all(c, lambda v: v > 0),
    r"上榜席位当日净卖出": lambda p, c: _all(c, lambda v: v < 0),
    r"宏观景气读数在荣枯线之上": lambda p, c: _all(c, lambda v: v >= 50),
    r"宏观景气读数在荣枯线之下": lambda p, c: _all(c, lambda v: v < 50),
    r"公司股票有被终止上市的风险": _says("终止上市|退市"),
    r"公司有债务逾期": _says("逾期|违约"),
    r"持续经营能力存在不确定性": _says("持续经营能力"),
    r"公司面临监管处罚或调查": _says("立案|处罚|监管措施|警示函|批评|谴责"),
    r"有资产或股份被冻结": _says("冻结|查封|拍卖"),
    r"公司涉及诉讼": _says("诉讼|仲裁|起诉|被诉|侵权|侵犯|原告|涉诉"),
    r"公司被交易所问询": _says("问询|关注函|工作函"),
    r"公司提示业绩不佳": _says("预亏|预减|首亏|续亏"),
    r"公司发布了风险提示公告": _says("风险提示"),
    r"有股东披露减持": _says("减持|询价转让"),
    r"有股东增持公司股份": lambda p, c: all("增持" in f.sentence and f.kind is not FactKind.RESEARCH for f in c),
    r"公司有股份回购的安排": _says("回购"),
    r"限售股解禁增加可流通股份": _says("解禁|限售股|限售股份"),
    r"股东把所持股份拿去质押": _says("质押"),
    r"公司用借款支付收购款": _says("并购贷款|(?:借款|贷款|举债).*(?:收购|对价)"),
    r"应收账款占营业收入的比重偏高": _says("应收账款.*占.*(?:营业收入|营收)"),
    r"公司在公告里说明经营现金为净流出": _says("现金流量?净额为-"),
    r"配股摊薄每股权益": _says("每股配"),
    r"公司取得新的合同或定点": _says("合同|中标|定点|订单"),
    r"公司有现金分红": _says("红利|分配|分派|分红"),
    r"卖方预测仍为亏损": _says("每股收益为-"),
    r"有卖方研报给出(?:正面|谨慎)看法": lambda p, c: all(f.kind is FactKind.RESEARCH for f in c),
    r"公司公告了(?:正面|不利)事项：.+": lambda p, c: all(f.kind is FactKind.ANNOUNCEMENT for f in c),
    r"公开报道的(?:正面|不利)线索：.+": lambda p, c: all(f.kind is FactKind.NEWS for f in c),
    r"用户补充里有(?:支持|不利于)命题的记录": lambda p, c: all(f.kind is FactKind.USER for f in c),
    r"资料里没有可用来(?:支持|反对)命题的事实": lambda p, c: not c,
    r"(?P<metric>.+?)应以(?P<mine>.+)为准，而不是(?P<theirs>.+)": lambda p, c: True,
}  # fmt: skip


def _windows_differ(the_pack: Pack, cited: Cited) -> bool:
    """Whether the price went the other way over twenty sessions, which every side is shown."""
    shown = [_latest(the_pack, name) or 0.0 for name in ("return_20d_pct", "return_60d_pct")]
    return any(abs(value) >= 1 and value * _number(cited[0]) < 0 for value in shown)


def _cash_fell(the_pack: Pack) -> bool:
    own = _own(the_pack, "operating_cash_flow_cny")
    return len(own) > 1 and _number(own[-1]) < 0.8 * _number(own[0])


#: What a value is called → what one of the cited facts must be.
_VALUES: dict[str, str] = {
    "最近一期的值": r"2026(?:年前三季度|Q3)",
    "最近单季的同比": "单季",
    "上年同期值": r"2025(?:年前三季度|Q3)|个百分点",
    "营业收入同比": "营业收入.*同比",
    "卖方预测的全年增幅": "预测的均值",
    "公司业绩预告": "业绩预告",
    "卖方预测": "卖方预测",
    "近四个季度的每股收益": r"市盈率\(TTM\)为",
}


def _names_values_it_does_not_cite(said: str, cited: Cited) -> bool:
    """Whether an argument about a value names one that none of its facts gives."""
    found = re.fullmatch(r".+?应以(.+)为准，而不是(.+)", said)
    named = found.groups() if found else ()
    return any(not any(re.search(_VALUES[name], fact.sentence) for fact in cited) for name in named)


def contradictions(the_pack: Pack, claims: Sequence[Claim]) -> list[str]:
    """Claims whose precondition does not hold, and claims that have none."""
    found = []
    for claim in claims:
        cited = [fact for fid in claim.fact_ids if (fact := the_pack.fact(fid))]
        said = claim.conclusion.rstrip("。…")
        tests = [test for words, test in PRECONDITIONS.items() if re.fullmatch(words, said)]
        if not tests:
            found.append(f"no precondition: {said}")
        elif _names_values_it_does_not_cite(said, cited) or not tests[0](the_pack, cited):
            found.append(f"{the_pack.symbol} {claim.claim_id} {said}: {[fact.sentence for fact in cited]}")
    return found


def _drawn(seed: int) -> Pack:
    """The test company with other numbers: loss or profit, up or down, polarity by the evidence rules."""
    random = Random(seed)
    profit_before = random.choice((-1, 1)) * random.uniform(1e7, 9e8)
    profit = random.choice((-1, 1)) * random.uniform(1e7, 9e8)
    cash_before, cash = (random.uniform(-5e8, 2e9) for _ in range(2))
    values = {
        "net_profit_cny": profit, "deducted_net_profit_cny": profit * 0.9, "eps_cny": profit / 1e9,
        "net_profit_yoy_pct": (profit - profit_before) / abs(profit_before) * 100,
        "revenue_yoy_pct": random.uniform(-40, 60), "roe_pct": profit / 1e8, "net_margin_pct": profit / 2e8,
        "gross_margin_pct": random.uniform(-5, 60), "operating_cash_flow_cny": cash,
        "debt_ratio_pct": random.uniform(10, 95), "pledge_ratio_pct": random.uniform(0, 60),
        "pe_ttm": random.choice((-1, 1)) * random.uniform(8, 90), "pb": random.uniform(-1, 12),
        "drawdown_52w_pct": random.uniform(-60, 0), "rsi_14": random.uniform(10, 90),
        "volatility_60d_pct": random.uniform(15, 80), "up_days_60d": float(random.randrange(15, 45)),
        "close_cny": random.uniform(8, 20), "ma_60_cny": random.uniform(8, 20),
        "main_net_cny": random.uniform(-9e7, 9e7), "limit_down_days_60d": float(random.randrange(3)),
        "daily_return_q05_60d_pct": random.uniform(-9, -1),
        **{f"return_{n}d_pct": random.uniform(-30, 30) for n in (5, 20, 60)},
        **{f"{m}_pct_{y}y": random.uniform(0, 100) for m in ("pe_ttm", "pb", "ps_ttm") for y in (1, 3, 5)},
    }  # fmt: skip
    note = _loss_note(profit, profit_before)
    made = [_redrawn(fact, values[fact.field], note, cash_before) if fact.field in values else fact for fact in facts()]
    made = [fact for fact in made if fact.field not in {"financial_indicators.cash_to_profit"}]
    extra = [_last_year(cash_before), *_points(random)]
    return pack(extra=()).model_copy(update={"facts": tuple(_numbered([*made, *extra]))})


def _numbered(made: list[Fact]) -> list[Fact]:
    return [fact.model_copy(update={"id": f"E{n}"}) for n, fact in enumerate(made, start=1)]


def _loss_note(now: float, before: float) -> str:
    if now < 0:
        return (
            "（由盈转亏）"
            if before >= 0
            else "（两期均为亏损，亏损收窄）"
            if now > before
            else "（两期均为亏损，亏损扩大）"
        )
    return "（扭亏为盈，百分比以上年亏损为基数）" if before < 0 else ""


def _redrawn(fact: Fact, value: float, note: str, cash_before: float) -> Fact:
    metric = METRICS[fact.field]
    old = fact.sentence.split("（" + fact.as_of.isoformat())[0]
    if fact.field.endswith("yoy_pct"):
        words = re.sub(r"同比.*", directed(value, metric.unit, "同比增长", "同比下降"), old)
        words += note if fact.field == "net_profit_yoy_pct" else ""
    elif is_percentile(fact.field):
        words = re.sub(r"[\d.]+%分位", f"{say(value, Unit.PCT)}分位", old)
    elif fact.field.startswith("return_"):
        words = f"近{fact.field.split('_')[1][:-1]}日" + directed(value, metric.unit, "上涨", "下跌")
    elif fact.field == "main_net_cny":
        words = directed(value, metric.unit, "主力资金当日净流入", "主力资金当日净流出")
    elif fact.field == "drawdown_52w_pct":
        words = f"较52周最高收盘价低{say(abs(value), metric.unit)}"
    else:
        words = re.sub(r"为-?[\d.]+.*", f"为{say(value, metric.unit)}", old)
    polarity = RULES[fact.field].polarity(value)
    if fact.field == "operating_cash_flow_cny":
        polarity = inflow_side(value, cash_before)
    if fact.field == "net_profit_yoy_pct" and "亏损收窄" in note:
        polarity = Polarity.NEUTRAL
    sentence = f"{words}（{fact.as_of.isoformat()}，{fact.source}）。"
    return fact.model_copy(update={"value": value, "sentence": sentence, "polarity": polarity})


def _last_year(cash: float) -> Fact:
    day = date(REPORTED.year - 1, 9, 30)
    words = f"2025Q3（前三季度累计）经营活动现金流净额为{say(cash, Unit.CNY)}"
    return _fact(
        900, words, "0", Dimension.FUNDAMENTALS, FactKind.DATA, day, field="operating_cash_flow_cny", value=cash,
        unit=Unit.CNY, period="2025Q3",
    )  # fmt: skip


def _points(random: Random) -> list[Fact]:
    made = []
    for field, title in (("roe_yoy_pp", "净资产收益率"), ("debt_ratio_yoy_pp", "资产负债率")):
        value = random.uniform(-9, 9)
        name = f"financial_indicators.{field}"
        words = f"2026Q3{title}{directed(value, Unit.PP, '同比上升', '同比下降')}"
        polarity = RULES[name].polarity(value).value
        made.append(
            _fact(901, words, polarity, Dimension.FUNDAMENTALS, FactKind.DATA, REPORTED, field=name, value=value,
                  unit=Unit.PP, period="2026Q3")
        )  # fmt: skip
    return made


def _given(the_pack: Pack) -> Pack:
    from flows.evidence.roles import assign_roles

    return the_pack.model_copy(update={"roles": assign_roles(the_pack.facts, SYMBOL)})


@pytest.mark.parametrize("protocol", ["bull_bear", "four_stance", "direct"])
def test_no_argument_contradicts_the_standing_test_pack(protocol: str) -> None:
    assert contradictions(pack(), hold(protocol)[0].claims) == []


@pytest.mark.parametrize("seed", range(40))
def test_no_argument_contradicts_a_drawn_pack(seed: int) -> None:
    drawn = _given(_drawn(seed))
    for protocol in ("bull_bear", "four_stance") if seed % 4 == 0 else ("bull_bear",):
        transcript, _ = hold(protocol, the_pack=drawn)
        assert contradictions(drawn, transcript.claims) == []


@pytest.mark.parametrize("seed", range(40, 60))
def test_expected_values_and_falsifiers_stand_in_the_pack(seed: int) -> None:
    """A value is one the pack holds or derives; a falsifier is possible, open today and of one report scope."""
    drawn = _given(_drawn(seed))
    transcript, _ = hold(the_pack=drawn)
    for item in transcript.disagreements:
        assert "没有出处" not in item.assumption, item
        assert not item.metric.startswith(("return_", "main_net", "drawdown")), item
        assert not is_percentile(item.metric), item
        assert bool(item.period) is is_reported(item.metric)
        assert (item.due_date or DAY) > DAY
    for side in Side:
        own = [item for item in transcript.falsifiers if item.side is side]
        assert own, side
        for falsifier in own:
            if falsifier.metric is None:
                is_awaited = falsifier.claim_id is not None and falsifier.description.startswith("期限内")
                assert is_awaited or "没有找到" in falsifier.description
                assert not is_awaited or (falsifier.due_date or DAY) > DAY
                continue
            now, limit = _latest(drawn, falsifier.metric), falsifier.threshold
            assert limit is not None
            if falsifier.metric == "eps_cny" and limit != 0:
                _assert_repriced(drawn, falsifier, limit)
                continue
            assert now is None or not (now < limit if falsifier.operator == "<" else now > limit), falsifier
            assert not is_cumulative(falsifier.metric) or limit == 0 or falsifier.period == "2027Q3", falsifier


def _assert_repriced(the_pack: Pack, falsifier: Falsifier, limit: float) -> None:
    """At today's close a year's earnings beyond the limit put the multiple beyond the one the text names."""
    close, multiple, so_far = (_latest(the_pack, name) for name in ("close_cny", "pe_ttm", "eps_cny"))
    assert close
    assert multiple
    assert so_far
    named = re.search(r"市盈率\(TTM\)将(高于|低于)(?:行业平均|现在的)([\d.]+)倍（E\d+）$", falsifier.description)
    assert named, falsifier
    assert (falsifier.operator, named[1]) in {("<", "高于"), (">", "低于")}
    assert falsifier.period == "2026Q4"
    assert so_far > 0
    a_cent = 0.01 if falsifier.operator == "<" else -0.01
    assert (close / limit - float(named[2])) * a_cent >= -1e-4
    assert (close / (limit + a_cent) - float(named[2])) * a_cent <= 1e-4
    assert abs(limit / (close / multiple) - 1) <= 0.51 or limit < 0.2


def test_an_argument_of_the_economy_is_never_the_strongest() -> None:
    """With nothing else in favour, no strongest argument is better than one that is true of every company."""
    poor = [fact for fact in facts() if fact.polarity is not Polarity.POSITIVE or fact.field == "macro.PMI"]
    transcript, _ = hold(the_pack=_given(pack().model_copy(update={"facts": tuple(poor)})))
    macro = {claim.claim_id for claim in transcript.claims if "荣枯线" in claim.conclusion}
    assert macro
    assert transcript.conclusion is not None
    assert not macro & set(transcript.conclusion.rests_on)
    assert "荣枯线" not in transcript.conclusion.core


def test_titles_name_what_each_side_rests_on() -> None:
    transcript, _ = hold()
    assert transcript.conclusion is not None
    named = re.fullmatch(r"一边是([^，]{2,24})，一边是([^，]{2,24})", transcript.conclusion.title)
    assert named
    for strongest, said in zip(
        re.findall(r"最强依据：(.+?)（", transcript.conclusion.core), named.groups(), strict=True
    ):
        assert strongest.startswith(said.rstrip("…"))


def _valuation(metric: str, value: float) -> Seen:
    return Seen("E1", "0", "市净率处于", "估值", "数据", DAY, metric, value)


@pytest.mark.parametrize(("here", "there"), [(8.0, 68.0), (95.0, 32.0)])
def test_a_percentile_is_not_argued_beside_an_opposite_one_of_another_window(here: float, there: float) -> None:
    own, opposite, other = (
        _valuation("pb_pct_1y", here), _valuation("pb_pct_3y", there), _valuation("pe_ttm_pct_3y", there),
    )  # fmt: skip
    assert is_contradicted(own, [own, opposite])
    assert not is_contradicted(own, [own, other])


@pytest.mark.parametrize("percentile", [8.0, 95.0])
@pytest.mark.parametrize("multiple", [1.2, 15.6, 68.0, 120.0])
def test_the_multiple_itself_contradicts_no_percentile(percentile: float, multiple: float) -> None:
    facts_shown = [_valuation("pb_pct_1y", percentile), _valuation("pb", multiple), _valuation("pb_pct_3y", percentile)]
    assert not is_contradicted(facts_shown[0], facts_shown)


def _scene(*shown: Seen) -> Scene:
    return Scene("bear", "空方", "rebut", 1, "样例", DAY, "", shown, (), None, "", "", "")


def test_the_gravest_change_of_a_topic_is_argued_first() -> None:
    """Order of the pack decides nothing: a quarter that fell far comes before a year that fell little."""
    falls = (("净利润", 1.96), ("扣非净利润", 1.23), ("第三季度单季归母净利润", 13.80))
    shown = [
        Seen(f"E{n}", "-", f"{what}同比下降{fall:.2f}%（2026-10-22披露）", "基本面", "数据", DAY, None, None)
        for n, (what, fall) in enumerate(falls, start=1)
    ]
    assert [fact.id for fact in bundles(_scene(*shown), is_for=False)[0].facts] == ["E3", "E1"]


@pytest.mark.parametrize("seed", range(12))
def test_the_warning_says_truly_who_cites_it(seed: int) -> None:
    transcript, _ = hold(the_pack=_given(_drawn(seed)))
    assert transcript.conclusion is not None
    found = re.search(r"（(E\d+)，([^（）]+)）。$", transcript.conclusion.warning)
    assert found, transcript.conclusion.warning
    citing = {claim.claim_id: claim for claim in transcript.claims if found[1] in claim.fact_ids}
    if found[2] == "没有论点引用":
        assert not citing
    else:
        assert found[2].removesuffix("引用过，该论点未列入站住的论点") in citing


def test_no_fact_is_argued_twice_by_one_side() -> None:
    transcript, _ = hold()
    for side in Side:
        cited = [fid for claim in transcript.claims if claim.side is side for fid in claim.fact_ids]
        assert len(cited) == len(set(cited))


def test_answers_bear_on_what_they_answer() -> None:
    """Money flow does not answer a margin: every reply opens with what the other side said."""
    transcript, _ = hold()
    replies = [claim for claim in transcript.claims if claim.replies_to]
    assert replies
    assert all(claim.reasoning.startswith("回应对面的") for claim in replies if len(claim.reasoning) > 100)


def test_the_settling_report_follows_from_the_latest_one() -> None:
    growth = next(d for d in hold()[0].disagreements if d.metric == "net_profit_yoy_pct")
    assert (growth.period, growth.due_date) == ("2026Q4", date(2027, 4, 30))
    assert growth.assumption.startswith("以2026年年报核对。")
    assert growth.due_date - DAY < timedelta(days=400)
