"""Certified tables, and how they become somebody's tensors."""

import ctypes
import math
import sys

from . import _specs
from ._library import DataType, Device, InputError, Tensor, tensors_of, write_table
from ._tensors import CODES, CPU, FLOAT8_CODES, HostTensor, _ManagedTensor, _is_valid, _pointer_of, _python
from ._tensors import positions_tensor

_KINDS = {
    "float64": ("float", 64, "<f8"),
    "float32": ("float", 32, "<f4"),
    "float16": ("float", 16, "<f2"),
    "bfloat16": ("bfloat", 16, None),
    **{name: (name, 8, None) for name in FLOAT8_CODES},
    "int64": ("int", 64, "<i8"),
    "int32": ("int", 32, "<i4"),
}


def _float8_numbers(exponent_bits, bias, end):
    """The number of every pattern of an eight-bit format. end: the first magnitude that is none; a format without
    negative zero, whose pattern is its NaN, has none such."""
    ones, numbers = 1 << (7 - exponent_bits), []
    for pattern in range(256):
        magnitude, sign = pattern & 127, -1.0 if pattern & 128 else 1.0
        exponent, fraction = magnitude // ones, magnitude % ones / ones
        if (magnitude >= end) or (end == 128 and pattern == 128):
            has_infinity = exponent_bits == 5 and magnitude == end
            numbers.append(sign * math.inf if has_infinity else math.nan)
        else:
            numbers.append(sign * math.ldexp(fraction + (exponent > 0), max(exponent, 1) - bias))
    return numbers


_FLOAT8_NUMBERS = {
    "float8_e4m3fn": _float8_numbers(4, 7, 127),
    "float8_e5m2": _float8_numbers(5, 15, 124),
    "float8_e4m3fnuz": _float8_numbers(4, 8, 128),
    "float8_e5m2fnuz": _float8_numbers(5, 16, 128),
}

_libc = ctypes.CDLL(None)
_libc.malloc.restype, _libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
_libc.free.restype, _libc.free.argtypes = None, [ctypes.c_void_p]
_CAPSULE = b"dltensor"
_new_capsule = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


# The capsule as an address: on its way out it is no object that may be held.
@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _free_unconsumed(capsule):
    is_valid = ctypes.pythonapi["PyCapsule_IsValid"]
    is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    if is_valid(capsule, _CAPSULE):
        pointer_of = ctypes.pythonapi["PyCapsule_GetPointer"]
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
        _libc.free(pointer_of(capsule, _CAPSULE))


