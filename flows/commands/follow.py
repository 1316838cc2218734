"""``target``, ``inform`` and ``replay``: what can be done with a stored debate."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from flows.commands.console import Bars, given_settings, print_json, say, settings_from, table, wall_now
from flows.commands.review import accounts_json, calendar_of, clock_of, ready_model
from flows.desk import plan
from flows.reports.words import OUTCOME_ZH
from flows.warehouse.database import run_lock

if TYPE_CHECKING:
    from flows.desk.publish import Account
    from flows.settings import Settings


def target(options: argparse.Namespace) -> int:
    """Put one claim of a stored debate on trial; exit code 1 if the debate failed."""
    from flows.desk import following, renewing  # noqa: PLC0415 - the openai client loads slowly

    settings = settings_from(options)
    trial = following.find_claim(settings, options.claim_id, options.debate)
    now = clock_of(settings, None)
    order = plan.plan_review(
        settings, [trial.symbol], as_of=None, now=now, calendar=calendar_of(settings, None, now),
        options=given_settings(options),
    ).model_copy(update={"flow": "target", "protocols": (following.TARGETED,)})  # fmt: skip
    ready_model(settings)
    with run_lock(settings.data_dir, "target"), Bars() as bars:
        bars.stage("今天的事实", 3)
        todays = renewing.todays_pack(order, wall_now(), bars.step)
        bars.stage("定点辩论", 1)
        accounts = following.target(order, trial, todays, wall_now)
        bars.step("")
    return _show(options, settings, order, accounts)


def inform(options: argparse.Namespace) -> int:
    """Judge a stored debate again with new material; exit code 1 if the debate failed."""
    from flows.desk import following  # noqa: PLC0415
    from flows.desk.reading import stored_debate  # noqa: PLC0415

    settings = settings_from(options)
    before = stored_debate(settings, options.debate_id)
    order = following.order_to_inform(before, now=clock_of(settings, None), options=given_settings(options))
    wanted = following.with_material(before, options.note, options.url, order.now)
    ready_model(settings)
    with run_lock(settings.data_dir, "inform"), Bars() as bars:
        bars.stage("补充材料后重审", 1)
        accounts = following.add_material(order, before, wanted, wall_now)
        bars.step("")
    return _show(options, settings, order, accounts)


def _show(options: argparse.Namespace, settings: Settings, order: plan.Review, accounts: list[Account]) -> int:
    found = [_found(settings, account) for account in accounts if account.debate_id]
    if options.json:
        print_json({"batch_id": order.batch_id, "accounts": accounts_json(accounts), "debates": found})
    else:
        rows = [(a.symbol, a.name, OUTCOME_ZH[a.outcome], a.reason, a.debate_id) for a in accounts]
        table("结果", ("代码", "名称", "结果", "说明", "辩论"), rows)
        for one in found:
            say(f"结论：{one['core']}", *one["notices"], f"报告：zhengming report {one['debate_id']}")
    return 1 if any(account.outcome == "failed" for account in accounts) else 0


def _found(settings: Settings, account: Account) -> dict[str, Any]:
    """What a person wants to know at once of one stored debate."""
    from flows.desk.reading import stored_debate  # noqa: PLC0415
    from flows.desk.telling import notices_of  # noqa: PLC0415

    stored = stored_debate(settings, str(account.debate_id))
    conclusion = stored.transcript.conclusion
    return {
        "debate_id": stored.transcript.debate_id,
        "previous_debate_id": stored.transcript.previous_debate_id,
        "pack_version": stored.transcript.pack_version,
        "verdict": conclusion.verdict if conclusion else None,
        "confidence": conclusion.confidence if conclusion else None,
        "core": conclusion.core if conclusion else stored.transcript.reason,
        "notices": list(notices_of(stored.pack, stored.transcript)),
        "reversals": stored.transcript.record.get("reversals", []),
    }


def replay(options: argparse.Namespace) -> int:
    """Judge a stored debate again without network or model; exit code 1 if a judgement is not reproduced."""
    from flows.desk.reading import stored_debate  # noqa: PLC0415
    from flows.desk.replaying import replay as judge_again  # noqa: PLC0415

    result = judge_again(stored_debate(settings_from(options), options.debate_id))
    if options.json:
        print_json({
            "debate_id": options.debate_id, "is_reproduced": result.is_reproduced,
            "differences": [found.__dict__ for found in result.differences],
            "wordings": [found.__dict__ for found in result.wordings],
        })  # fmt: skip
        return 0 if result.is_reproduced else 1
    conclusion = result.transcript.conclusion
    say(
        f"{options.debate_id}：存档的裁决{'可以重现' if result.is_reproduced else '没有重现'}。",
        conclusion.core if conclusion else result.transcript.reason,
    )
    if found := [*result.differences, *result.wordings]:
        table("与存档不同之处", ("项目", "存档", "现在"), [(d.what, d.stored, d.now) for d in found])
        say("差异来自存档之后改变的规则或核对方法；存档本身没有改动。")
    return 0 if result.is_reproduced else 1
