"""llama-cpp-python: the rotations of its own ggml, in graphs of one node."""

import ctypes
import os
import re

from .._asked import Subject, Trial, Unjudged, folder_of
from . import _arrays

LIBRARY = "llama_cpp"
DISTRIBUTION = "llama_cpp_python"
PRELOAD = ()

_DIM, _CONTEXT, _HEADS = 64, 1 << 15, 2
_NORM, _NEOX, _MROPE, _IMROPE, _VISION = 0, 2, 8, 40, 24  # ggml.h, GGML_ROPE_TYPE_...
_TYPES = {"float32": 0, "float16": 1, "int32": 26}  # ggml.h, enum ggml_type
# ggml multiplies the phase of a pair by one float32 number to get that of the next: ggml-cpu/ops.cpp, ggml_rope_cache_init.
_ITERATED = {"contract": "float32-iterated"}
_YARN = {"freq_scale": 0.25, "ext_factor": 1.0, "n_ctx_orig": 4096}


def subjects():
    file = os.path.join(LIBRARY, "lib", "libggml-base.so")
    with open(os.path.join(folder_of(LIBRARY), "lib", "libggml-base.so"), "rb") as library:
        names = set(re.findall(rb"\0(ggml_(?:rope|timestep_embedding|soft_max_ext)\w*)(?=\0)", library.read()))
    return [Subject(name, file, 1, "rotary", _why(name)) for name in sorted(one.decode() for one in names)]


def _why(name):
    if "corr_dims" in name or "set_offset" in name:
        return "it computes no encoding: it sets what ggml_rope_ext computes"
    return "no adapter yet: its slopes of ALiBi stay within a softmax" if "soft_max" in name else None


def trials(subject, dtypes):
    ggml = _Ggml()
    if subject.name == "ggml_timestep_embedding":
        return _timesteps(ggml)
    if "multi" in subject.name:
        return _several_axes(ggml, subject.name)
    return _one_axis(ggml, subject.name, ("float32", "float16") if "bfloat16" in dtypes else ("float32",))


