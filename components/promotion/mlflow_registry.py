"""The registered model in MLflow: one version a release, and aliases that say which one serves. Every step may be repeated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlflow import MlflowClient

MODEL = "hat-agent"
CHAMPION = "champion"
PREVIOUS = "previous"
"""The release that a rollback would return to; absent where there is none."""
RELEASE_TAG = "release_id"


def client(state_dir: Path) -> MlflowClient:
    """MLflow on the database of this state folder."""
    from mlflow import MlflowClient

    uri = f"sqlite:///{(state_dir / 'mlflow.db').resolve()}"
    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def ensure_version(store: MlflowClient, release_dir: Path, tags: dict[str, str], card: str) -> None:
    """See to it that the release has a version with these tags; `card` (Markdown) becomes its description."""
    from mlflow.exceptions import MlflowException

    try:
        store.create_registered_model(
            MODEL, description="The agent: model, harness and serving configuration of one release a version."
        )
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    tags = {RELEASE_TAG: release_dir.name, **tags}
    version = _version(store, release_dir.name)
    if version is None:
        # A file URI is what `mlflow.artifacts` downloads from and what the MLflow page shows; with no run behind the
        # version only the database accepts it, the REST server refuses local sources.
        store.create_model_version(MODEL, release_dir.resolve().as_uri(), tags=tags, description=card)
        return
    for key, value in tags.items():
        store.set_model_version_tag(MODEL, version, key, value)
    store.update_model_version(MODEL, version, card)


def move_aliases(store: MlflowClient, champion: str, previous: str | None) -> None:
    """Point both aliases at the versions of these releases."""
    if previous is None:
        store.delete_registered_model_alias(MODEL, PREVIOUS)
    else:
        store.set_registered_model_alias(MODEL, PREVIOUS, _version(store, previous))
    store.set_registered_model_alias(MODEL, CHAMPION, _version(store, champion))


def champion_release(store: MlflowClient) -> str | None:
    """Id of the release that the alias points at, "unknown" where it points at a version that is no release."""
    from mlflow.exceptions import MlflowException

    try:
        version = store.get_model_version_by_alias(MODEL, CHAMPION)
    except MlflowException as error:
        # MLflow answers so where the model is not there and where the alias is not.
        if error.error_code in ("RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE"):
            return None
        raise
    return str(version.tags.get(RELEASE_TAG, "unknown"))


def _version(store: MlflowClient, release_id: str) -> str | None:
    versions = store.search_model_versions(f"name = '{MODEL}' and tags.`{RELEASE_TAG}` = '{release_id}'")
    return str(versions[0].version) if versions else None
