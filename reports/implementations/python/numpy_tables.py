"""The sinusoidal table and RoPE in NumPy, all of it in the type that is wanted. With the argument `baseline`
by the functions that NumPy has on every processor, not by those for AVX-512."""

import os
import sys

from exchange import Unsupported, answer


if sys.argv[1:] == ["baseline"]:
    os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX512F AVX512CD AVX512_SKX AVX512_CLX"


def phases_of(positions, width, base, dtype):
    import numpy

    exponents = numpy.arange(0, width, 2, dtype=dtype) / dtype(width)
    return numpy.outer(positions.astype(dtype), dtype(1) / dtype(base) ** exponents)


def sinusoidal(request, positions, dtype):
    import numpy

    request.require(
        layout=["interleaved"], order=["sin_cos"], frequency=["paper"], padding_idx=[None], scale=[1]
    )
    width = request.spec["d_model"]
    phases = phases_of(positions, width, request.spec["base"], dtype)
    table = numpy.zeros((len(positions), width), dtype)
    table[:, 0::2] = numpy.sin(phases)
    table[:, 1::2] = numpy.cos(phases)[:, : width // 2]
    return {"encoding": table}


def rotated(vectors, cosines, sines):
    import numpy

    first, second = numpy.split(vectors, 2, axis=-1)
    return numpy.concatenate((first * cosines - second * sines, first * sines + second * cosines), axis=-1)


def rope(request, positions, dtype, vectors):
    import numpy

    request.require(layout=["half"], direction=["counterclockwise"], rope_scaling=[None], partial_rotary_factor=[None, 1])
    phases = phases_of(positions, request.spec["head_dim"], request.spec["rope_theta"], dtype)
    result = {"cos": numpy.cos(phases), "sin": numpy.sin(phases)}
    if vectors is not None:
        result["rotated"] = rotated(vectors, result["cos"], result["sin"])
    return result


def compute(request):
    import numpy

    types = {wanted["dtype"] for wanted in request.wanted}
    if len(types) != 1 or not types <= {"float32", "float64"}:
        raise Unsupported(f"types {sorted(types)}")
    dtype = numpy.dtype(types.pop()).type
    arrays = {
        name: numpy.frombuffer(data, numpy.dtype(kind)).reshape(shape)
        for name, (kind, shape, data) in request.tensors.items()
    }
    scheme = request.spec["scheme"]
    if scheme == "sinusoidal":
        computed = sinusoidal(request, arrays["positions"], dtype)
    elif scheme == "rope":
        computed = rope(request, arrays["positions"], dtype, arrays.get("input"))
    else:
        raise Unsupported(f"scheme {scheme!r}")
    tensors = {}
    for wanted in request.wanted:
        array = computed[wanted["role"]]
        if array.shape[-1] * 2 == wanted["shape"][-1]:
            array = numpy.concatenate((array, array), axis=-1)
        tensors[wanted["role"]] = (wanted["dtype"], array.shape, array.tobytes())
    return f"NumPy {numpy.__version__}", tensors


answer(compute)
