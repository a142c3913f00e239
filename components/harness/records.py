"""Dataclasses to plain JSON and back, and the version of a harness."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from components.harness.types import Harness, JsonObject, Request, Skill, Trajectory

VERSION_LENGTH = 12
"""Hexadecimal digits of a harness version: 48 bits, short enough to read aloud."""

_HARNESS = TypeAdapter(Harness)
_REQUEST = TypeAdapter(Request)
_TRAJECTORY = TypeAdapter(Trajectory)


def to_dict(value: Any) -> JsonObject:
    """Turn any of the harness's dataclasses into plain JSON values."""
    result: JsonObject = to_jsonable_python(value)
    return result


def harness_from_dict(data: JsonObject) -> Harness:
    """Inverse of `to_dict` for a harness. Raises pydantic.ValidationError for data of another shape."""
    return _HARNESS.validate_python(data)


def request_from_dict(data: JsonObject) -> Request:
    """Inverse of `to_dict` for a request. Raises pydantic.ValidationError for data of another shape."""
    return _REQUEST.validate_python(data)


def trajectory_from_dict(data: JsonObject) -> Trajectory:
    """Inverse of `to_dict` for a trajectory. Raises pydantic.ValidationError for data of another shape."""
    return _TRAJECTORY.validate_python(data)


def covered(skill: Skill) -> tuple[str, ...]:
    """Keys of the base harness's skills that loading this one stands for."""
    return (skill.key,) if skill.covers is None else skill.covers


def harness_version(harness: Harness) -> str:
    """Hash of the harness's content: equal exactly when skills, tools, hooks and prompt are equal."""
    canonical = json.dumps(to_dict(harness), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:VERSION_LENGTH]
