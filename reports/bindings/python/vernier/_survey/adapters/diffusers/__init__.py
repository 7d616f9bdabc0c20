"""Hugging Face's diffusers: tables of rotations and of sinusoids, for tokens of texts, images and videos, and for timesteps."""

from .._asking import adapter
from . import rotary, sinusoidal

PRELOAD = ("diffusers.models.transformers", "diffusers.models.autoencoders", "diffusers.pipelines.pipeline_utils")

_KINDS = (
    ("rotary", r"\binv_freq\b[^=\n]*=[^=]|get_[123]d_rotary_pos_embed\w*\(|torch\.polar\(|view_as_complex\("),
    ("sinusoidal", r"get_timestep_embedding\(|get_[123]d_sincos_pos_embed\w*\(|(torch|np|math)\.(sin|cos)\(|\.(sin|cos)_?\(\)"),
)
_NO_ENCODINGS = (
    (r"schedul|training_utils|optimization|filter1d|UpSample|compute_density", "a schedule of noise or of training, or a filter"),
    (r"Snake|FeedForward", "an activation with a sine"),
    (r"cam_utils|camera|compute_fx|compute_up_lat|ucpe", "turns of a camera"),
    (r"AttnProcessor|TransformerBlock", "it turns queries and keys within attention, by the tables of a class of its file"),
    (r"CombinedTimestep|Transformer2DModel|LatteTransformer|T5Film|RAEDecoder|UVit|ResolutionEmbedder|unidiffuser|\.PatchEmbed"
     r"|SkyReelsV2Timesteps|CogVideoXPatch|CogView3PlusPatch|OmniGenPatch|ConditioningStep",
     "its encoding is that of a function that it calls, and is judged with it"),
)

subjects, trials = adapter("diffusers", _KINDS, rotary.ASKED + sinusoidal.ASKED, no_encodings=_NO_ENCODINGS)
