"""Tasks the offline model does outside a debate: the control arm, the audit, the proposition."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from flows.debate.draining import clip
from flows.debate.offline.bundles import bundles
from flows.debate.offline.contesting import contested
from flows.debate.offline.reading import Scene
from flows.debate.offline.references import Known
from flows.debate.offline.riders import dispute
from flows.debate.offline.speaking import Draft, bare_argument, own_argument
from flows.truth.compliance import neutralise

_ARGUMENTS = 3
#: Most arguments of a side in one answer.
_MOST = 5
_LEAD = 6
_LINE = re.compile(r"^(r\d+-[a-z]+-\d+)(?:→(r\d+-[a-z]+-\d+))? (.*?)｜([^｜]*)｜(.*)$")


def direct(scene: Scene) -> dict[str, Any]:
    """Both sides in one call; the heavier one leads, and nearly equal weights decide nothing."""
    sides = {is_for: bundles(scene, is_for=is_for)[:_ARGUMENTS] for is_for in (True, False)}
    weights = {is_for: sum(bundle.topic.weight for bundle in made) for is_for, made in sides.items()}
    gap = weights[True] - weights[False]
    written = {
        is_for: [own_argument(Draft(scene, is_for), bundle) for bundle in made] or [bare_argument(is_for=is_for)]
        for is_for, made in sides.items()
    }
    _oppose(scene, written)
    names = [made[0].lines.name for made in sides.values() if made]
    return {
        "title": dispute(*names) if len(names) == 2 else "证据集中在一侧，分歧有限",
        "verdict": "未决" if abs(gap) < _LEAD else "支持" if gap > 0 else "反对",
        "pro": written[True],
        "con": written[False],
    }


def _oppose(scene: Scene, written: dict[bool, list[dict[str, Any]]]) -> None:
    """Set against each side's expected values the other side's own, where none of its arguments has one."""
    for is_for in (True, False):
        named = {argument["expect"]["metric"] for argument in written[is_for] if argument["expect"]}
        theirs = [argument["expect"] for argument in written[not is_for] if argument["expect"]]
        left = [expect for expect in theirs if expect["metric"] not in named]
        made = (contested(Known(scene), e["metric"], e["value"], is_for=is_for) for e in left)
        written[is_for] += list(filter(None, made))[: _MOST - len(written[is_for])]


def audit(scene: Scene) -> dict[str, Any]:
    """Reports only what form shows: a reasoning on no source that nevertheless concludes."""
    findings = []
    for line in scene.record.splitlines():
        found = _LINE.match(line)
        if found and found[4].strip() == "无来源" and "没有" not in found[3]:
            findings.append(
                {"claim": found[1], "fallacy": "未声明事实", "explanation": "结论没有引用任何编号事实，推演缺少起点。"}
            )
    return {"findings": findings[:12]}


#: Word of a topic → kinds of material it needs besides the core ones.
_NEEDS: dict[str, tuple[str, ...]] = {
    "业绩|利润|亏损|预增|预减|财报": ("financial_indicators", "earnings_forecasts"),
    "减持|增持|股东|解禁": ("holder_trades", "unlocks"),
    "质押": ("pledges",),
    "合同|订单|收购|重组|公告|诉讼|监管|立案|问询": ("announcements", "filing_texts"),
    "资金|主力|融资|游资|龙虎榜": ("fund_flows", "margins", "top_list"),
    "估值|贵|便宜|泡沫": ("valuations", "peers"),
    "政策|补贴|关税|利率": ("macro", "news"),
    "停牌|复牌": ("suspensions",),
}
_CORE = ("daily_bars", "valuations", "financial_indicators", "announcements", "news")
_RUMOUR = re.compile(r"传闻|听说|据传|网传|小道|爆料|是不是要|是否要|要被|被收购|被立案")
_PARTICLES = re.compile(r"(?:吗|呢|吧|(?<!什)么|[？?！!。])+$")
#: Longest subject a proposition names, and its scope repeats, in characters.
_SUBJECT, _SCOPE = 90, 60


def propose(scene: Scene) -> dict[str, Any]:
    """A sharp proposition from a topic that can be debated (see ``debate.asked``); a rumour stays a rumour."""
    topic = _topic(scene)
    end = scene.trade_date + timedelta(days=90)
    subject = clip(neutralise(_PARTICLES.sub("", topic))[0].strip("，, ") or "该标的", _SUBJECT)
    is_rumour = bool(_RUMOUR.search(topic))
    text = (
        f"关于“{subject}”的传闻所述事项属实，并足以改变相关公司现价所依据的业绩与估值"
        if is_rumour
        else f"就“{subject}”而言，相关公司已公开的业绩、估值与资金状况，足以支撑其当前股价"
    )
    return {
        "text": text,
        "window": f"{scene.trade_date.isoformat()} 至 {end.isoformat()}",
        "scope": f"{clip(subject, _SCOPE)}，只限已公开的信息",
        "assumptions": _assumptions(is_rumour=is_rumour),
        "subjects": [subject[:20]],
        "kinds": _kinds(topic),
    }


def _topic(scene: Scene) -> str:
    found = re.search(r"<<<\n(.*?)\n>>>", scene.record, re.DOTALL)
    return found[1].strip() if found else scene.record.strip()


def _assumptions(*, is_rumour: bool) -> list[str]:
    if is_rumour:
        return ["事项若属实，会在窗口内以公告形式出现", "公告之前以已披露资料为准"]
    return ["窗口内没有未公开的重大事件", "已披露的财务口径不变"]


def _kinds(topic: str) -> list[str]:
    wanted = [kind for words, kinds in _NEEDS.items() if re.search(words, topic) for kind in kinds]
    return list(dict.fromkeys((*wanted, *_CORE)))[:12]
