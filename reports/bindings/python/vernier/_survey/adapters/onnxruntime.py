"""ONNX Runtime: its operators with a rotation, in models of one node. They take correctly rounded cosines and sines."""

import os

import numpy
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state

from .._asked import Subject, Unjudged, folder_of
from ._arrays import caches, formats, positions, vectors
from ._asking import named
from ._formulas import DIM, LAYOUTS, rope, scaled

_ROWS, _HEADS = 8192, 2


def subjects():
    file = os.path.relpath(state.__file__, os.path.dirname(folder_of("onnxruntime")))
    on_cpu = {(one.domain, one.op_name) for one in state.get_all_opkernel_def() if one.provider == "CPUExecutionProvider"}
    found = {(one.domain, one.name) for one in state.get_all_operator_schema()
             if "Rotary" in one.name or "RelativePosition" in one.name or "do_rotary" in one.attributes}
    why = lambda key: None if key in on_cpu else "its kernels run on a GPU alone"
    return [Subject(f"{key[0] or 'ai.onnx'}.{key[1]}", file, 1, "rotary", why(key)) for key in sorted(found)]


def trials(subject, dtypes):
    domain, _, name = subject.name.rpartition(".")
    ask = {"RotaryEmbedding": _rotary, "MRotaryEmbedding": _multimodal, "GroupQueryAttention": _keys}.get(name)
    if ask is None:
        raise Unjudged("no adapter yet: it returns attention, and rotated keys in a cache at most")
    for dtype in formats(dtypes):
        yield from ask(domain.replace("ai.onnx", ""), dtype)


def _rotary(domain, dtype):
    """Pairs side by side or half a head apart, of all of it or of a part."""
    at = positions(_ROWS)
    for interleaved, layout in enumerate(LAYOUTS):
        for width, partial in ((DIM, {}), (24, {"rotary_embedding_dim": 24, "num_heads": _HEADS})):
            tables, attributes = caches(_ROWS, width // 2, dtype), {"interleaved": interleaved, **partial}
            inputs = (at[None], *tables) if domain else (*tables, at[None])
            rotate = lambda given: _run("RotaryEmbedding", domain, attributes, given[None], *inputs)[0]
            yield vectors(named(attributes), rope(layout, rotary_dim=width), rotate, at, dtype)


def _multimodal(domain, dtype):
    at, section = numpy.stack([positions(_ROWS) // (axis + 1) for axis in range(3)]), [8, 12, 12]
    for interleaved in (0, 1):
        attributes = {"mrope_section": section, "mrope_layout": interleaved}
        spec = scaled("default", mrope_section=section, mrope_interleaved=bool(interleaved))
        inputs = at[:, None], *caches(_ROWS, DIM // 2, dtype)
        rotate = lambda given: _run("MRotaryEmbedding", domain, attributes, given[None], *inputs)[0]
        yield vectors(named(attributes), spec, rotate, at, dtype)


def _keys(domain, dtype):
    """Keys that a prompt leaves in the cache, from position 0 on."""
    rows, past = 512, numpy.zeros((1, _HEADS, 0, DIM), dtype)
    lengths = numpy.array([rows - 1], numpy.int32), numpy.array(rows, numpy.int32)

    def rotate(given):
        flat = given.transpose(1, 0, 2).reshape(1, rows, -1)
        attributes = {"num_heads": _HEADS, "kv_num_heads": _HEADS, "do_rotary": 1, "rotary_interleaved": interleaved}
        inputs = flat, flat, flat, past, past, *lengths, *caches(_ROWS, DIM // 2, dtype)
        return _run("GroupQueryAttention", domain, attributes, *inputs, outputs=("output", "keys", "values"))[0]

    for interleaved, layout in enumerate(LAYOUTS):
        yield vectors(f"keys of its cache, rotary_interleaved {interleaved}", rope(layout), rotate, numpy.arange(rows), dtype)


def _run(operator, domain, attributes, *inputs, outputs=("output",)):
    """An output of a model of one node: its keys if it has any."""
    try:
        from onnx import helper
    except ImportError as error:
        raise Unjudged("its models are built with onnx, which is not installed") from error
    inputs = {f"input{index}": one for index, one in enumerate(inputs)}
    kinds = {name: helper.np_dtype_to_tensor_dtype(one.dtype) for name, one in inputs.items()}
    graph = helper.make_graph(
        [helper.make_node(operator, list(inputs), outputs, domain=domain, **attributes)], "one",
        [helper.make_tensor_value_info(name, kinds[name], one.shape) for name, one in inputs.items()],
        [helper.make_tensor_value_info(name, kinds["input0"], None) for name in outputs])
    opsets = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run([outputs[len(outputs) // 2]], inputs)[0]
