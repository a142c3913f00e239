"""Harness-State Augmentation: harnesses that look different and ask for the same task.

One file a dimension, a sampler that composes them into variants, and the proof that a variant keeps the task.
"""

from components.augment.mapping import NameMap
from components.augment.proof import Proof, prove
from components.augment.records import variant_from_dict, variant_to_dict
from components.augment.sampler import TRANSFORMATIONS, build, sample_variants
from components.augment.types import AugmentError, Dimension, Family, Transformation, Variant

__all__ = [
    "TRANSFORMATIONS",
    "AugmentError",
    "Dimension",
    "Family",
    "NameMap",
    "Proof",
    "Transformation",
    "Variant",
    "build",
    "prove",
    "sample_variants",
    "variant_from_dict",
    "variant_to_dict",
]
