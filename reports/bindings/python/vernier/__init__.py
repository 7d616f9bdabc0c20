"""Vernier judges the positional encodings of Transformers against their true values.

    verdict = vernier.check("llama-3.1-8b", cos=cos, sin=sin)
    vernier.assert_conforms(model.config, cos=cos, sin=sin, positions=range(4096))
    table = vernier.table("llama-3.1-8b", "cos", range(4096), "bfloat16")
    verdict = vernier.validate(rope, "llama-3.1-8b")
    print(vernier.survey("transformers"))

Tensors come through __dlpack__ or as buffers; no other package is needed.
"""

from ._in_process import assert_answers, requests, validate
from ._library import InputError, VernierError, version as _version
from ._models import check_model
from ._report import Finding, ModelReport
from ._serving import Implementation, Request, Unsupported, Wanted, implementation
from ._specs import understood as _understood
from ._table import Table, table
from ._verdict import Verdict, arithmetic, assert_conforms, check, require_conformance

__version__ = _version()
__all__ = ["Finding", "Implementation", "InputError", "ModelReport", "Request", "Table", "Unsupported", "Verdict",
           "VernierError", "Wanted", "arithmetic", "assert_answers", "assert_conforms", "check", "check_model", "implementation",
           "requests", "require_conformance", "spec", "survey", "table", "validate"]


def spec(config, layer=None):
    """Reads the encoding of a model's config.json.

    config: a dict, an object with to_dict(), JSON text, the path of a file, or the id of a catalogue model.
    Returns a dict with "groups" of layers; each has "kind", "layers" and "spec" (None with "why"). Lists of sentences: "assumed", "remarks", "ignored".
    "as_written" is a sentence if Vernier does not support the model's class, else "".
    layer: the spec alone of this layer, a number or a kind.
    """
    understood = _understood(config)
    if layer is None:
        return understood
    for group in understood["groups"]:
        if str(layer) in [str(number) for number in group["layers"]] + group["kind"].split(", "):
            if group["spec"] is None:
                raise InputError(f"layer: found {layer}: {group['why']}; expected a layer with an encoding")
            return group["spec"]
    known = [group["kind"] or "all" for group in understood["groups"]]
    raise InputError(f'layer: found "{layer}", expected a layer\'s number or {" or ".join(known)}')


def survey(*libraries, **options):
    """Builds every positional encoding of installed libraries, asks it and judges it by its own configuration.

    libraries: "transformers", "diffusers" ... (`vernier survey --help` lists them), or the path of an adapter of your own.
    options: only, dtypes, workers, seconds, memory_mib, state, progress: those of vernier._survey.survey(). Returns a Survey:
    str() has a line for each class, and `json`, `junit`, `sarif` and `exit_code` are as a Verdict's.
    """
    from ._survey import survey as run  # what it needs takes time to import

    return run(*libraries, **options)
