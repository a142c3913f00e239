"""The commands of dvc.yaml, one file a stage: read the stage's inputs, call components, write its outputs.

`python -m flows.stages NAME [--arm ARM]` runs one alone.
"""
