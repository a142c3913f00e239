"""The whole ablation with SmolLM2 on one GPU in ten minutes, on a machine that has torch and transformers and little else.

`pack` (here) gathers data, base model and small packages in a folder; `run` (there) trains and asks every arm by plain
torch loops; `table` (here again) draws the ablation's table and figure from what `run` wrote.
"""
