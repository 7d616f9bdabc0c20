"""Flax: its attention layers leave positions to models, and only what looks like an encoding is listed."""

from ._asking import adapter

subjects, trials = adapter(
    "flax", (("rotary", r"(?i:rotary|inv_freq|alibi)"), ("sinusoidal", r"(jnp|np|math)\.(sin|cos)\(")),
    no_encodings=((r"lr_schedule", "a schedule of training"),))
