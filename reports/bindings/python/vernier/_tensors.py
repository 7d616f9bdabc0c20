"""Anybody's tensors as the library takes them: through DLPack capsules, or buffers (PEP 3118)."""

import array
import ctypes
import math
import sys
import weakref

from ._library import DataType, Device, InputError, Tensor, one_line

CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4}
# Types of eight bits have codes of their own, from DLPack 1.1 on.
FLOAT8_CODES = {"float8_e4m3fn": 10, "float8_e4m3fnuz": 11, "float8_e5m2": 12, "float8_e5m2fnuz": 13}
_FLOAT_CODES = (CODES["float"], CODES["bfloat"], *FLOAT8_CODES.values())
CPU = 1
# Devices whose memory the host reads: its own, and what is pinned for CUDA and ROCm.
_HOST_DEVICES = (CPU, 3, 11)
_MAJOR_VERSION = 1
_FARTHEST_POSITION, _MOST_POSITIONS = 1 << 31, 1 << 28
_MOST_SHARED = 1 << 30  # bytes to copy of a tensor whose strides repeat elements
_READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY


class _ManagedTensor(ctypes.Structure):
    """DLPack's DLManagedTensor, in a capsule "dltensor"."""

    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _VersionedTensor(ctypes.Structure):
    """DLPack's DLManagedTensorVersioned, in a capsule "dltensor_versioned"."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


class _Buffer(ctypes.Structure):
    """CPython's Py_buffer."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


