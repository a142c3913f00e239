"""The promotion policy: what a candidate has to show, and who may then promote it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from components.errors import UserError
from components.evaluation.statistics import CONFIDENCE
from components.files import read_yaml

POLICY = Path(__file__).parents[2] / "mlflow" / "promotion_policy.yaml"

Margin = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]
"""A share: 0.02 is two points of a hundred."""
Count = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    # Strict: `true` is no 1 and "40" no 40.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Comparison(_Strict):
    """One suite and the margin that its paired difference is held against."""

    suite: Literal["T1", "T2"]
    margin: Margin


class Guardrails(_Strict):
    """By how much a candidate may be worse where it must not be worse."""

    replied: Margin
    worst_dimension: Margin


class PromotionPolicy(_Strict):
    """`mlflow/promotion_policy.yaml`, whose comments say what each field means."""

    alpha: float
    bootstrap_seed: Annotated[int, Field(ge=0)]
    superiority: Comparison
    non_inferiority: Comparison
    guardrails: Guardrails
    minimum_cases: Count
    minimum_rooms: Annotated[int, Field(ge=2)]
    request_expiry_days: Count
    override_expiry_days: Count
    approvers: Annotated[tuple[str, ...], Field(strict=False)]
    requester_may_approve: bool

    @field_validator("alpha")
    @classmethod
    def _is_the_level_of_the_intervals(cls, alpha: float) -> float:
        offered = round((1 - CONFIDENCE) / 2, 6)
        if alpha != offered:
            raise ValueError(f"expected {offered}, the level of the intervals that the evaluation computes")
        return alpha


def load_policy(path: Path = POLICY) -> PromotionPolicy:
    """Read and check a policy. Raises UserError naming the file and the line or field that is wrong."""
    if not path.is_file():
        raise UserError(f"{path}: not found; expected the promotion policy; restore the file")
    try:
        return PromotionPolicy.model_validate(read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise UserError(f"{path}: {field}: {first['msg'].lower()}; mend this field") from None
