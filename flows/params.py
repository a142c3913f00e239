"""The parameters of a run: one typed schema, profiles laid over `params.yaml`, unknown keys refused."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from components.errors import UserError
from components.files import read_yaml, write_atomic
from components.harness.types import Language
from components.policy.params import ServerParams
from components.training.params import DraftParams, LaunchParams, OpdParams, RlParams, SftParams

BASE = Path("params.yaml")
PROFILES = Path("infra/profiles")
RESOLVED = Path(".hat/params.yaml")

_NOTHING = object()

Share = Field(ge=0.0, le=1.0)


class Section(BaseModel):
    """A group of parameters; a misspelt key is an error, not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RoomsParams(Section):
    train_rooms: PositiveInt
    eval_rooms: PositiveInt
    comments_per_room: PositiveInt
    languages: tuple[Language, ...] = Field(min_length=1)


class FaultParams(Section):
    """Chance that a tool's first answer to a call goes wrong in this way; together at most 1."""

    time_out: float = Share
    malformed: float = Share
    permission_denied: float = Share
    empty: float = Share
    stale: float = Share
    slow: float = Share

    @model_validator(mode="after")
    def _at_most_one(self) -> FaultParams:
        if (total := sum(dict(self).values())) > 1:
            raise ValueError(f"expected rates that add up to 1 at most, found {total:g}")
        return self


class MixtureParams(Section):
    """How often a dimension is changed, beside the others: multiplies `strength`."""

    skill_identifiers: float = Field(ge=0.0)
    skill_content: float = Field(ge=0.0)
    tool_schemas: float = Field(ge=0.0)
    prompt_structure: float = Field(ge=0.0)
    hook_behaviour: float = Field(ge=0.0)


class VariantsParams(Section):
    train: PositiveInt
    heldout: PositiveInt
    strength: float = Share
    mixture: MixtureParams
    paraphrases: Literal["templates"] | ServerParams


class LoopParams(Section):
    turns: PositiveInt
    retries: int = Field(ge=0)


class ModelParams(Section):
    source: str


class CollectParams(Section):
    teacher: Literal["expert"] | ServerParams
    variants_per_case: PositiveInt
    concurrency: PositiveInt
    thinking_wordiness: float | None = Field(ge=0.0, le=1.0)
    """How wordy the expert thinks before it calls and replies; null: it does not think aloud."""
    slip_share: float = Share
    """Share of the expert's episodes whose first reply a hook refuses."""


class DatasetParams(Section):
    trajectories_per_arm: PositiveInt
    hsa_share: float = Share
    keep_retry_share: float = Share


class GenerationParams(Section):
    max_new_tokens: PositiveInt
    batch_size: PositiveInt


class EvaluationParams(Section):
    t1_cases: PositiveInt
    t2_cases: PositiveInt
    t3_cases: PositiveInt
    t4_prompts: PositiveInt


class Params(Section):
    """All parameters of one run, resolved for one profile."""

    profile: str
    """Name of the overlay; never set in a file."""
    seed: int = Field(ge=0)
    rooms: RoomsParams
    faults: FaultParams
    variants: VariantsParams
    loop: LoopParams
    model: ModelParams
    collect: CollectParams
    dataset: DatasetParams
    sft: SftParams
    opd: OpdParams
    rl: RlParams
    draft: DraftParams
    launch: LaunchParams
    generation: GenerationParams
    evaluation: EvaluationParams


def resolve(profile: str) -> Params:
    """Lay the profile over `params.yaml` and check the result.

    Raises UserError naming the file, the key, and the nearest right key or what was expected.
    """
    overlay_path = PROFILES / f"{profile}.yaml"
    if not overlay_path.is_file():
        known = ", ".join(sorted(path.stem for path in PROFILES.glob("*.yaml")))
        raise UserError(f"{overlay_path}: not found; expected a profile among {known}; pass one of them to --profile")
    base, overlay = _read(BASE), _read(overlay_path)
    for path, data in ((BASE, base), (overlay_path, overlay)):
        _refuse_unknown(path, data, Params)
    merged = {**_merge(base, overlay), "profile": profile}
    try:
        return Params.model_validate(merged)
    except ValidationError as error:
        found, missing, words = _mistake(error, merged)
        # What a profile adds to a section of `params.yaml` leaves that file to be the complete one.
        in_base = _at(overlay, found) is _NOTHING or (missing and isinstance(_at(base, found), dict))
        path = BASE if in_base else overlay_path
        raise UserError(f"{path}: {'.'.join(found + missing)}: {words}; correct it") from None


def activate(profile: str) -> Params:
    """Resolve the profile and make it the one that `dvc.yaml` reads; an unchanged file is left alone."""
    params = resolve(profile)
    text = "# Written by hat: params.yaml with one profile laid over it. Edit those instead.\n"
    text += yaml.safe_dump(params.model_dump(mode="json"), sort_keys=False)
    if not RESOLVED.exists() or RESOLVED.read_text() != text:
        write_atomic(RESOLVED, text)
    return params


def active() -> Params:
    """The parameters that `dvc.yaml` reads now. Raises UserError where no profile was ever chosen."""
    if not RESOLVED.exists():
        raise UserError(f"{RESOLVED}: not found; expected the parameters of a profile; run `hat retrain` first")
    data = _read(RESOLVED)
    try:
        return Params.model_validate(data)
    except ValidationError as error:
        found, missing, words = _mistake(error, data)
        raise UserError(
            f"{RESOLVED}: {'.'.join(found + missing)}: {words}; written by another version of hat: run hat retrain again"
        ) from None


def _read(path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise UserError(f"{path}:1: expected a mapping of keys to values; mend the file")
    return data


def _merge(base: dict[str, Any], overlay: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in overlay.items():
        merged[key] = _merge(merged[key], value) if isinstance(value, dict) and isinstance(merged.get(key), dict) else value
    return merged


def _refuse_unknown(path: Path, data: dict[str, Any], model: type[BaseModel], prefix: str = "") -> None:
    for key, value in data.items():
        field = model.model_fields.get(key)
        if field is None:
            near = difflib.get_close_matches(str(key), model.model_fields, n=1)
            mend = f"did you mean {prefix}{near[0]}?" if near else f"expected one of {', '.join(model.model_fields)}"
            raise UserError(f"{path}: {prefix}{key}: unknown key; {mend}")
        if isinstance(value, dict) and isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            _refuse_unknown(path, value, field.annotation, f"{prefix}{key}.")


def _mistake(error: ValidationError, data: Any) -> tuple[list[str], list[str], str]:
    """The most specific mistake: keys that are there, the key that is missing below them if that is it, and what is wrong.

    Where a value may be of several kinds, pydantic names the kind among the keys: it is left out.
    """
    worst = max(error.errors(), key=lambda one: len(one["loc"]))
    found: list[str] = []
    for part in worst["loc"]:
        if isinstance(data, dict) and part in data:
            found.append(str(part))
            data = data[part]
    missing = [str(worst["loc"][-1])] if worst["type"] == "missing" else []
    return found, missing, f"{worst['msg'].lower()}, found {worst['input']!r}"


def _at(data: Any, keys: list[str]) -> Any:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            return _NOTHING
        data = data[key]
    return data
