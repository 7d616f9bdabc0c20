"""Configurations that a definition of transformers is built from, and what Vernier reads from them."""

import contextlib
import copy
import inspect
import itertools
import sys

from .... import _library
from ...._specs import understood
from ..._asked import Unjudged

_CONTEXT = 4096
_FACTOR = 4.0
_KEPT = ("rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved")  # with another scaling
# Keys that turn the rotation on where a configuration has another encoding by default, or that mend a default whose parts do
# not fit together.
_SWITCHES = (
    lambda default: {},
    lambda default: {"position_embedding_type": "rope"},
    lambda default: {"position_embedding_type": "rope", "layer_types": ["attention"] * default.num_hidden_layers},
    lambda default: {"position_embedding_type": "rotary"},
    lambda default: {"position_embeddings_type": "rotary"},
    lambda default: {"use_mem_rope": True},
    lambda default: {"head_dim": 64},
    lambda default: {"hidden_size": 64 * default.num_attention_heads},
    lambda default: {"hidden_size": 128 * default.num_attention_heads},
    lambda default: {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [16] * 4}},
)


def _defaults(thing, switches=_SWITCHES[:1], tell=lambda problem: None):
    """Configurations of the class that a definition names, then of the others that its module imports, with each switch.

    tell: of what a configuration class raises.
    """
    from transformers import PretrainedConfig

    kinds = [one for one in vars(sys.modules[thing.__module__]).values()
             if inspect.isclass(one) and issubclass(one, PretrainedConfig) and one is not PretrainedConfig]
    for kind, switch in itertools.product(sorted(kinds, key=lambda kind: kind is not _named(thing)), switches):
        try:
            default = kind()
            keys = switch(default)
            if all(hasattr(default, key) for key in keys):
                yield kind(**keys)
        except AttributeError:  # it has no key that a switch needs
            continue
        except Exception as error:  # what a configuration class raises
            tell(f"{kind.__name__}() raises {_library.one_line(error)}")


def _parts(config):
    yield config
    for name in getattr(config, "sub_configs", None) or {}:
        part = getattr(config, name, None)
        if part is not None:
            yield from _parts(part)


def read(thing, scheme):
    """The specs of a scheme that Vernier reads from the default configurations of a definition's module."""
    specs = []
    for config in _defaults(thing):
        with contextlib.suppress(Exception):  # what a part of a configuration raises, or Vernier where it reads no encoding
            found = [one["spec"] for one in understood(config)["groups"] if one["spec"]]
            specs += [one for one in found if one.get("scheme") == scheme and one not in specs]
    return specs


def with_keys(thing, **keys):
    """The first configuration of a definition's module, or part of one, that has these keys, with these values."""
    for part in [part for config in _defaults(thing) for part in _parts(config)]:
        if all(hasattr(part, name) for name in keys):
            for name, value in keys.items():
                setattr(part, name, value)
            return part
    raise Unjudged(f"no configuration of its module has {', '.join(keys)}")


def built(thing):
    """A configuration, a class built from it, and the groups of layers with a rotation that Vernier reads from it.

    It is the class's own default configuration, with its rotation turned on, or the first part of a composite one that has
    what the class reads.
    """
    problems, parameters = [], list(inspect.signature(thing.__init__).parameters)[1:]
    takes_one = not parameters or "config" in parameters[0]
    for config in (part for whole in _defaults(thing, _SWITCHES, problems.append) for part in _parts(whole)) if takes_one else ():
        try:
            module = thing(config).eval()  # in training, some move their coordinates at random
            if getattr(module, "mrope_section", ()) is None:
                raise ValueError("mrope_section is missing")
            return config, module, groups(config)
        except Unjudged as error:
            problems.insert(0, str(error))
        except Exception as error:  # what a class raises
            problems.append(f"{thing.__name__}({type(config).__name__}()) raises {_library.one_line(error)}")
    raise Unjudged(problems[0] if problems else "it takes no configuration")


