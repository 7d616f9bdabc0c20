"""The positional tables and inverse frequencies of a loaded model, found by name and shape."""

import ctypes
import dataclasses
import difflib
import re
import struct

from ._library import DataType, Device, InputError, Tensor
from ._tensors import CODES, CPU, HostTensor

_COMPLEX = 5  # DLPack's kDLComplex
_ROTARY = re.compile(r"rot|rope", re.IGNORECASE)
_FREQUENCIES = re.compile(r"^(?P<prefix>.*_)?inv_freqs?$")
_PLAIN_FREQUENCIES = ("theta", "freqs", "inv_frequencies")
_COSINES = re.compile(r"^(?P<prefix>.*_)?cos(?P<suffix>_cached|_cache|_table|_emb)?$")
_BOTH = re.compile(r"^(?!.*long_short)(.*_)?cos_sin(_cached|_cache)?$")
_PHASORS = re.compile(r"^(.*_)?(freqs?_cis|rope_cache|rotary_cache)$")
_ENCODINGS = ("pe", "pos_encoding", "positional_encoding", "position_encoding", "pos_table")
_POSITION_MODULES = ("embed_positions", "position_embeddings", "pos_emb", "pos_encoder")
_SLOPES = ("slopes", "alibi_slopes")
# A configuration is understood of the language model; other parts have encodings of their own.
_OTHER_PARTS = re.compile(
    r"(^|[._])(vis|vision|visual|image|img|audio|speech|video|time_embed|token2wav|code2wav|decoder_transformer|"
    r"(vit|codec|draft|mimi)(?![a-z]))", re.IGNORECASE)

_DENSE_ROWS, _SPREAD_ROWS = 256, 256


@dataclasses.dataclass
class Part:
    """Something positional of a model: what it is, its tensors by role, and its module."""

    path: str
    kind: str  # "frequencies", "tables", "encoding", "slopes"
    tensors: dict
    module: object = None
    prefix: str = ""  # of the attribute's name, before inv_freq
    problem: str = ""  # why it cannot be read
    elsewhere: bool = False  # of another part than the language model
    config: object = None  # of the nearest module that has one
    names: tuple = ()  # of all its tensors in the model


class View:
    """A tensor over memory that another one keeps."""

    def __init__(self, kept, data, dtype, shape, strides):
        self._kept = (kept, (ctypes.c_int64 * max(1, len(shape)))(*shape),
                      (ctypes.c_int64 * max(1, len(shape)))(*strides))
        self.shape, self.strides, self.dtype = tuple(shape), tuple(strides), dtype
        self.tensor = Tensor(data, Device(CPU, 0), len(shape), dtype, self._kept[1], self._kept[2], 0)

    @property
    def itemsize(self):
        return self.dtype.bits // 8

    @property
    def type_name(self):
        return next((f"{name}{self.dtype.bits}" for name, code in CODES.items() if code == self.dtype.code), "other")

    def at(self, axis, first, size):
        """`size` places of an axis, starting at `first`. If size is None, the axis is dropped."""
        shape, strides = list(self.shape), list(self.strides)
        data = self.tensor.data + first * strides[axis] * self.itemsize
        if size is None:
            del shape[axis], strides[axis]
        else:
            shape[axis] = size
        return View(self, data, self.dtype, shape, strides)

    def columns(self, count, apart):
        """Some columns from the first on. The tensor has two dimensions."""
        strides = self.strides[0], apart * self.strides[1]
        return View(self, self.tensor.data, self.dtype, (self.shape[0], count), strides)

    def taken(self, places):
        """A dense copy of some elements. The tensor has one dimension."""
        memory = ctypes.create_string_buffer(b"".join(
            ctypes.string_at(self.tensor.data + i * self.strides[0] * self.itemsize, self.itemsize) for i in places))
        return View(memory, ctypes.addressof(memory), self.dtype, (len(places),), (1,))

    def numbers(self):
        """The elements as floats, the last index fastest."""
        letters = {64: "d", 32: "f", 16: "e"}
        values = []

        def visit(address, axis):
            if axis < len(self.shape):
                for i in range(self.shape[axis]):
                    visit(address + i * self.strides[axis] * self.itemsize, axis + 1)
                return
            bits = ctypes.string_at(address, self.itemsize)
            if self.dtype.code == CODES["bfloat"]:
                values.append(struct.unpack("<f", b"\0\0" + bits)[0])
            else:
                values.append(struct.unpack("<" + letters[self.dtype.bits], bits)[0])

        visit(self.tensor.data or 0, 0)
        return values

    def rows(self, wanted):
        """A dense copy of some rows, and its bytes. The tensor has two dimensions."""
        width = self.shape[1] * self.itemsize
        memory = ctypes.create_string_buffer(max(1, len(wanted) * width))
        start = ctypes.addressof(memory)
        for place, row in enumerate(wanted):
            source = self.tensor.data + row * self.strides[0] * self.itemsize
            if self.strides[1] == 1:
                ctypes.memmove(start + place * width, source, width)
            else:
                for column in range(self.shape[1]):
                    ctypes.memmove(start + place * width + column * self.itemsize,
                                   source + column * self.strides[1] * self.itemsize, self.itemsize)
        copy = View(memory, start, self.dtype, (len(wanted), self.shape[1]), (self.shape[1], 1))
        return copy, memory.raw


