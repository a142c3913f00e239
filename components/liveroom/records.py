"""Cases to plain JSON and back."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from components.errors import UserError
from components.harness.records import to_dict
from components.harness.types import JsonObject
from components.liveroom.types import Case

_CASE = TypeAdapter(Case)


def case_to_dict(case: Case) -> JsonObject:
    """A case as plain JSON values, one line of a cases file."""
    return to_dict(case)


def case_from_dict(data: JsonObject) -> Case:
    """Inverse of `case_to_dict`. Raises UserError naming the case and the field that does not fit."""
    try:
        return _CASE.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UserError(f"case {data.get('case_id', '?')}: {place}: {first['msg'].lower()}; rebuild the cases") from None
