"""A variant as one line of JSON, and back."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from components.augment.types import AugmentError, Variant
from components.harness.records import to_dict
from components.harness.types import JsonObject

_VARIANT = TypeAdapter(Variant)


def variant_to_dict(variant: Variant) -> JsonObject:
    """Plain JSON values, the whole harness among them."""
    return to_dict(variant)


def variant_from_dict(data: JsonObject) -> Variant:
    """Inverse of `variant_to_dict`. Raises AugmentError naming the field for data of another shape."""
    try:
        return _VARIANT.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        name = data.get("variant_id", "?")
        raise AugmentError(f"variant {name}: {place}: {first['msg'].lower()}; sample the variants again") from None
