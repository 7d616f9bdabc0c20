"""What Vernier says, asked through its C library and its command."""

import ctypes
import json
from array import array


class Refused(Exception):
    """Vernier's sentence."""


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


class NamedTensor(ctypes.Structure):
    _fields_ = [("role", ctypes.c_char_p), ("tensor", ctypes.POINTER(Tensor))]


CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}


def tensor_of(patterns, shape, form):
    """A tensor of bit patterns, and what keeps its memory; form None: int64."""
    data = array("q" if form is None else CODES[form.width], patterns)
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    code, bits = (0, 64) if form is None else (form.code, form.width)
    return Tensor(data.buffer_info()[0], 1, 0, len(shape), code, bits, 1, sizes, None, 0), data


class Library:
    def __init__(self, path):
        self.calls = ctypes.CDLL(path)
        for name in ("vernier_tensors", "vernier_table", "vernier_judge"):
            getattr(self.calls, name).restype = ctypes.c_int32
        self.calls.vernier_free.argtypes = [ctypes.c_void_p]

    def text(self, place):
        text = ctypes.string_at(place.value).decode() if place.value else ""
        self.calls.vernier_free(place)
        return text

    def tensors(self, spec, positions, options=None):
        """Roles, shapes and whether they are exact, as the library lists them."""
        at, _memory = tensor_of(positions, [len(positions)], None)
        place = ctypes.c_void_p()
        if self.calls.vernier_tensors(json.dumps(spec).encode(), json.dumps(options or {}).encode(), ctypes.byref(at), ctypes.byref(place)):
            raise Refused(self.text(place))
        return json.loads(self.text(place))

    def table(self, spec, role, positions, shape, form, options=None):
        """The patterns of a certified table; form None: integers."""
        count = 1
        for size in shape:
            count *= size
        at, _memory = tensor_of(positions, [len(positions)], None)
        out, data = tensor_of([0] * count, shape, form)
        place = ctypes.c_void_p()
        if self.calls.vernier_table(json.dumps(spec).encode(), json.dumps(options or {}).encode(), role.encode(), ctypes.byref(at),
                                    ctypes.byref(out), ctypes.byref(place)):
            raise Refused(self.text(place))
        return data

    def judge(self, spec, tensors, positions, contract):
        """The exit code and the text of a verdict. tensors: (role, patterns, shape, format), positions: integers, or such a tensor."""
        made = [("positions", tensor_of(positions, [len(positions)], None) if isinstance(positions, list) else tensor_of(*positions))]
        made += [(role, tensor_of(patterns, shape, form)) for role, patterns, shape, form in tensors]
        named = (NamedTensor * len(made))(*(NamedTensor(role.encode(), ctypes.pointer(one[0])) for role, one in made))
        options = {"error_splits": False} | ({"contract": contract} if contract else {})
        verdict, place = ctypes.c_void_p(), ctypes.c_void_p()
        if self.calls.vernier_judge(json.dumps(spec).encode(), json.dumps(options).encode(), named, ctypes.c_size_t(len(made)),
                                    ctypes.byref(verdict), ctypes.byref(place)):
            raise Refused(self.text(place))
        try:
            code = self.calls.vernier_verdict_exit_code(verdict)
            self.calls.vernier_verdict_text(verdict, b"text", ctypes.byref(place))
            return code, self.text(place)
        finally:
            self.calls.vernier_verdict_free(verdict)
