"""What the tables of ``query`` show a person: Chinese headers and words for the codes that CSV and JSON keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from flows.contracts.metrics import METRICS
from flows.contracts.units import UNIT_ZH
from flows.market.sessions import SHANGHAI
from flows.reports.words import MISSING_ZH, OUTCOME_ZH, PROTOCOL_ZH, ROLE_ZH, RUN_ZH, VERDICT_ZH

_HEADERS = {
    "symbol": "代码", "trade_date": "交易日", "protocol": "协议", "title": "标题", "verdict": "裁决",
    "confidence": "倾向(0-100)", "swap_agreement": "换序", "status": "状态", "debate_id": "辩论编号",
    "previous_date": "上次", "newest_date": "这次", "confidence_from": "上次倾向", "confidence_to": "这次倾向",
    "conclusion_from": "上次结论", "conclusion_to": "这次结论", "has_new_facts": "有新事实",
    "standing_claims_change": "成立论点增减", "fallen_claims_change": "失守论点增减", "model": "模型", "role": "角色",
    "checked": "核对", "passed": "通过", "failed": "未通过", "passed_pct": "通过率%", "change_from_last": "比上次",
    "conclusion": "结论", "metric": "指标", "for_value": "多方预期", "against_value": "空方预期", "unit": "单位",
    "for_probability": "多方更近的概率", "due_date": "期限", "settled_for": "结果", "actual_value": "实际值",
    "assumption": "分歧根源的假设", "disagreement_id": "分歧编号", "fact_id": "事实", "cited_for": "多方引用",
    "cited_against": "空方引用", "best_score": "最高强度", "side": "一方", "description": "证伪条件",
    "operator": "条件", "threshold": "阈值", "fetched_at": "时间", "vendor": "来源", "kind": "种类", "attempts": "次数",
    "retryable": "可重试", "message": "说明", "outcome": "结果", "reason": "说明", "finished_at": "完成于",
    "on_date": "日期", "calls": "调用", "cached_calls": "缓存命中", "failed_calls": "失败调用", "tokens_in": "输入词元",
    "tokens_out": "输出词元", "cost_cny": "费用(元)", "claim_id": "论点", "written": "原话", "expected": "正确值",
    "checked_on": "校验日", "subject": "对象", "suite": "校验组", "expectation": "校验项",
    "unexpected_count": "不合格行", "sample": "样例",
    "topic": "话题", "proposition": "命题", "previous_debate_id": "所据辩论", "turns": "发言",
    "arguments_kept": "采用论点", "arguments_refused": "弃用论点", "refused_pct": "弃用%",
    "pe_ttm": "市盈率", "pe_ttm_pct_3y": "市盈率近3年分位%", "pe_ttm_obs_3y": "市盈率观测数",
    "pb": "市净率", "pb_pct_3y": "市净率近3年分位%", "pb_obs_3y": "市净率观测数",
}  # fmt: skip
_SIDES = {
    "for": "多方", "against": "空方", "neither": "都不是", "not_yet": "未到期", "impossible": "无法了结",
    "open": "未了结",
}  # fmt: skip
_WORDS: dict[str, Mapping[str, str]] = {
    "protocol": PROTOCOL_ZH,
    "verdict": VERDICT_ZH | {"unsupported": "无据", "mismatch": "不符"},
    "status": RUN_ZH | MISSING_ZH,
    "outcome": OUTCOME_ZH,
    "role": ROLE_ZH | {"report": "报告"},
    "side": _SIDES,
    "settled_for": _SIDES,
    "operator": {"<": "低于", ">": "高于"},
    "unit": {unit.value: words for unit, words in UNIT_ZH.items()},
    "metric": {name: metric.zh for name, metric in METRICS.items()},
}


def in_chinese(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[list[str], list[list[str]]]:
    """*headers* and *rows* of a named question as a person reads them."""
    shown = [[_word(name, value) for name, value in zip(headers, row, strict=True)] for row in rows]
    return [_HEADERS.get(name, name) for name in headers], shown


def _word(column: str, value: object) -> str:
    """One value: words for codes, minutes of Shanghai for moments, two decimals for what was computed."""
    if column == "swap_agreement" and value is not None:
        return "一致" if value == 1 else "不一致"
    if column == "kind" and value is not None:
        from flows.evidence.missing import KIND_ZH  # noqa: PLC0415 - loads slowly

        return KIND_ZH.get(str(value), str(value))
    if isinstance(value, str):
        return _WORDS.get(column, {}).get(value, value)
    return plain(value)


def plain(value: object) -> str:
    """A value of any query in words: moments to the minute of Shanghai, floats to two decimals."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, datetime):
        local = value.astimezone(SHANGHAI) if value.tzinfo else value
        return f"{local:%Y-%m-%d %H:%M}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
