"""Whether the configured models can be used, for ``doctor`` (PRODUCT O7)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from flows.debate.endpoint import CallFailed
from flows.debate.endpoint_errors import Reaction
from flows.debate.gateway import Abstained, Ask, Gateway
from flows.debate.gateway_models import RoleModel
from flows.errors import BudgetSpent, ConfigurationError

_LIMIT = 64


@dataclass(frozen=True)
class ModelHealth:
    """What is known about one model at one server; None means not known.

    Attributes:
        server: Base URL without credentials, or ``offline:`` and its version.
        is_listed: Whether the server's own list names the model.
        schema_mode: How answers are held to their shape: json_schema, json_object or prompt.
        is_enforced: Whether the server really holds the model to a demanded schema.
        takes_tools: Whether it takes function calls.
        advice: What is wrong and what to do, in Chinese; empty if nothing is.
    """

    server: str
    model: str
    is_reachable: bool | None = None
    is_key_accepted: bool | None = None
    is_listed: bool | None = None
    schema_mode: str | None = None
    is_enforced: bool | None = None
    takes_tools: bool | None = None
    advice: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether nothing speaks against using it."""
        return not self.advice


class _Ping(BaseModel):
    ok: bool


async def describe_models(gateway: Gateway, *, probe: int | None = None) -> list[ModelHealth]:
    """The health of every model in use.

    Without *probe* nothing is bought: the server is asked for its list of models. With it each model
    answers one tiny question, a new one for each value of *probe*, which also finds its schema mode.
    """
    found = []
    for role, speaker in gateway.models.in_use().items():
        if probe is not None:
            found.append(await _probed(gateway, role, speaker, probe))
        else:
            found.append(await _listed(speaker))
    return found


async def _probed(gateway: Gateway, role: str, speaker: RoleModel, number: int) -> ModelHealth:
    question = [{"role": "user", "content": '请只输出 JSON：{"ok": true}'}]
    ask = Ask(role, question, _Ping, _LIMIT, 0.0, sample=number, is_shape_told=True)
    try:
        result = await gateway.ask(ask)
    except (ConfigurationError, BudgetSpent) as error:
        return _health(speaker, advice=str(error))
    if isinstance(result, Abstained):
        return _health(speaker, advice=result.reason)
    return _health(speaker, is_reachable=True, is_key_accepted=True)


async def _listed(speaker: RoleModel) -> ModelHealth:
    try:
        names = await speaker.line.endpoint.model_names()
    except CallFailed as error:
        failure = error.failure
        is_reachable = failure.reaction is not Reaction.UNREACHABLE
        is_refused = failure.reaction is Reaction.CONFIGURE
        return _health(
            speaker,
            is_reachable=is_reachable,
            is_key_accepted=False if is_refused else None,
            advice=failure.message,
        )
    if names is None:
        return _health(speaker, is_reachable=True)
    is_listed = speaker.model in names
    advice = "" if is_listed else f"服务的模型列表里没有 {speaker.model}；有：{'、'.join(names[:8]) or '（空）'}。"
    return _health(speaker, is_reachable=True, is_key_accepted=True, is_listed=is_listed, advice=advice)


def _health(
    speaker: RoleModel,
    *,
    is_reachable: bool | None = None,
    is_key_accepted: bool | None = None,
    is_listed: bool | None = None,
    advice: str = "",
) -> ModelHealth:
    endpoint = speaker.line.endpoint
    known = endpoint.capability(speaker.model)
    return ModelHealth(
        server=endpoint.address.name,
        model=speaker.model,
        is_reachable=is_reachable,
        is_key_accepted=is_key_accepted,
        is_listed=is_listed,
        schema_mode=known.mode.value if known.is_proven else None,
        is_enforced=known.is_enforced if known.is_proven else None,
        takes_tools=known.takes_tools if known.is_proven and not known.takes_tools else None,
        advice=advice,
    )
