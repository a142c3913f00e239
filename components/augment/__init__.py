"""Harness-State Augmentation: harnesses that look different and ask for the same task.

One file a dimension, a sampler that composes them into variants, and the proof that a variant keeps the task.
"""

from components.augment.bank import Bank, phrasings, read_bank, write_bank
from components.augment.mapping import NameMap
from components.augment.paraphrase import collect
from components.augment.proof import Proof, Prover, prove
from components.augment.records import variant_from_dict, variant_to_dict
from components.augment.sampler import TRANSFORMATIONS, build, draw_variants, sample_variants
from components.augment.schema_room import SchemaRoom
from components.augment.schema_tasks import SchemaTasks, schema_tasks
from components.augment.shrink import shrink, told
from components.augment.tasks import Task, catalogue_tasks
from components.augment.types import AugmentError, Dimension, Family, Transformation, Variant

__all__ = [
    "TRANSFORMATIONS",
    "AugmentError",
    "Bank",
    "Dimension",
    "Family",
    "NameMap",
    "Proof",
    "Prover",
    "SchemaRoom",
    "SchemaTasks",
    "Task",
    "Transformation",
    "Variant",
    "build",
    "catalogue_tasks",
    "collect",
    "draw_variants",
    "phrasings",
    "prove",
    "read_bank",
    "sample_variants",
    "schema_tasks",
    "shrink",
    "told",
    "variant_from_dict",
    "variant_to_dict",
    "write_bank",
]