def sampled_rows(count):
    """All rows of a short table; of a long one the first, and some up to the last."""
    if count <= _DENSE_ROWS + _SPREAD_ROWS:
        return list(range(count))
    rest = count - _DENSE_ROWS
    return [*range(_DENSE_ROWS), *(_DENSE_ROWS + rest * (i + 1) // _SPREAD_ROWS - 1 for i in range(_SPREAD_ROWS))]


def parts_of(model, tables=None):
    """Everything positional in the modules of a model, and all of their tensors: names with shapes and types.

    tables: the roles of tensors whose names do not tell: {"pos.freqs": "inv_freq"}.
    """
    if not hasattr(model, "named_modules"):
        kind = type(model)
        raise InputError(f"model: found an object of the class {kind.__module__}.{kind.__qualname__}, expected one "
                         "with named_modules() and named_buffers()")
    roles = _require_roles(tables or {})
    parts, seen, configs = [], {}, {}
    for path, module in model.named_modules():
        configs[path] = config_of(module) or configs.get(path.rpartition(".")[0])
        first = len(parts)
        tensors = _tensors_of(module)
        full = {name: f"{path}.{name}" if path else name for name in tensors}
        seen.update({full[name]: _described(tensor) for name, tensor in tensors.items()})
        said = {name: roles[full[name]] for name in tensors if full[name] in roles}
        parts += _said_parts(full, module, said, tensors)
        for name in tensors:
            part = _part(path, module, name, tensors) if name not in said else None
            if part is not None:
                part.elsewhere = is_elsewhere(path)
                parts.append(part)
        for part in parts[first:]:
            part.config = configs[path]
    for path in roles:
        if path not in seen:
            near = difflib.get_close_matches(path, seen, n=3, cutoff=0.3) or list(seen)[:3]
            raise InputError(f'tables: found "{path}", expected a tensor of the model' + (
                f': {", ".join(near)}' if near else ", which has none"))
    return parts, seen


def config_of(module):
    """The configuration that a module holds, if it can be read as one."""
    config = getattr(module, "config", None)
    return config if hasattr(config, "to_dict") or isinstance(config, dict) else None


def is_elsewhere(path):
    """Whether the names of a path are those of another part than the language model."""
    return bool(_OTHER_PARTS.search(path))


def _require_roles(tables):
    for path, role in tables.items():
        if role not in _ROLES:
            raise InputError(f'tables: {path}: found "{role}", expected {", ".join(_ROLES)}')
    return tables


def _said_parts(paths, module, said, tensors):
    """The parts that the tensors of a module are by the roles that are said. Cosines and sines are one part."""
    parts, both = [], {role: name for name, role in said.items() if role in ("cos", "sin")}
    if both:
        parts.append(_read(paths[next(iter(both.values()))], "tables",
                           {role: tensors[name] for role, name in both.items()}, module, _tables,
                           names=tuple(paths[name] for name in both.values())))
    for name, role in said.items():
        if role not in both:
            kind, arranged = _ROLES[role]()
            parts.append(_read(paths[name], kind, {role: tensors[name]}, module, arranged))
    return parts


def _described(tensor):
    """The shape and type of a tensor, for sentences."""
    return f"{list(getattr(tensor, 'shape', ()))} {str(getattr(tensor, 'dtype', '')).replace('torch.', '')}".rstrip()


# What check_model's tables= may say of a tensor: its kind, and how it is read.
_ROLES = {
    "inv_freq": lambda: ("frequencies", _flat),
    "cos": lambda: ("tables", _tables),
    "sin": lambda: ("tables", _tables),
    "freqs_cis": lambda: ("tables", _phasors),
    "cos_sin": lambda: ("tables", _halves),
    "encoding": lambda: ("encoding", _tables),
    "slopes": lambda: ("slopes", _flat),
}
LOOKED_FOR = ("inv_freq", "cos_cached and sin_cached", "cos_sin_cache", "freqs_cis", "rope_cache", "slopes",
              *_ENCODINGS, "embed_positions", "theta or freqs of a module whose name has rot or rope")


def _tensors_of(module):
    """The tensors that a module holds itself, by name."""
    found = {}
    for list_of in ("named_buffers", "named_parameters"):
        if hasattr(module, list_of):
            found.update(getattr(module, list_of)(recurse=False))
    for name, value in getattr(module, "__dict__", {}).items():
        if hasattr(value, "__dlpack__"):
            found.setdefault(name, value)
    return {name: value for name, value in found.items() if value is not None}


def _part(path, module, name, tensors):
    """The kind of a module's tensor, if it is positional."""
    full = f"{path}.{name}" if path else name
    bare = name.lstrip("_")
    of_rotary = _ROTARY.search(path) or _ROTARY.search(type(module).__name__)
    frequencies = _FREQUENCIES.match(bare)
    if frequencies or (bare in _PLAIN_FREQUENCIES and of_rotary and _rank(tensors[name]) == 1):
        prefix = frequencies.group("prefix") or "" if frequencies else ""
        return _read(full, "frequencies", {"inv_freq": tensors[name]}, module, _flat, prefix)
    if _BOTH.match(bare):
        return _read(full, "tables", {"": tensors[name]}, module, _halves)
    if _PHASORS.match(bare) or (bare == "cache" and of_rotary):
        return _read(full, "tables", {"": tensors[name]}, module, _phasors)
    cosines = _COSINES.match(bare)
    if cosines:
        prefix, suffix = cosines.group("prefix") or "", cosines.group("suffix") or ""
        of_sines = name[:len(name) - len(bare)] + prefix + "sin" + suffix
        if of_sines in tensors:
            return _read(full, "tables", {"cos": tensors[name], "sin": tensors[of_sines]}, module, _tables,
                         names=(full, full[:len(full) - len(name)] + of_sines))
    if bare in _SLOPES:
        return _read(full, "slopes", {"slopes": tensors[name]}, module, _flat)
    if bare in _ENCODINGS or _is_sinusoid(path, module, bare) or _is_buffer_of_sinusoids(module, name, tensors[name]):
        return _read(full, "encoding", {"encoding": tensors[name]}, module, _tables)
    return None


def _is_sinusoid(path, module, name):
    is_named = "sinusoid" in type(module).__name__.lower() or path.split(".")[-1] in _POSITION_MODULES
    return name in ("weight", "weights") and is_named


def _is_buffer_of_sinusoids(module, name, tensor):
    """A table that a module keeps itself. One that is trained is a parameter."""
    return name == "embed_positions" and _rank(tensor) == 2 and not getattr(tensor, "requires_grad", False)


def _rank(tensor):
    return len(getattr(tensor, "shape", ()))


def _read(path, kind, tensors, module, arranged, prefix="", names=()):
    part = Part(path, kind, {}, module, prefix, names=names or (path,))
    if any(getattr(tensor, "is_meta", False) for tensor in tensors.values()):
        part.problem = "it is on the meta device, where tensors have no values: load the weights first"
        return part
    try:
        part.tensors = arranged({role: _squeezed(HostTensor(tensor, role or "cos, sin"))
                                 for role, tensor in tensors.items()})
    except InputError as error:
        part.problem = str(error)
    return part


def phasors(tensor, role):
    """The cosines and sines of a complex tensor, or of one whose last dimension has both, as views of it by their
    roles."""
    try:
        return _phasors({role: _squeezed(HostTensor(tensor, role))})
    except InputError as error:
        raise InputError(f"{role}: {error}".replace(f"{role}: {role}: ", f"{role}: ")) from error


def _squeezed(held):
    """The tensor without dimensions of size 1 before its last one; a complex one has a further, of two parts."""
    shape = list(held.shape)
    strides = [held.tensor.strides[i] for i in range(len(shape))] if held.tensor.strides else _dense(shape)
    code, bits = held.tensor.dtype.code, held.tensor.dtype.bits
    if code == _COMPLEX:
        shape, strides = [*shape, 2], [*(2 * apart for apart in strides), 1]
        code, bits = CODES["float"], bits // 2
    kept = [i for i, size in enumerate(shape) if size != 1 or i == len(shape) - 1]
    data = (held.tensor.data or 0) + held.tensor.byte_offset
    return View(held, data, DataType(code, bits, 1), [shape[i] for i in kept], [strides[i] for i in kept])


def _dense(shape):
    strides, next_one = [], 1
    for size in reversed(shape):
        strides.insert(0, next_one)
        next_one *= max(1, size)
    return strides


def _require(holds, view, expected):
    if view.dtype.code not in (CODES["float"], CODES["bfloat"]):
        raise InputError(f"found {view.type_name}, expected floating-point numbers")
    if not holds:
        raise InputError(f"found the shape {list(view.shape)}, expected {expected}")


def _flat(views):
    (role, view), = views.items()
    _require(len(view.shape) == 1, view, "one dimension")
    if 0 in view.shape:
        raise InputError("it has no elements")
    return views


def _tables(views):
    for view in views.values():
        if len(view.shape) == 1:  # one row
            view.shape, view.strides = (1, *view.shape), (view.shape[0], *view.strides)
        _require(len(view.shape) == 2 and 0 not in view.shape, view, "two dimensions, rows and columns")
    return views


def _halves(views, first="cos", second="sin"):
    (_, view), = views.items()
    is_even = len(view.shape) == 2 and view.shape[1] % 2 == 0
    _require(is_even and 0 not in view.shape, view, "rows of cosines, then sines")
    half = view.shape[1] // 2
    return {first: view.at(1, 0, half), second: view.at(1, half, half)}


def as_rotations(part):
    """A table of an encoding as cosines and sines for rotations: sines come first, as in tables that are added."""
    return dataclasses.replace(part, kind="tables", tensors=_halves(part.tensors, "sin", "cos"))


def _phasors(views):
    (_, view), = views.items()
    _require(len(view.shape) == 3 and view.shape[2] == 2 and 0 not in view.shape, view, "[positions, pairs, 2]")
    return {"cos": view.at(2, 0, None), "sin": view.at(2, 1, None)}