def _named(thing):
    """The annotation of a definition's first parameter, a class."""
    parameters = list(inspect.signature(thing.__init__).parameters.values())[1:]
    named = parameters[0].annotation if parameters else None
    return getattr(sys.modules[thing.__module__], named, None) if isinstance(named, str) else named


def published(thing, documents):
    """Models' configurations or parts of them that a class names: tuples of a name, the configuration and its groups.

    The language model's encoding is read from the whole document, as `vernier spec` reads it; that of another part from the
    part. For a configuration that raises, there is an Unjudged.
    """
    from transformers import CONFIG_MAPPING
    from transformers.models.auto.configuration_auto import model_type_to_module_name

    package = thing.__module__.split(".")[-2]
    for name, document in documents:
        known = [one for one in _model_types(document) if model_type_to_module_name(one) == package]
        if not known or document.get("model_type") not in CONFIG_MAPPING:
            continue
        try:
            # It writes into what it is given.
            config = CONFIG_MAPPING[document["model_type"]].from_dict(copy.deepcopy(document))
            text = config.get_text_config()
            for part in _parts(config):
                if type(part) is _named(thing):  # a class that names a composite one is given its text part
                    part = part.get_text_config()
                    yield name, part, groups(document if part is text else part)
        except Unjudged as error:
            yield Unjudged(str(error), name)
        except Exception as error:  # what a configuration class raises
            yield Unjudged(f"its configuration raises {_library.one_line(error)}", name)


def _model_types(document):
    own = [document["model_type"]] if isinstance(document.get("model_type"), str) else []
    return own + [one for part in document.values() if isinstance(part, dict) for one in _model_types(part)]


def groups(config):
    """The groups of layers with a rotation that Vernier reads from a configuration."""
    if getattr(config, "position_embeddings_type", None) == "rotary":  # of sound; the class documents its base
        return [{"kind": "", "spec": {"scheme": "rope", "head_dim": config.hidden_size // config.num_attention_heads,
                                      "rope_theta": config.rotary_embedding_base, "layout": "half"}}]
    try:
        found = understood(config)["groups"]
    except _library.InputError as error:
        raise Unjudged(f"Vernier does not read its configuration ({error})") from error
    rotating = [one for one in found if one["spec"] and "rope" in one["spec"]["scheme"]]
    if not rotating:
        raise Unjudged("Vernier reads no rotation from its configuration: " +
                       next((one["why"] for one in found if one.get("why")), "there is none"))
    return rotating


def scaled(config, pairs):
    """Configurations like one, with each scaling of frequencies: pairs of its name and of the configuration."""
    flat = getattr(config, "rope_parameters", None)
    known = flat if isinstance(flat, dict) else getattr(config, "rope_scaling", None) or {}
    if any(isinstance(value, dict) for value in known.values()):  # each kind of layers has its own
        return
    kept = {key: value for key, value in known.items() if key in _KEPT}
    original = {"original_max_position_embeddings": _CONTEXT}
    short, long = [[1 + step * pair / pairs for pair in range(pairs)] for step in (1, 8)]
    scalings = {"linear": {}, "dynamic": {}, "yarn": original,
                "llama3": {"low_freq_factor": 1.0, "high_freq_factor": 4.0, **original},
                "longrope": {"short_factor": short, "long_factor": long, **original}}
    name = "rope_parameters" if flat is not None else "rope_scaling"
    for rope_type, keys in scalings.items():
        document = {key: value for key, value in config.to_dict().items() if key not in ("rope_parameters", "rope_scaling")}
        document[name] = {**kept, "rope_type": rope_type, "factor": _FACTOR, **keys}
        document["max_position_embeddings"] = _CONTEXT if rope_type == "dynamic" else int(_FACTOR * _CONTEXT)
        if rope_type == "longrope":  # whose first context transformers 4 reads there alone
            document.update(original)
        with contextlib.suppress(Exception):  # this class has no such scaling
            yield rope_type, type(config).from_dict(document)
