"""llama-cpp-python: the rotations of its own ggml, in graphs of one node."""

import ctypes
import os
import re

import numpy

from .._asked import Subject, Trial, Unjudged, folder_of
from . import _arrays
from ._formulas import COS_SIN, DIM, rope, scaled
from ._sources import reason

DISTRIBUTION = "llama_cpp_python"

_FOLDER = os.path.join(folder_of("llama_cpp"), "lib")
_base, _cpu = [ctypes.CDLL(os.path.join(_FOLDER, f"libggml-{part}.so")) for part in ("base", "cpu")]
_NEOX, _MROPE, _IMROPE, _VISION = 2, 8, 40, 24  # ggml.h, GGML_ROPE_TYPE_...
_TYPES = {"float32": 0, "float16": 1, "int32": 26}  # ggml.h, enum ggml_type
_UNASKED = ((r"corr_dims|set_offset", "it computes no encoding: it sets what ggml_rope_ext computes"),
            (r"soft_max", "no adapter yet: its slopes of ALiBi stay within a softmax"))


def subjects():
    with open(os.path.join(_FOLDER, "libggml-base.so"), "rb") as library:
        names = set(re.findall(rb"\0(ggml_(?:rope|timestep_embedding|soft_max_ext)\w*)(?=\0)", library.read()))
    file = "llama_cpp/lib/libggml-base.so"
    return [Subject(name, file, 1, "rotary", reason(name, _UNASKED)) for name in sorted(map(bytes.decode, names))]


def trials(subject, dtypes):
    name = subject.name
    if name == "ggml_timestep_embedding":
        times = numpy.linspace(0, 999, 128, dtype=numpy.float32)
        roles = {"encoding": _computed(name, (128, 320), "float32", times, 320, 10000), "positions": times}
        yield Trial("dim 320, max_period 10000, float32", {**COS_SIN, "d_model": 320}, roles, source="formula")
        return
    for what, spec, at, options in _on_axes() if "multi" in name else _in_line(name):
        for dtype in _arrays.formats(dtypes if "back" not in name else ()):
            # ggml multiplies the phase of a pair by one float32 number to get the next's: ggml-cpu/ops.cpp, ggml_rope_cache_init.
            rotate = lambda given: _rotated(name, given, at, **options)
            trial = _arrays.vectors(what, spec, rotate, at, dtype, contract="float32-iterated")
            if "back" in name:  # takes the gradient of the result and returns that of the input
                given, answered, _ = trial.tensors.values()
                trial.tensors = {"output_gradient": given, "input_gradient": answered, "positions": at}
            yield trial


def _in_line(name):
    context, layout = 1 << 15, "interleaved"
    ways = [("mode 0", rope(layout), {}), ("mode NEOX", rope(), {"mode": _NEOX}),
            ("a part of a head", rope(rotary_dim=24), {"mode": _NEOX, "width": 24})]
    if name not in ("ggml_rope", "ggml_rope_inplace"):
        yarn = {"freq_scale": 0.25, "n_ctx_orig": 4096}
        scaling = {"factor": 4, "original_max_position_embeddings": 4096}
        ways += [("freq_base 500000", rope(layout, 500000), {"freq_base": 500000.0}),
                 ("freq_scale 1/4", scaled("linear", layout, factor=4), {"freq_scale": 0.25}),
                 ("ext_factor 1", scaled("yarn", layout, **scaling), {**yarn, "ext_factor": 1.0}),
                 ("ext_factor 0.5", scaled("yarn", layout, extrapolation_factor=0.5, **scaling), {**yarn, "ext_factor": 0.5})]
        if "custom" not in name:
            factors = [1 + pair / 16 for pair in range(DIM // 2)]
            spec = scaled("longrope", layout, short_factor=factors, long_factor=factors, attention_factor=1,
                          original_max_position_embeddings=context)
            ways.append(("freq_factors", {**spec, "sequence_length": context}, {"factors": numpy.array(factors, "float32")}))
    return [(what, spec, _arrays.positions(context), options) for what, spec, options in ways]


def _on_axes():
    at = numpy.stack([_arrays.positions(4096) // (axis + 1) for axis in range(3)] + [numpy.zeros(96, numpy.int64)])
    for what, mode in (("mode MROPE", _MROPE), ("mode IMROPE", _IMROPE)):
        spec = scaled("default", mrope_section=[8, 12, 12], mrope_interleaved=mode == _IMROPE, mrope_reading="ggml")
        yield what, spec, at, {"mode": mode, "sections": (8, 12, 12, 0)}
    spec = {"scheme": "axial_rope", "reading": "ggml_vision", "head_dim": DIM, "grid_width": 12}
    yield "mode VISION", spec, numpy.arange(144), {"mode": _VISION, "width": DIM // 2, "sections": (DIM // 4,) * 4}


def _rotated(name, given, at, mode=0, width=DIM, factors=ctypes.c_void_p(), sections=(), n_ctx_orig=0, freq_base=10000.0,
             freq_scale=1.0, ext_factor=0.0):
    """The result of an operator for vectors [heads, rows, width]."""
    if mode == _VISION:  # it takes rows and columns of patches, twice
        at = numpy.stack((at // 12, at % 12) * 2)
    arguments = [given.transpose(1, 0, 2), at.astype(numpy.int32).reshape(-1)]
    if name in ("ggml_rope", "ggml_rope_inplace"):
        arguments += width, mode
    else:
        arguments += [] if "custom" in name else [factors]
        arguments += [width, (ctypes.c_int * 4)(*sections), mode] if sections else [width, mode]
        arguments += n_ctx_orig, *map(ctypes.c_float, (freq_base, freq_scale, ext_factor, 1.0, 32.0, 1.0))
    heads, rows, columns = given.shape
    return _computed(name, (rows, heads, columns), given.dtype.name, *arguments).transpose(1, 0, 2)


class _Parameters(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


def _computed(name, shape, dtype, *arguments):
    """The result of an operator, as the one node of a graph. Arrays among its arguments become tensors."""
    context = _pointer("ggml_init", _Parameters(64 << 20, None, False))
    result = _pointer(name, context, *[_tensor(context, one) if isinstance(one, numpy.ndarray) else one for one in arguments])
    graph = _pointer("ggml_new_graph", context)
    _base.ggml_build_forward_expand(graph, result)
    if _cpu.ggml_graph_compute_with_ctx(context, graph, 1) != 0:
        raise Unjudged("ggml_graph_compute_with_ctx failed")
    answer = numpy.empty(shape, dtype)
    ctypes.memmove(answer.ctypes.data, _pointer("ggml_get_data", result), answer.nbytes)
    _base.ggml_free(context)
    return answer


def _tensor(context, array):
    array = numpy.ascontiguousarray(array)
    sizes = map(ctypes.c_int64, (array.shape[::-1] + (1, 1, 1, 1))[:4])
    made = _pointer("ggml_new_tensor_4d", context, _TYPES[array.dtype.name], *sizes)
    ctypes.memmove(_pointer("ggml_get_data", made), array.ctypes.data, array.nbytes)
    return made


def _pointer(name, *arguments):
    function = getattr(_base, name)
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*arguments))