def _one_axis(ggml, name, dtypes):
    spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved"}
    halves, scaling = {**spec, "layout": "half"}, {"factor": 4, "original_max_position_embeddings": 4096}
    factors = [1 + pair / 16 for pair in range(_DIM // 2)]
    ways = [("mode 0", {}, spec), ("mode NEOX", {"mode": _NEOX}, halves),
            ("a part of a head", {"mode": _NEOX, "turned": 24}, {**halves, "rotary_dim": 24})]
    if name not in ("ggml_rope", "ggml_rope_inplace"):
        longer = {"rope_type": "longrope", "short_factor": factors, "long_factor": factors, "attention_factor": 1,
                  "original_max_position_embeddings": _CONTEXT}
        ways += [
            ("freq_base 500000", {"freq_base": 500000.0}, {**spec, "rope_theta": 500000}),
            ("freq_scale 1/4", {"freq_scale": 0.25}, {**spec, "rope_scaling": {"rope_type": "linear", "factor": 4}}),
            ("ext_factor 1", _YARN, {**spec, "rope_scaling": {"rope_type": "yarn", **scaling}}),
            ("ext_factor 0.5", {**_YARN, "ext_factor": 0.5},
             {**spec, "rope_scaling": {"rope_type": "yarn", **scaling, "extrapolation_factor": 0.5}}),
        ]
        if "custom" not in name:
            ways.append(("freq_factors", {"factors": factors}, {**spec, "rope_scaling": longer, "sequence_length": _CONTEXT}))
    at = _arrays.positions(_CONTEXT)
    for what, options, meant in ways:
        for dtype in dtypes:
            if "back" in name and dtype != "float32":
                continue
            yield _of_roles(name, _arrays.vectors(what, meant, lambda given: ggml.rotated(name, given, at, **options), at, dtype, **_ITERATED))


def _several_axes(ggml, name):
    import numpy

    at = numpy.stack([_arrays.positions(4096) // (axis + 1) for axis in range(3)] + [numpy.zeros(96, numpy.int64)])
    for what, mode, interleaved in (("mode MROPE", _MROPE, False), ("mode IMROPE", _IMROPE, True)):
        scaling = {"rope_type": "default", "mrope_section": [8, 12, 12], "mrope_interleaved": interleaved, "mrope_reading": "ggml"}
        rotate = lambda given: ggml.rotated(name, given, at, mode=mode, sections=(8, 12, 12, 0))
        yield _of_roles(name, _arrays.vectors(what, {"scheme": "rope", "head_dim": _DIM, "rope_scaling": scaling}, rotate, at, **_ITERATED))
    width = 12
    patches = numpy.arange(width * width)
    axes = numpy.stack((patches // width, patches % width, patches // width, patches % width))
    quarter = _DIM // 4
    rotate = lambda given: ggml.rotated(name, given, axes, mode=_VISION, turned=_DIM // 2, sections=(quarter,) * 4)
    spec = {"scheme": "axial_rope", "reading": "ggml_vision", "head_dim": _DIM, "grid_width": width}
    yield _of_roles(name, _arrays.vectors("mode VISION", spec, rotate, patches, **_ITERATED))


def _of_roles(name, trial):
    """Operators named _back take the gradient of the result and return that of the input."""
    if "back" in name:
        trial.tensors["output_gradient"], trial.tensors["input_gradient"] = trial.tensors.pop("input"), trial.tensors.pop("rotated")
    return trial


def _timesteps(ggml):
    import numpy

    times = numpy.linspace(0, 999, 128, dtype=numpy.float32)
    spec = {"scheme": "sinusoidal", "d_model": 320, "layout": "halves", "order": "cos_sin", "downscale_freq_shift": 0}
    answer = ggml.computed(lambda context: ggml.base.ggml_timestep_embedding(context, ggml.tensor(context, times), 320, 10000), (128, 320), "float32")
    yield Trial("dim 320, max_period 10000, float32", spec, {"encoding": answer, "positions": times}, source="formula")


class _Ggml:
    def __init__(self):
        folder = os.path.join(folder_of(LIBRARY), "lib")
        try:
            self.base, self._cpu = [ctypes.CDLL(os.path.join(folder, f"libggml-{part}.so")) for part in ("base", "cpu")]
        except OSError as error:
            raise Unjudged(f"its ggml cannot be loaded ({error})") from error
        for function in ("ggml_init", "ggml_new_graph", "ggml_new_tensor_4d", "ggml_get_data", "ggml_timestep_embedding"):
            getattr(self.base, function).restype = ctypes.c_void_p

    def rotated(self, name, given, at, mode=_NORM, turned=_DIM, factors=None, sections=None, n_ctx_orig=0, freq_base=10000.0,
                freq_scale=1.0, ext_factor=0.0):
        """The result of an operator for vectors [heads, rows, width]."""
        import numpy

        floats = [ctypes.c_float(one) for one in (freq_base, freq_scale, ext_factor, 1.0, 32.0, 1.0)]

        def node(context):
            a = self.tensor(context, given.transpose(1, 0, 2))
            b = self.tensor(context, at.astype(numpy.int32).reshape(-1))
            c = self.tensor(context, numpy.array(factors, numpy.float32)) if factors else ctypes.c_void_p()
            function = getattr(self.base, name)
            function.restype = ctypes.c_void_p
            if sections:
                return function(context, a, b, c, turned, (ctypes.c_int * 4)(*sections), mode, n_ctx_orig, *floats)
            if name in ("ggml_rope", "ggml_rope_inplace"):
                return function(context, a, b, turned, mode)
            return function(context, a, b, *(() if "custom" in name else (c,)), turned, mode, n_ctx_orig, *floats)

        heads, rows, width = given.shape
        return self.computed(node, (rows, heads, width), given.dtype.name).transpose(1, 0, 2)

    def tensor(self, context, array):
        import numpy

        array = numpy.ascontiguousarray(array)
        sizes = [ctypes.c_int64(one) for one in (array.shape[::-1] + (1, 1, 1, 1))[:4]]
        made = ctypes.c_void_p(self.base.ggml_new_tensor_4d(context, _TYPES[array.dtype.name], *sizes))
        ctypes.memmove(self.base.ggml_get_data(made), array.ctypes.data, array.nbytes)
        return made

    def computed(self, node, shape, dtype):
        import numpy

        class Parameters(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]

        context = ctypes.c_void_p(self.base.ggml_init(Parameters(64 << 20, None, False)))
        result = ctypes.c_void_p(node(context))
        graph = ctypes.c_void_p(self.base.ggml_new_graph(context))
        self.base.ggml_build_forward_expand(graph, result)
        if self._cpu.ggml_graph_compute_with_ctx(context, graph, 1) != 0:
            raise Unjudged("ggml_graph_compute_with_ctx failed")
        answer = numpy.empty(shape, dtype)
        ctypes.memmove(answer.ctypes.data, self.base.ggml_get_data(result), answer.nbytes)
        self.base.ggml_free(context)
        return answer
