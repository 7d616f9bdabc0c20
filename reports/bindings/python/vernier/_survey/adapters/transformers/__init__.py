"""Hugging Face's transformers: the classes of its modeling files."""

import inspect

from .._asking import adapter, definition
from . import forms, relative, rotary, sinusoidal

DISTRIBUTION = "transformers"
LEAST = (4, 50)
PRELOAD = ("torch", "transformers", "transformers.modeling_utils", "transformers.modeling_rope_utils")

# What the source of a definition has that computes an encoding.
_KINDS = (
    # Sinusoids that keep frequencies under the names of rotations, but rotate nothing.
    ("sinusoidal", r"\bclass (BrosPositionalEmbedding1D|FunnelAttentionStructure|XLNetModel\(|Kimi\w*VisionPositionEmb"
                   r"|Voxtral\w*TimeEmb|PPDocLayoutV2PositionRel|\w*RelPositional)|\bdef (_?create_sinusoidal_)"),
    ("rotary", r"\binv_freq\w*(, [\w.]+)?(:[^=\n]*)?\s*=[^=]|def \w*freqs_ci\b"),
    ("windows", r"def \w*relative_position_index|\brelative_position_index\b.*=|def \w*relative_coords|def get_rel_pos\(.*q_size"),
    ("buckets", r"def \w*relative_positions?_bucket|def compute_(all_stream_)?relative_buckets|def \w*log_bucket"
                r"|def build_relative_position\(|\bdistance_embedding\(|attention_dists = torch|def disentangled_att"
                r"|def compute_attention_dists"
                r"|\bclass \w*Relative(AttentionBias|Position(al)?Encoding|Position)\([\w.]*Module"),
    ("alibi", r"def build\w*alibi"),
    ("sinusoidal", r"(torch\.|np\.|math\.)(sin|cos)\(|\.(sin|cos)_?\(\)"),
)
# Definitions whose source looks like that of an encoding and holds none.
_NO_ENCODINGS = (
    (r"Snake", "an activation, x + sin(a x)^2 / b"),
    (r"\.(ClvpSelfAttention|(MLCD|Glm4v|Qwen)\w*Vision(Model|Transformer\w*|Encoder)|apply_rotary_pos_emb_vision)$",
     "it rotates by what its module's rotary class makes, which is judged itself"),
    (r"\.eager_attention_forward$", "a function that attentions call, of distances that no argument of it says"),
    (r"\.DetaMultiscaleDeformableAttention$", "its sinusoids are first values of weights"),
    (r"_compute_proportional_rope", "what the rotary class of Gemma 4 calls, and is judged with"),
    (r"Token2WavDiTModel$", "its cosine spaces the steps of a solver"),
    (r"\.deberta\.modeling_deberta\.build_relative_position$", "distances as they are, which its attention clamps"),
)
_UNASKED = (
    (r"\.modeling_(tf|flax)_", "it is of TensorFlow or JAX: only classes of PyTorch are asked"),
    (r"\.PatchT\w*PositionalEncoding$", "no scheme of Vernier takes the mean of a whole table off and divides by its deviation"),
)


def _is_read(path):
    return "/modeling_" in path or path.startswith("modeling_")


subjects, _trials = adapter(DISTRIBUTION, _KINDS, sinusoidal.ASKERS + relative.ASKERS, _is_read, forms.form, unasked=_UNASKED,
                            no_encodings=_NO_ENCODINGS)


def trials(subject, dtypes):
    return rotary.trials(definition(DISTRIBUTION, subject.name), dtypes) if subject.kind == "rotary" else _trials(subject, dtypes)


def published_trials(subject, documents):
    thing = definition(DISTRIBUTION, subject.name)
    return rotary.published_trials(thing, documents) if subject.kind == "rotary" and inspect.isclass(thing) else []
