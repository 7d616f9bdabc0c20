"""The words of an adapter: the encodings of its library, and the tensors that they answered.

An adapter is a module of `adapters`, or a file of your own. It has:

DISTRIBUTION: the name of the library's distribution, which tells its version; that of the adapter if it is missing. Or VERSION,
where the library is installed without a distribution.
LEAST: the oldest version that it asks, (4, 40); may be missing.
PRELOAD: further modules that are imported once, before the processes of its classes part; may be missing. Modules that start
threads are not among them.
subjects(): the Subjects of the installed library.
trials(subject, dtypes): the Trials of one of them, one after the other. It raises Unjudged where there is none.
published_trials(subject, documents): those of a class built from published configurations, pairs of a name and of what a
config.json holds; may be missing.
"""

import dataclasses
import importlib
import importlib.util
import os

DTYPES = ("float32", "bfloat16", "autocast")
# What else can be asked for: float32 by torch.compile, which takes a minute a class.
FURTHER = ("compiled",)


@dataclasses.dataclass(frozen=True)
class Subject:
    """A class or function that computes an encoding. why: why it is not asked; None where it is."""

    name: str  # "models.llama.modeling_llama.LlamaRotaryEmbedding", as the library's own modules name it
    file: str  # relative to the folder that the library lies in
    line: int
    kind: str  # "rotary", "sinusoidal" ...
    why: str = None
    holds_encoding: bool = True  # else why says what it is, and it is not counted


@dataclasses.dataclass
class Trial:
    """Tensors of an encoding and what they are held to."""

    what: str  # "tables, rope_type yarn, bfloat16"
    spec: object  # what vernier.check() takes
    tensors: dict  # role -> tensor
    options: dict = dataclasses.field(default_factory=dict)  # further ones of vernier.check()
    source: str = "configuration"  # what says the spec: "configuration", or "formula" where the library has none to read


class Unjudged(Exception):
    """Why a class cannot be judged: a sentence without its name. An adapter may yield it in place of a Trial, with what was
    asked, and go on."""

    def __init__(self, why, what="the rest"):
        super().__init__(why)
        self.what = what


def folder_of(library):
    """The folder of an installed library, without importing it."""
    found = importlib.util.find_spec(library)
    if found is None:
        raise ModuleNotFoundError(f"No module named '{library}'", name=library)
    return os.path.dirname(found.origin) if found.origin else list(found.submodule_search_locations)[0]


def adapter_of(library):
    """The adapter of a library, or that of a file ending in .py."""
    if not library.endswith(".py"):
        return importlib.import_module(f"vernier._survey.adapters.{library}")
    specification = importlib.util.spec_from_file_location(f"vernier_adapter_{os.path.basename(library)[:-3]}", library)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
