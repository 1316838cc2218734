"""The offline model: deterministic, rule-based, and honest about being no language model.

It reads the very prompt a server would get and answers in the demanded form. It argues only from the
facts shown, copies their numbers untouched, answers the other side point by point, and concedes when
it has nothing left to bring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flows.debate.offline import stances
from flows.debate.offline.alone import audit, direct, propose
from flows.debate.offline.judging import verdict
from flows.debate.offline.moderating import moderate
from flows.debate.offline.reading import Scene, read_scene
from flows.debate.offline.request import OfflineRequest, UnreadablePrompt
from flows.debate.offline.riders import key_data, title
from flows.debate.offline.speaking import speech

_FOR_ROLES = frozenset({"bull", "pro"})


def answer(request: OfflineRequest) -> dict[str, Any]:
    """The answer to one request. Raises UnreadablePrompt for a task it does not know."""
    scene = read_scene(request)
    task = _TASKS.get(scene.act)
    if task is None:
        raise UnreadablePrompt(f"the offline model knows no task {scene.act}")
    return task(scene)


def _is_for(scene: Scene) -> bool:
    return scene.role in _FOR_ROLES


def _argue(scene: Scene) -> dict[str, Any]:
    return speech(scene, is_for=_is_for(scene), number=_number(scene))


def _number(scene: Scene) -> int:
    """Which of its speeches this is: the bull speaks twice a round, new material is spoken to once."""
    if scene.new_facts:
        return 0
    first = scene.round_no - 1
    return 2 * first + (scene.act == "reply") if scene.role == "bull" else first


def _rebut(scene: Scene) -> dict[str, Any]:
    said = _argue(scene)
    return {**said, "title": title(scene)} if '"title"' in scene.task else said


def _reply(scene: Scene) -> dict[str, Any]:
    said = _argue(scene)
    return {**said, "key_data": key_data(scene)} if '"key_data"' in scene.task else said


_TASKS: dict[str, Callable[[Scene], dict[str, Any]]] = {
    "moderate": moderate,
    "argue": _argue,
    "rebut": _rebut,
    "reply": _reply,
    "judge": verdict,
    "speak": stances.speak,
    "ask": stances.ask,
    "answer": stances.answer,
    "direct": direct,
    "audit": audit,
    "propose": propose,
}
