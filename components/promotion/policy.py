"""The promotion policy: what a candidate has to show, and who may then promote it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from components.errors import UserError
from components.evaluation.statistics import CONFIDENCE

POLICY = Path(__file__).parents[2] / "mlflow" / "promotion_policy.yaml"

Margin = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]
"""A share: 0.02 is two points of a hundred."""
Count = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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
    bootstrap_seed: int
    superiority: Comparison
    non_inferiority: Comparison
    guardrails: Guardrails
    minimum_cases: Count
    minimum_rooms: Annotated[int, Field(ge=2)]
    request_expiry_days: Count
    override_expiry_days: Count
    approvers: tuple[str, ...]
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
        return PromotionPolicy.model_validate(yaml.safe_load(path.read_text()))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{path}:{line}: expected YAML ({error.problem}); mend this line") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise UserError(f"{path}: {field}: {first['msg'].lower()}; mend this field") from None
