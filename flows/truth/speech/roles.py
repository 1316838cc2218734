"""The words for the roles of a debate."""

from __future__ import annotations

import re

#: 两融数据方面, 财务数据方向: a field that is spoken of, not a role.
WHO = (
    r"看多方|看空方|支持方|反对方|(?:价值|风险|数据|筹码|多)方(?![向法式案程]|面(?![临对前向]))|空方|正方|反方|对方|对手|裁判|主持人"
    r"|审计员"
)
ROLE = re.compile(WHO)

#: Who records and weighs; what he states of the company is stated by the text itself.
JUDGES = frozenset({"裁判", "主持人", "审计员"})
