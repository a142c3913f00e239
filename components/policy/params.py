"""Parameters that name a model behind a URL."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ServerParams(BaseModel):
    """A model behind an OpenAI-compatible URL."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str
    model: str
    api_key_env: str = ""
    """Name of the environment variable that holds the key; the key itself never stands in a file."""
