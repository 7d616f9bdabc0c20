"""Specs of rotations and sinusoids that many libraries have. Rows of adapters name them."""

DIM, AXES, ROWS = 64, (16, 24, 24), 4096
VIDEO, IMAGE = (3, 6, 8), (9, 14)  # places along each axis
WIDTHS = ({"d_model": DIM}, {"d_model": 320})
# ALiBi's: a power of two, and not.
HEADS = ({"num_heads": 8}, {"num_heads": 12})
LAYOUTS = ("half", "interleaved")  # of a library's argument, 0 or 1


def rope(layout="half", theta=10000, **keys):
    return {"scheme": "rope", "head_dim": DIM, "rope_theta": theta, "layout": layout, **keys}


def scaled(rope_type, layout="half", **keys):
    return rope(layout, rope_scaling={"rope_type": rope_type, **keys})


def longrope(length, factor, context):
    """A spec of longrope for a text of this length, its short factors and its long ones."""
    short, long = [[1 + step * pair / 32 for pair in range(DIM // 2)] for step in (1, 8)]
    spec = scaled("longrope", short_factor=short, long_factor=long, factor=factor, original_max_position_embeddings=4096)
    return {**spec, "max_position_embeddings": context, "sequence_length": length}, short, long


def axial(dims, layout="interleaved", theta=10000, **keys):
    axes = [axis if isinstance(axis, dict) else {"dims": axis} for axis in dims]
    return {"scheme": "axial_rope", "head_dim": sum(axis["dims"] for axis in axes), "rope_theta": theta, "layout": layout,
            "axes": axes, **keys}


def centred(lengths=IMAGE, **keys):
    """Axes of the centres of places in [-1, 1]."""
    return [{"dims": DIM // 2, "position_scale": f"2/{n}", "position_offset": f"{1 - n}/{n}", **keys} for n in lengths]


def pixels(frequency, last):
    """A spec of places from -1 to 1, both included, with frequencies from pi on."""
    bounds = {"dims": DIM // 2, "frequency": frequency, "first": "pi", "last": last, "position_offset": -1}
    return axial([{**bounds, "position_scale": f"2/{n - 1}"} for n in IMAGE])


def mixed(frequencies, **keys):
    return {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": DIM, "layout": "interleaved",
            "frequencies": frequencies.tolist(), "frequencies_dtype": "float32", **keys}


def sinusoid(layout="halves", **keys):
    return {"scheme": "sinusoidal", "d_model": DIM, "layout": layout, **keys}


def sinusoids(*axes, lengths=IMAGE, **keys):
    """A spec of a block of columns for each axis of a grid. axes: their keys."""
    return {"scheme": "sinusoidal", "axes": list(axes), "grid": list(lengths[1:]), **keys}


def features(weights, **keys):
    """A spec of random frequencies of each axis, in turns."""
    return {"scheme": "fourier_features", "frequencies": weights, "frequencies_dtype": "float32", "frequency_scale": "2pi",
            **keys}


COS_SIN = sinusoid(order="cos_sin")
SHIFTED = sinusoid(downscale_freq_shift=1)  # Tensor2Tensor: the last frequency is 1/10000
