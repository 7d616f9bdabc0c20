"""ONNX Runtime: its operators with a rotation, in models of one node. Cosines and sines are inputs: they are given correctly rounded."""

import os

from .._asked import Subject, Unjudged, folder_of
from . import _arrays

LIBRARY = DISTRIBUTION = "onnxruntime"
PRELOAD = ()

_DIM, _ROWS, _HEADS, _SECTION = 64, 8192, 2, (8, 12, 12)


def subjects():
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    file = os.path.relpath(state.__file__, os.path.dirname(folder_of(LIBRARY)))
    on_cpu = {(one.domain, one.op_name) for one in state.get_all_opkernel_def() if one.provider == "CPUExecutionProvider"}
    found = {}
    for one in state.get_all_operator_schema():
        key = (one.domain, one.name)
        if "Rotary" in one.name or "RelativePosition" in one.name or "do_rotary" in one.attributes:
            why = None if key in on_cpu else "its kernels run on a GPU alone"
            found[key] = Subject(f"{one.domain or 'ai.onnx'}.{one.name}", file, 1, "rotary", why)
    return [found[key] for key in sorted(found)]


def trials(subject, dtypes):
    asked = {"ai.onnx.RotaryEmbedding": _standard, "com.microsoft.RotaryEmbedding": _contributed,
             "com.microsoft.MRotaryEmbedding": _multimodal, "com.microsoft.GroupQueryAttention": _keys}
    if subject.name not in asked:
        raise Unjudged("no adapter yet: it returns attention, and rotated keys in a cache at most")
    for dtype in ("float32", "float16") if "bfloat16" in dtypes else ("float32",):
        yield from asked[subject.name](dtype)


def _ways():
    """Attributes of both forms of the operator, and what they mean: pairs side by side or half a head apart, of all of it or of a part."""
    for interleaved in (0, 1):
        for turned in (_DIM, 24):
            spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved" if interleaved else "half"}
            partial = {"rotary_embedding_dim": turned} if turned < _DIM else {}
            yield turned, {"interleaved": interleaved, **partial}, {**spec, **({"rotary_dim": turned} if partial else {})}


def _standard(dtype):
    at = _arrays.positions(_ROWS)
    for turned, attributes, spec in _ways():
        rotate = lambda given: _run("RotaryEmbedding", "", attributes, given[None], *_arrays.caches(_ROWS, turned // 2, dtype), at[None])[0]
        yield _arrays.vectors(_told(attributes), spec, rotate, at, dtype)


def _contributed(dtype):
    at = _arrays.positions(_ROWS)
    for turned, attributes, spec in _ways():
        given = {**attributes, **({"num_heads": _HEADS} if turned < _DIM else {})}
        rotate = lambda vector: _run("RotaryEmbedding", "com.microsoft", given, vector[None], at[None], *_arrays.caches(_ROWS, turned // 2, dtype))[0]
        yield _arrays.vectors(_told(attributes), spec, rotate, at, dtype)


def _multimodal(dtype):
    import numpy

    at = numpy.stack([_arrays.positions(_ROWS) // (axis + 1) for axis in range(3)])
    for interleaved in (0, 1):
        attributes = {"mrope_section": list(_SECTION), "mrope_layout": interleaved}
        scaling = {"rope_type": "default", "mrope_section": list(_SECTION), "mrope_interleaved": bool(interleaved)}
        rotate = lambda vector: _run("MRotaryEmbedding", "com.microsoft", attributes, vector[None], at[:, None], *_arrays.caches(_ROWS, _DIM // 2, dtype))[0]
        yield _arrays.vectors(_told(attributes), {"scheme": "rope", "head_dim": _DIM, "rope_scaling": scaling}, rotate, at, dtype)


def _keys(dtype):
    """Keys that a prompt leaves in the cache, from position 0 on."""
    import numpy

    rows = 512
    at = numpy.arange(rows)

    def rotate(vector):
        flat = vector.transpose(1, 0, 2).reshape(1, rows, -1)
        past = numpy.zeros((1, _HEADS, 0, _DIM), dtype)
        lengths = numpy.array([rows - 1], numpy.int32), numpy.array(rows, numpy.int32)
        attributes = {"num_heads": _HEADS, "kv_num_heads": _HEADS, "do_rotary": 1, "rotary_interleaved": interleaved}
        return _run("GroupQueryAttention", "com.microsoft", attributes, flat, flat, flat, past, past, *lengths, *_arrays.caches(_ROWS, _DIM // 2, dtype), output=1)[0]

    for interleaved in (0, 1):
        spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved" if interleaved else "half"}
        yield _arrays.vectors(f"keys of its cache, rotary_interleaved {interleaved}", spec, rotate, at, dtype)


def _told(attributes):
    return ", ".join(f"{name} {value}" for name, value in attributes.items())


def _run(operator, domain, attributes, *inputs, output=0):
    """An output of a model of one node."""
    try:
        from onnx import helper
    except ImportError as error:
        raise Unjudged("its models are built with onnx, which is not installed") from error
    import onnxruntime

    kind = helper.np_dtype_to_tensor_dtype(inputs[0].dtype)
    names = [f"input{index}" for index in range(len(inputs))]
    outputs = [f"output{index}" for index in range(3 if output else 1)]
    node = helper.make_node(operator, names, outputs, domain=domain, **attributes)
    given = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(one.dtype), one.shape) for name, one in zip(names, inputs)]
    graph = helper.make_graph([node], "one", given, [helper.make_tensor_value_info(name, kind, None) for name in outputs])
    opsets = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run([outputs[output]], dict(zip(names, inputs)))[0]