def _python(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_pointer_of = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_get_buffer = _python("PyObject_GetBuffer", ctypes.c_int, ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int)
_release_buffer = _python("PyBuffer_Release", None, ctypes.POINTER(_Buffer))
_STRIDED_WITH_FORMAT = 0x0018 | 0x0004  # PyBUF_STRIDES | PyBUF_FORMAT
_WRITABLE = 0x0001


class HostTensor:
    """Somebody's tensor in the host's memory, which stays there as long as this does."""

    def __init__(self, thing, role, writable=False):
        self.tensor = Tensor()
        self._kept = []
        try:
            if not self._read_capsule(thing, role, writable) and not self._read_buffer(thing, role, writable):
                raise InputError(
                    f"{role}: found {_described(thing)}, expected a tensor with __dlpack__, or a buffer of numbers")
        except (InputError, MemoryError):
            raise
        except Exception as error:  # whatever its library raises
            raise InputError(f"{role}: found {_described(thing)}, which cannot be read ({one_line(error)})") from error

    @classmethod
    def of(cls, tensor):
        """Over a Tensor whose memory somebody else keeps."""
        held = cls.__new__(cls)
        held.tensor, held._kept = tensor, []
        return held

    @property
    def shape(self):
        return tuple(self.tensor.shape[i] for i in range(self.tensor.ndim))

    @property
    def is_float(self):
        return self.tensor.dtype.code in _FLOAT_CODES

    @property
    def dtype(self):
        """Its name, "bfloat16" say; "type 5 of 64 bits" of what has none here."""
        code, bits = self.tensor.dtype.code, self.tensor.dtype.bits
        names = [name for name, known in FLOAT8_CODES.items() if known == code]
        names += [f"{name}{bits}" for name, known in CODES.items() if known == code]
        return names[0] if names else f"type {code} of {bits} bits"

    def contiguous_bytes(self):
        """A copy of the elements, the last index fastest."""
        size = self.tensor.dtype.bits // 8
        shape = self.shape
        apart = _row_major(shape)
        if self.tensor.strides:
            apart = [self.tensor.strides[i] for i in range(len(shape))]
        elements = math.prod(shape)
        if elements * size > _MOST_SHARED and elements > 1 + sum((n - 1) * abs(d) for n, d in zip(shape, apart)):
            raise InputError(f"found the shape {list(shape)} of elements that share memory, expected at most "
                             f"{_MOST_SHARED >> 20} MiB of such")
        start = self.tensor.data + self.tensor.byte_offset if math.prod(shape) else 0
        return b"".join(_rows(start, shape, apart, size)) if start else b""

    def _read_capsule(self, thing, role, writable):
        if not hasattr(thing, "__dlpack__") or not hasattr(thing, "__dlpack_device__"):
            return False
        if getattr(thing, "requires_grad", False) and hasattr(thing, "detach"):
            thing = thing.detach()
        thing = _resolved(thing, role, writable)
        device = thing.__dlpack_device__()
        if int(device[0]) in _HOST_DEVICES:
            try:
                capsule = _capsule_of(thing)
            except (BufferError, RuntimeError, TypeError, ValueError):
                if self._read_buffer(thing, role, writable):
                    return True  # NumPy's read-only arrays
                raise
        elif writable:
            raise InputError(f"{role}: found a tensor on the device {_device_text(device)}, expected one in the "
                             "host's memory")
        else:
            thing, capsule = _copied_to_host(thing, device, role)
        self._kept += [thing, capsule]
        self.tensor = _tensor_in(capsule, role, writable)
        return True

    def _read_buffer(self, thing, role, writable):
        # NumPy shows no buffer of a type that is not its own, such as ml_dtypes' bfloat16 and float8.
        name = str(getattr(thing, "dtype", ""))
        code = CODES["bfloat"] if name == "bfloat16" else FLOAT8_CODES.get(name)
        if code is not None and hasattr(thing, "view"):
            thing = thing.view("uint16" if name == "bfloat16" else "uint8")
        buffer = _Buffer()
        try:
            _get_buffer(thing, ctypes.byref(buffer), _STRIDED_WITH_FORMAT | (_WRITABLE if writable else 0))
        except (BufferError, TypeError, ValueError):
            return False
        weakref.finalize(self, _release_buffer, ctypes.byref(buffer)).atexit = False
        self._kept.append(thing)
        self.tensor = self._tensor_of_buffer(buffer, role)
        if code is not None:
            self.tensor.dtype.code = code
        return True

    def _tensor_of_buffer(self, buffer, role):
        element = _element_type(buffer.format or b"B", buffer.itemsize, role)
        sizes = (ctypes.c_int64 * max(1, buffer.ndim))(*[buffer.shape[i] for i in range(buffer.ndim)])
        strides = (ctypes.c_int64 * max(1, buffer.ndim))()
        for i in range(buffer.ndim):
            apart = buffer.strides[i]
            if apart % buffer.itemsize:
                raise InputError(f"{role}: found elements {apart} bytes apart, expected a multiple of their size, "
                                 f"{buffer.itemsize} bytes")
            strides[i] = apart // buffer.itemsize
        self._kept += [sizes, strides]
        return Tensor(buffer.buf, Device(CPU, 0), buffer.ndim, element, sizes, strides, 0)


def _resolved(thing, role, writable):
    """The thing with the signs written out: PyTorch may hold a negation or conjugation as a bit beside the memory, of
    which a capsule does not tell."""
    for deferred in ("neg", "conj"):
        if hasattr(thing, f"resolve_{deferred}") and getattr(thing, f"is_{deferred}")():
            if writable:
                raise InputError(f"{role}: found a tensor with PyTorch's {deferred} bit, expected one whose memory is "
                                 "what it says")
            thing = getattr(thing, f"resolve_{deferred}")()
    return thing


def _row_major(shape):
    return [math.prod(shape[i + 1:]) for i in range(len(shape))]


def _rows(start, shape, apart, size):
    """The bytes of a tensor at an address, part by part: the whole where it is dense, else its rows."""
    if list(apart) == _row_major(shape):
        yield ctypes.string_at(start, math.prod(shape) * size)
    elif len(shape) > 1:
        for i in range(shape[0]):
            yield from _rows(start + i * apart[0] * size, shape[1:], apart[1:], size)
    else:
        span = (shape[0] - 1) * apart[0]
        extent = (abs(span) + 1) * size
        memory = (ctypes.c_ubyte * extent).from_address(start + min(span, 0) * size)
        elements = memoryview(memory).cast("B").cast({1: "B", 2: "H", 4: "I", 8: "Q"}[size])
        yield elements[::apart[0] or 1].tobytes() if apart[0] else elements.tobytes() * shape[0]


def _described(thing):
    kind = type(thing)
    if thing is None or kind.__module__ == "builtins":
        return "None" if thing is None else f"{'an' if kind.__qualname__[0] in 'aeiou' else 'a'} {kind.__qualname__}"
    return f"an object of the class {kind.__module__}.{kind.__qualname__}"


def _device_text(device):
    return f"({int(device[0])}, {int(device[1])})"


def _capsule_of(thing, **wanted):
    """The newest kind of capsule that its library makes."""
    try:
        return thing.__dlpack__(max_version=(_MAJOR_VERSION, 0), **wanted)
    except TypeError:
        return thing.__dlpack__(**wanted)


def _copied_to_host(thing, device, role):
    """The tensor in the host's memory and its capsule."""
    try:
        return thing, _capsule_of(thing, dl_device=(CPU, 0), copy=True)
    except Exception as first:  # whatever its library raises
        problem = first
    if hasattr(thing, "cpu"):
        try:
            copy = thing.cpu()
            if int(copy.__dlpack_device__()[0]) in _HOST_DEVICES:
                return copy, _capsule_of(copy)
        except Exception as second:
            problem = second
    raise InputError(f"{role}: found a tensor on the device {_device_text(device)}, which cannot be copied to the host "
                     f"({one_line(problem)})") from problem


def _tensor_in(capsule, role, writable):
    """The tensor that a capsule holds, which is not consumed: it releases its tensor when it goes."""
    if _is_valid(capsule, b"dltensor_versioned"):
        versioned = _VersionedTensor.from_address(_pointer_of(capsule, b"dltensor_versioned"))
        if versioned.major != _MAJOR_VERSION:
            raise InputError(f"{role}: found a capsule of DLPack {versioned.major}, expected {_MAJOR_VERSION}")
        if writable and versioned.flags & _READ_ONLY:
            raise InputError(f"{role}: found a tensor that is read only, expected one that can be written")
        return versioned.tensor
    if _is_valid(capsule, b"dltensor"):
        return _ManagedTensor.from_address(_pointer_of(capsule, b"dltensor")).tensor
    raise InputError(f'{role}: found {_described(capsule)} from __dlpack__, expected a capsule "dltensor" or '
                     '"dltensor_versioned"')


def _element_type(text, size, role):
    """The element type of a buffer's format: "<f"."""
    format = text.decode()
    order, letter = (format[0], format[1:]) if format[:1] in "@=<>!" else ("@", format)
    swapped = order in (">!" if sys.byteorder == "little" else "<") and size > 1
    kinds = {"float": "efd", "int": "bhilqn", "uint": "BHILQN"}
    for kind, letters in kinds.items():
        if len(letter) == 1 and letter in letters and not swapped:
            return DataType(CODES[kind], 8 * size, 1)
    raise InputError(f'{role}: found a buffer of the format "{format}", expected floating-point numbers or integers in '
                     "the machine's order")


def positions_tensor(positions, role="positions"):
    """Positions as a tensor: also a range, or a list of whole numbers."""
    if isinstance(positions, (range, list, tuple)):
        # Of a range no more than its ends is needed to refuse it.
        ends = [*positions[:1], *positions[-1:]] if isinstance(positions, range) else []
        if any(abs(one) > _FARTHEST_POSITION for one in ends):
            raise InputError(f"{role}: found a range beyond {_FARTHEST_POSITION} in magnitude, expected positions up "
                             "to that")
        if len(positions) > _MOST_POSITIONS:
            raise InputError(f"{role}: found {len(positions)} positions, expected at most {_MOST_POSITIONS}")
        try:
            positions = array.array("q", positions)
        except (TypeError, OverflowError) as error:
            raise InputError(f"{role}: found {type(positions).__name__} ({error}), expected whole numbers") from error
    return HostTensor(positions, role)
