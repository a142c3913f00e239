"""A room that answers any tool: what it says depends on which tool runs and on its canonical arguments, and on nothing else."""

from __future__ import annotations

import hashlib
import json

from components.harness.types import JsonObject


class SchemaRoom:
    """Serves the tools of a harness whose own room is not at hand. An argument that goes astray changes the answer."""

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """The answer to one call; never fails."""
        return answer(implementation, arguments)


def answer(implementation: str, arguments: JsonObject) -> JsonObject:
    """A number of four digits, told by the hash of implementation and canonical arguments."""
    asked = json.dumps([implementation, arguments], sort_keys=True, ensure_ascii=False)
    return {"value": 1000 + int(hashlib.sha256(asked.encode()).hexdigest()[:8], 16) % 9000}
