"""The words a reader meets for the codes of a debate: one Chinese word per code."""

from __future__ import annotations

from flows.debate.verdicts import verdict_words

DISCLAIMER = "本报告只整理多空双方的论据与分歧，不预测涨跌，不构成任何投资建议。"
SAMPLE_NOTE = "演示数据：公司、价格、公告与新闻均为虚构，仅用于演示。"
OFFLINE_NOTE = "本报告由内置规则模型生成，未使用任何语言模型。"

ROLE_ZH = {
    "moderator": "主持人", "bull": "多方", "bear": "空方", "judge": "裁判", "value": "价值", "risk": "风险",
    "data": "数据", "chips": "筹码", "direct": "直接分析", "proposer": "命题", "auditor": "审计", "kline": "K 线",
}  # fmt: skip
ACT_ZH = {
    "moderate": "主持", "argue": "立论", "rebut": "反驳", "reply": "回应", "speak": "发言", "ask": "质询",
    "answer": "答复", "direct": "研判", "judge": "裁决", "audit": "审计",
}  # fmt: skip
CLAIM_STATUS_ZH = {
    "standing": "成立", "pending": "待验证", "conceded": "已让步", "refuted": "被驳倒", "unsupported": "未通过核对",
}  # fmt: skip
#: Parts of an answer that can be left out of a turn; those of a list are numbered.
PART_ZH = {
    "claims": "论点", "pro": "支持方论点", "con": "反对方论点", "findings": "审计发现", "cites": "援引",
    "disagreements": "分歧", "watch": "跟踪指标", "falsifiers": "证伪条件", "title": "标题", "key_data": "关键数据",
    "preempt": "预判", "concede": "让步", "lookups": "查询",
}  # fmt: skip
OUTCOME_ZH = {"debated": "已辩论", "cached": "沿用", "gated": "未开辩", "failed": "失败"}
RUN_ZH = {"complete": "完整", "partial": "不完整", "gated": "未开辩", "failed": "失败"}
PROTOCOL_ZH = {
    "bull_bear": "多空辩论", "four_stance": "四立场辩论", "targeted": "单点复审", "inform": "补充后重审",
    "direct": "单次研判",
}  # fmt: skip
VERDICT_ZH = verdict_words()
MISSING_ZH = {
    "NO_DATA": "没有记录", "NOT_READY": "尚未公布", "NOT_SUPPORTED": "来源不提供", "UPSTREAM_ERROR": "查询失败",
    "RATE_LIMITED": "被限流，未查到", "PERMISSION_DENIED": "无权限", "INVALID_ARGUMENTS": "请求无效",
}  # fmt: skip
FLAG_ZH = {
    "injection": "含指挥模型的文字", "biased": "卖方观点，有立场", "date_only": "只有日期", "stale": "过期",
    "truncated": "已截短", "unreadable": "正文无法读取", "markup": "原文含标记，已去除",
    "hidden_characters": "原文含隐藏字符，已去除", "focus": "本场所议",
}  # fmt: skip
