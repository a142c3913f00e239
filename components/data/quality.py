"""Great Expectations over our frames: suites are data (`suites/*.yaml`), severity decides what blocks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from components.errors import UserError
from components.files import replace_directory
from components.harness.types import JsonObject

if TYPE_CHECKING:
    from great_expectations.core import ExpectationSuite, ExpectationSuiteValidationResult, ExpectationValidationResult
    from great_expectations.data_context import EphemeralDataContext
    from pandas import DataFrame

SUITES = Path(__file__).parent / "suites"
"""One YAML file a suite: `notes`, and `expectations` of `type`, `kwargs`, `severity` (critical or warning), `notes`."""


class DataQualityError(UserError):
    """A critical expectation failed; the message names suite, expectation, column, how many rows and the first ids."""

    def __init__(self, failures: Sequence[str], mend: str) -> None:
        """The message tells the first of `failures`, how many more there are, and `mend`."""
        more = f" (and {len(failures) - 1} more critical failures)" if len(failures) > 1 else ""
        super().__init__(f"{failures[0]}{more}; {mend}")
        self.failures = tuple(failures)


def validate_frames(frames: Mapping[str, DataFrame], docs_dir: Path, suites: Path = SUITES) -> JsonObject:
    """Check each frame against the suite of its name and write the data docs (HTML, `index.html`) to `docs_dir`.

    A frame's first column names its rows. Returns, by suite, `rows`, `expectations`, `passed` and `warnings` (one
    sentence each). Raises DataQualityError where a frame is empty or a critical expectation fails (the data docs are
    written all the same), and UserError for a suite that does not exist or cannot be read.
    """
    for name, frame in frames.items():
        # Every expectation about rows holds of no rows at all.
        if frame.empty:
            raise DataQualityError([f"suite {name}: the frame has no rows"], "expected at least one; rebuild what feeds it")
    docs_dir.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=docs_dir.parent.absolute(), prefix=f".{docs_dir.name}.") as temporary:
        docs = Path(temporary) / "docs"
        context = _context(docs)
        loaded = {name: _load_suite(suites, name) for name in frames}
        results = {name: _run(context, loaded[name], name, frame) for name, frame in frames.items()}
        context.build_data_docs()
        replace_directory(docs, docs_dir)
    summary, critical = {}, []
    for name, result in results.items():
        failures = [(_severity(one), _sentence(name, one)) for one in result.results if not one.success]
        # A checkpoint calls a failed warning a failure too, so its own verdict is not asked.
        critical += [sentence for severity, sentence in failures if severity == "critical"]
        summary[name] = {
            "rows": len(frames[name]),
            "expectations": len(result.results),
            "passed": len(result.results) - len(failures),
            "warnings": [sentence for severity, sentence in failures if severity != "critical"],
        }
    if critical:
        raise DataQualityError(critical, f"mend these rows; all failures: {docs_dir / 'index.html'}")
    return summary


def _context(docs: Path) -> EphemeralDataContext:
    """A context in memory whose one data docs site is written below `docs`."""
    # Read once, when the package is first imported.
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    import great_expectations
    from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults, ProgressBarsConfig

    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        data_docs_sites={
            "data_docs": {
                "class_name": "SiteBuilder",
                "store_backend": {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(docs)},
                "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
            }
        },
        progress_bars=ProgressBarsConfig(globally=False),
        analytics_enabled=False,
    )
    return great_expectations.get_context(mode="ephemeral", project_config=config)


def _load_suite(suites: Path, name: str) -> ExpectationSuite:
    from great_expectations import ExpectationSuite
    from great_expectations.exceptions import GreatExpectationsError
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    path = suites / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in suites.glob("*.yaml")))
        raise UserError(f"{path}: not found; expected a suite named {name}; suites here: {known}")
    try:
        data = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        raise UserError(f"{path}: expected YAML ({' '.join(str(error).split())}); mend it") from None
    if not isinstance(data, dict) or not isinstance(data.get("expectations"), list):
        raise UserError(f"{path}: expected `expectations:` with a list below it; add it")
    expectations = []
    # Built one by one: a suite would log an expectation that it does not understand, and go on without it.
    for number, entry in enumerate(data["expectations"]):
        try:
            expectations.append(ExpectationConfiguration(**entry).to_domain_obj())
        except (GreatExpectationsError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())
            raise UserError(f"{path}: expectations[{number}]: expected a known expectation ({reason}); mend it") from None
    return ExpectationSuite(name=name, expectations=expectations, notes=data.get("notes"))


def _run(context: EphemeralDataContext, suite: ExpectationSuite, name: str, frame: DataFrame) -> ExpectationSuiteValidationResult:
    from great_expectations import Checkpoint, ValidationDefinition

    source = context.data_sources.add_pandas(name)
    validation = ValidationDefinition(
        name=name,
        data=source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("all"),
        suite=context.suites.add(suite),
    )
    checkpoint = Checkpoint(
        name=name,
        validation_definitions=[context.validation_definitions.add(validation)],
        result_format={"result_format": "SUMMARY", "unexpected_index_column_names": [str(frame.columns[0])]},
    )
    result = context.checkpoints.add(checkpoint).run(batch_parameters={"dataframe": frame})
    return next(iter(result.run_results.values()))


def _severity(result: ExpectationValidationResult) -> str:
    return str(result.expectation_config.severity.value)


def _sentence(suite: str, result: ExpectationValidationResult) -> str:
    """What failed, in one line: suite, expectation, column, number of rows and the first ids (or the value found)."""
    kwargs = result.expectation_config.kwargs
    column = kwargs.get("column") or " and ".join(str(kwargs[k]) for k in ("column_A", "column_B") if k in kwargs)
    return f"suite {suite}: {result.expectation_config.type} failed on {column or 'the frame'}: {_evidence(result)}"


def _evidence(result: ExpectationValidationResult) -> str:
    found: dict[str, Any] = result.result
    if "unexpected_count" in found:
        (id_column,) = found.get("unexpected_index_column_names", [None])
        ids = [str(row[id_column]) for row in found.get("partial_unexpected_index_list", [])]
        return f"{found['unexpected_count']} rows ({', '.join(ids[:5])})"
    if "observed_value" in found:
        return f"found {found['observed_value']}"
    return "it could not be evaluated; is the column there?"