class Values:
    """A tensor of this package's own: torch.from_dlpack(values) and numpy.asarray(values) make tensors of it;
    bytes(values) and tolist() need neither."""

    def __init__(self, role, shape, dtype, data=b""):
        self.role, self.shape, self.dtype = role, tuple(shape), dtype
        kind, bits, self._typestr = _KINDS[dtype]
        self._type = DataType(FLOAT8_CODES.get(kind) or CODES[kind], bits, 1)
        self._memory = ctypes.create_string_buffer(max(1, self.nbytes))
        ctypes.memmove(self._memory, data, len(data))
        self._sizes = (ctypes.c_int64 * max(1, len(self.shape)))(*self.shape)
        self._tensor = Tensor(ctypes.addressof(self._memory), Device(CPU, 0), len(self.shape), self._type,
                              self._sizes, None, 0)

    @property
    def nbytes(self):
        return math.prod(self.shape) * self._type.bits // 8

    def __bytes__(self):
        return self._memory.raw[:self.nbytes]

    def places(self, axis, wanted):
        """The same of some places along an axis."""
        axis %= len(self.shape)
        data, size = bytes(self), self._type.bits // 8
        inner = math.prod(self.shape[axis + 1:]) * size
        block = self.shape[axis] * inner
        parts = [data[start + i * inner:start + (i + 1) * inner] for start in range(0, len(data), block) for i in wanted]
        shape = (*self.shape[:axis], len(wanted), *self.shape[axis + 1:])
        return Values(self.role, shape, self.dtype, b"".join(parts))

    def tolist(self):
        """The elements as Python numbers, in lists of the table's shape."""
        if self.dtype == "bfloat16":
            patterns = memoryview(bytes(self)).cast("H")
            numbers = memoryview(b"".join((p << 16).to_bytes(4, sys.byteorder) for p in patterns)).cast("f").tolist()
        elif self.dtype in FLOAT8_CODES:
            numbers = [_FLOAT8_NUMBERS[self.dtype][pattern] for pattern in bytes(self)]
        elif self.dtype == "float16":
            import struct

            numbers = list(struct.unpack(f"{math.prod(self.shape)}e", bytes(self)))
        else:
            formats = {"float64": "d", "float32": "f", "int64": "q", "int32": "i"}
            numbers = memoryview(bytes(self)).cast(formats[self.dtype]).tolist()
        for size in reversed(self.shape[1:]):
            numbers = [numbers[i:i + size] for i in range(0, len(numbers), size)] if size else []
        return numbers

    def __repr__(self):
        return f"<vernier.{type(self).__name__}: {self.role} {list(self.shape)} {self.dtype}>"

    def __dlpack_device__(self):
        return CPU, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule "dltensor" of a copy, in one block of memory that starts with the structure: the consumer of
        the capsule releases the block by the C library's free()."""
        if dl_device is not None and int(dl_device[0]) != CPU:
            raise BufferError("the tensor lies in the host's memory")
        if copy is False:
            raise BufferError("the tensor is always copied")
        sizes = ctypes.sizeof(self._sizes)
        start = -(-(ctypes.sizeof(_ManagedTensor) + sizes) // 64) * 64
        block = _libc.malloc(start + max(1, self.nbytes) + 64)
        if not block:
            raise MemoryError
        start += -(block + start) % 64
        shape = block + ctypes.sizeof(_ManagedTensor)
        ctypes.memmove(shape, self._sizes, sizes)
        ctypes.memmove(block + start, self._memory, self.nbytes)
        managed = _ManagedTensor.from_address(block)
        managed.tensor = Tensor(block + start, Device(CPU, 0), len(self.shape), self._type,
                                ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)), None, 0)
        managed.context = None
        managed.deleter = ctypes.cast(_libc.free, ctypes.c_void_p)
        return _new_capsule(block, _CAPSULE, ctypes.cast(_free_unconsumed, ctypes.c_void_p))

    @property
    def __array_interface__(self):
        if self._typestr is None:
            raise AttributeError(f"NumPy has no {self.dtype}: take another dtype, or torch.from_dlpack(table)")
        place = (ctypes.addressof(self._memory), False)
        return {"version": 3, "shape": self.shape, "typestr": self._typestr, "data": place}


class Table(Values):
    """A certified tensor: every element the number of its type nearest to the truth, with proof."""


def require_dtype(dtype, known=tuple(_KINDS)):
    if not isinstance(dtype, str) or dtype not in known:
        found = f'"{dtype}"' if isinstance(dtype, str) else type(dtype).__name__
        raise InputError(f"dtype: found {found}, expected {' or '.join(known)}")


def table(spec, role=None, positions=(), dtype="float32", *, columns=None, queries=None, layer=None, out=None):
    """The certified tensor of a role at some positions, a Table.

    spec, layer: as in check(). role: "cos", "sin", "encoding", "bias" ...; default the encoding's first.
    positions: a range, a list, or a tensor of one dimension. dtype: "float64", "float32", "float16",
    "bfloat16", "float8_e4m3fn" and the three others of eight bits; "int64" or "int32" for buckets and indices.
    columns: its width, where implementations differ (cos of head_dim/2 or head_dim columns).
    queries: biases of so many last queries. out: a tensor in the host's memory to write into instead, whose
    shape and type then stand; it is returned.
    """
    text, source = _specs.read(spec)
    at = positions_tensor(positions)
    options = {"layer": None if layer is None else str(layer), "source": source, "queries": queries}
    if out is not None:
        held = HostTensor(out, "out", writable=True)
        write_table(text, options, role or "", at.tensor, held.tensor)
        return out
    require_dtype(dtype)
    known = tensors_of(text, options, at.tensor)
    for one in known:
        if role in (None, one["role"]) and columns in (None, one["shape"][-1]):
            result = Table(one["role"], one["shape"], dtype)
            write_table(text, options, one["role"], at.tensor, result._tensor)
            return result
    raise InputError(f'table: found no tensor "{role}"' + (f" of {columns} columns" if columns is not None else "") +
                     ", expected " + " or ".join(f'{one["role"]} of {one["shape"][-1]} columns' for one in known))
