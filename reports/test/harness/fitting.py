"""Makes the keys of a drawn spec go together: what a rule reads, lists of one length, even widths, frequencies between bounds."""

import math

import token_positions

# Sizes that make a table wide are drawn small; the ranges are the schema's.
SIZES = {"d_model": 20, "head_dim": 24, "dims": 12, "bits": 40, "num_heads": 20, "num_positions": 24, "num_buckets": 200, "grid": 9, "pool": 4,
         "identity_front": 6, "identity_back": 6, "window": 4, "pretrained_window": 12, "from": 7, "to": 9, "num_layers": 90, "zero_prefix": 3,
         "text": 40, "image": 8, "video": 8, "audio": 20, "spatial_merge_size": 3, "temporal_merge_size": 3, "left_padding": 3, "shift": 3,
         "ranks": 4, "block": 3, "bucket_size": 512, "max_position": 4096, "max_distance": 4096, "seconds_per_chunk": 9,
         "tokens_per_second": 60, "scale": 6, "frequencies": 6}


def has_pi(value):
    return isinstance(value, str) and "pi" in value


def fit_places(draw, spec):
    """An offset has pi if the scale has."""
    if "position_offset" in spec and has_pi(spec["position_offset"]) != has_pi(spec.get("position_scale", 1)):
        spec["position_offset"] = "pi/3" if has_pi(spec.get("position_scale")) else "-2/7"
    if has_pi(spec.get("first")) != has_pi(spec.get("last")) and "first" in spec:
        spec["first"], spec["last"] = draw.one([(1, 0.01), ("pi/2", "500pi"), ("1/3", 7)])


def even(n, least=2):
    return max(n + n % 2, least)


def only(spec, key, is_read):
    if not is_read:
        spec.pop(key, None)


def fit_sinusoid(draw, style, width_key):
    ranged = style.get("frequency") in ("geometric", "linear")
    for key in ("first", "last"):
        if ranged and key not in style:
            style[key] = draw.one([1, 0.25, 1e-4, "1/3", 512])
        only(style, key, ranged)
    if style.get("frequency") in ("tensor2tensor", "geometric", "linear"):
        style.pop("downscale_freq_shift", None)
    if "downscale_freq_shift" in style:
        style["downscale_freq_shift"] = draw.one([0, 1, 0.5, "1/3"])
        style[width_key] = max(style[width_key], 4)
    if style.get("frequency") == "tensor2tensor":
        style[width_key] = even(style[width_key], 4)
    only(style, "base", not ranged)
    if style.get("frequency") == "tensor2tensor" or "downscale_freq_shift" in style:
        style.pop("odd_width", None)
    if ranged and style[width_key] < 3:
        style["last"] = style["first"]


def fit_sinusoidal(draw, spec):
    fit_sinusoid(draw, spec, "d_model")
    if "padding_idx" in spec:
        spec["padding_idx"] = draw.random.randint(-3, 12)
    if "first_position" in spec:
        spec["first_position"] = draw.random.randint(-1000, 1000)


def fit_axes_common(draw, spec, count):
    if "grid" in spec:
        spec["grid"] = [draw.random.randint(1, SIZES["grid"]) for _ in range(count - 1)]
        only(spec, "grid", count > 1)


def fit_sinusoidal_with_axes(draw, spec):
    for axis in spec["axes"]:
        fit_sinusoid(draw, axis, "dims")
    if spec.get("axes_layout", "per_axis") != "per_axis":
        spec.pop("layout", None)
        dims = even(spec["axes"][0]["dims"])
        for axis in spec["axes"]:
            axis.pop("layout", None), axis.pop("order", None), axis.pop("odd_width", None)
            axis["dims"] = dims if spec["axes_layout"] == "by_frequency" else even(axis["dims"])
            fit_sinusoid(draw, axis, "dims")
        only(spec, "grid", spec["axes_layout"] == "across")
    only(spec, "base", any(axis.get("frequency") not in ("geometric", "linear") for axis in spec["axes"]))
    if spec.get("zero_prefix") or "grid" in spec:
        spec.pop("position_unit", None)
    if "block_order" in spec:
        spec["block_order"] = draw.random.sample(range(len(spec["axes"])), len(spec["axes"]))
    fit_axes_common(draw, spec, len(spec["axes"]))
    if "d_model" in spec:
        width = sum(axis["dims"] for axis in spec["axes"])
        spec["d_model"] = draw.random.randint(max(1, width - min(spec["axes"][-1]["dims"], 2) + 1), width)


def fit_scaling(draw, spec, scaling, pairs, form):
    """Keys that the rule reads, and no others."""
    kind = scaling["rope_type"]
    reads = {"default": [], "linear": ["factor"], "ntk": ["alpha"], "dynamic": ["factor", "original_max_position_embeddings"],
             "dynamic_qwen": ["original_max_position_embeddings"], "ntk_by_parts": ["factor", "original_max_position_embeddings"],
             "longrope": ["short_factor", "long_factor", "original_max_position_embeddings", "factor"],
             "llama3": ["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"], "proportional": ["factor"],
             "riflex": ["pair", "length"], "ntk_mixed": ["factor"], "yarn": ["factor", "original_max_position_embeddings"]}[kind]
    may = {"yarn": ["clamp", "mscale", "mscale_all_dim", "attention_factor", "extrapolation_factor", "beta_fast", "beta_slow", "truncate"],
           "longrope": ["attention_factor", "short_mscale", "long_mscale"], "ntk_mixed": ["mixed_b"]}.get(kind, [])
    for key in [*scaling]:
        if key not in ("rope_type", *reads, *may):
            del scaling[key]
    for key in reads:
        if key not in scaling:
            scaling[key] = draw.value(key, form["properties"][key])
    if "factor" in scaling:
        scaling["factor"] = draw.one([1, 2, 4, 8, 40, 1.5, 2.5, 32.0, 1000])
    if "original_max_position_embeddings" in scaling:
        scaling["original_max_position_embeddings"] = draw.one([2, 100, 2048, 4096, 8192, 32768, 131072, 12345])
    for key in ("short_factor", "long_factor"):
        if key in scaling:
            scaling[key] = [draw.random.randint(4, 400) / 4 if draw.chance(0.8) else 0.3 for _ in range(pairs)]
    if "pair" in scaling:
        scaling["pair"] = draw.random.randrange(pairs)
    if kind == "llama3":
        low = draw.one([1, 0.5, 2])
        scaling["low_freq_factor"], scaling["high_freq_factor"] = low, low * draw.one([2, 4, 32])
    if kind == "yarn":
        for key, ways in {"beta_fast": [32, 16, 64, 32.5], "beta_slow": [1, 2, 0.5], "mscale": [1, 0.707, 0, 2], "mscale_all_dim": [1, 0.707, 0.5, 0],
                          "attention_factor": [1, 0.5, 1.25], "extrapolation_factor": [1, 0.5, 0, 2]}.items():
            if key in scaling:
                scaling[key] = draw.one(ways)
    if kind == "dynamic_qwen" or kind == "dynamic":
        spec.setdefault("sequence_length", draw.one([1, 4096, 8192, 10000, 32768, 200000, 16384]))
    if kind == "longrope":
        spec.setdefault("sequence_length", draw.one([1, 4096, 200000]))


def fit_rope(draw, spec):
    spec["head_dim"] = even(spec["head_dim"], 4)
    if "rope_scaling" not in spec and draw.chance(0.4):
        spec["rope_scaling"] = draw.value("rope_scaling", draw.forms["rope"]["properties"]["rope_scaling"])
    scaling = spec.get("rope_scaling")
    only(spec, "partial_rotary_factor", "rotary_dim" not in spec)
    if "rotary_dim" in spec:
        spec["rotary_dim"] = even(draw.random.randint(2, spec["head_dim"]))
    if "partial_rotary_factor" in spec:
        spec["partial_rotary_factor"] = draw.one([1, 0.5, 0.25, 0.75])
        if spec["head_dim"] * spec["partial_rotary_factor"] % 2:
            spec["head_dim"] *= 4
    rotating = spec.get("rotary_dim") or int(spec["head_dim"] * spec.get("partial_rotary_factor", 1))
    if "rotary_offset" in spec:
        spec["rotary_offset"] = draw.random.randint(0, spec["head_dim"] - rotating)
    if scaling:
        if scaling["rope_type"] == "proportional":
            spec.pop("rotary_dim", None), spec.pop("rotary_offset", None)
        fit_scaling(draw, spec, scaling, rotating // 2, draw.forms["rope"]["properties"]["rope_scaling"]["anyOf"][0])


def fit_axial_rope(draw, spec):
    spec["head_dim"] = max(spec["head_dim"] // 4, 1) * 4
    spec["grid_width"] = draw.random.randint(1, 40)


def fit_axial_rope_with_axes(draw, spec):
    bare = draw.chance(0.5)
    form = draw.forms["axial_rope_with_axes"]["properties"]["axes"]["items"]["properties"]["rope_scaling"]["anyOf"][0]
    if spec.get("arrangement") == "mixed":
        spec["arrangement"] = "blocks"
    alternates = spec.get("arrangement") == "alternating"
    only(spec, "grid", not alternates)
    if alternates:
        for key in ("layout", "table_layout"):
            only(spec, key, spec.get(key) != "half_per_axis")
    if "table_layout" in spec or "pool" in spec:
        spec.pop("operation", None)
    dims = even(spec["axes"][0]["dims"])
    for axis in spec["axes"]:
        axis["dims"] = dims if alternates else even(axis["dims"])
        ranged = axis.get("frequency") in ("geometric", "linear")
        for key in ("first", "last"):
            if ranged and key not in axis:
                axis[key] = draw.one([1, 0.25, 1e-4, "1/3"])
            only(axis, key, ranged)
        if ranged:
            axis.pop("rope_theta", None), axis.pop("rope_scaling", None)
            if axis["dims"] == 2:
                axis["last"] = axis["first"]
        if bare:
            axis.pop("rope_scaling", None)
        if axis.get("rope_scaling"):
            axis["rope_scaling"]["rope_type"] = draw.one(["default", "linear", "ntk", "ntk_by_parts", "yarn", "llama3", "riflex", "ntk_mixed"])
            fit_scaling(draw, {}, axis["rope_scaling"], axis["dims"] // 2, form)
            axis["rope_scaling"].pop("attention_factor", None), axis["rope_scaling"].pop("mscale", None)
            if axis["rope_scaling"]["rope_type"] == "yarn":
                axis["rope_scaling"]["attention_factor"] = 1
    if "pool" in spec:
        spec["pool"] = [draw.random.randint(1, SIZES["pool"]) for _ in spec["axes"]]
        for axis in spec["axes"]:
            for key in ("rope_scaling", "frequency", "first", "last"):
                axis.pop(key, None)
    fit_axes_common(draw, spec, len(spec["axes"]))
    for key in ("identity_front", "identity_back"):
        if key in spec:
            spec[key] -= spec[key] % 2
    turning = sum(axis["dims"] for axis in spec["axes"]) + spec.get("identity_front", 0) + spec.get("identity_back", 0)
    spec["head_dim"] = turning + draw.one([0, 0, 2, 4])


def fit_frequencies(draw, spec):
    pairs = draw.random.randint(1, 5)
    axes = draw.random.randint(1, 3)
    spec["frequencies"] = [[draw.one([0, 0.5, -1.25, 0.1, "1/3", "-0.37", 3, 1e-5, 12.75, draw.random.gauss(0, 3)]) for _ in range(pairs)] for _ in range(axes)]
    for row in spec["frequencies"]:
        row[:] = [float(f"{x:.9g}") if isinstance(x, float) else x for x in row]
    if "axes" in spec:
        form = draw.forms["fourier_features"]["properties"]["axes"]["anyOf"][0]["items"]
        spec["axes"] = [draw.keys(form, 0.4) for _ in range(axes)]
    if "phases" in spec:
        for axis in spec.get("axes") or []:
            axis.pop("frequency_scale", None)
        spec["phases"] = [draw.value("phases", {"type": "number", "minimum": -100, "maximum": 100}) for _ in range(pairs)]
    fit_axes_common(draw, spec, axes)
    if "grid" in spec:
        spec.pop("position_unit", None)
    if spec["scheme"] == "axial_rope":
        spec["head_dim"] = 2 * pairs
        spec["arrangement"] = "mixed"
        spec.pop("axes", None)


def fit_fourier_sums(draw, spec):
    heads, frequencies, pairs = (draw.random.randint(1, most) for most in (2, 4, 3))
    half = max(pairs, frequencies) + draw.random.randint(0, 2)
    spec["head_dim"], spec["rotary_dim"] = 2 * half, 2 * draw.random.randint(frequencies, half)
    for key in ("cosine_coefficients", "sine_coefficients"):
        spec[key] = [[[float(f"{draw.random.gauss(0, 1):.9g}") for _ in range(pairs)] for _ in range(frequencies)] for _ in range(heads)]


def fit_resampled(draw, spec):
    spec["from"] = [draw.random.randint(1, SIZES["from"]) for _ in range(draw.random.randint(1, 2))]
    spec["to"] = [draw.random.randint(1, SIZES["to"]) for _ in spec["from"]]
    only(spec, "a", spec.get("mode") == "bicubic")
    if "a" in spec:
        spec["a"] = draw.one([-0.5, -0.75, -1, -0.3, 0])
    if spec.get("align_corners"):
        for key in ("scale_factor", "antialias", "border"):
            spec.pop(key, None)
    if spec.get("border") == "left_out":
        spec.pop("antialias", None)
    if "scale_factor" in spec:
        spec["scale_factor"] = [float(f"{(m + draw.one([0, 0.1, 0.3])) / n:.6g}") for n, m in zip(spec["from"], spec["to"])]
    if "values" in spec:
        columns = draw.random.randint(1, 4)
        spec["values"] = [[draw.one([1, -0.5, 0.1, "1/3", 2.25, -7]) for _ in range(columns)] for _ in range(math.prod(spec["from"]))]


def fit_kerple(draw, spec):
    heads = draw.random.randint(1, 5)
    for key in ("scale", "a", "p"):
        if key in spec:
            spec[key] = [draw.one([1, 0.5, 0.1, 2, "1/3", 1.5, 0.75]) for _ in range(heads)]
    only(spec, "a", spec.get("kind", "log") == "log")


def fit_decay(draw, spec):
    spec["num_heads"] = draw.random.randint(1, SIZES["num_heads"])
    only(spec, "variant", spec.get("rule") == "lightning")
    if spec.get("rule") in ("lightning", "transnormer"):
        spec["num_layers"] = draw.random.randint(1, SIZES["num_layers"])
        spec["layer"] = draw.random.randrange(spec["num_layers"])
    else:
        spec.pop("num_layers", None), spec.pop("layer", None)


def fit_query_scale(draw, spec):
    rule = spec.get("rule", "floor_log")
    only(spec, "beta", rule != "log_n")
    only(spec, "training_length", rule != "floor_log")
    only(spec, "floor_scale", rule == "floor_log")
    key = "floor_scale" if rule == "floor_log" else "training_length"
    spec[key] = draw.one([1, 2, 3, 100, 8192, 32768]) + (rule == "log_n")


def fit_t5(draw, spec):
    count = max(spec.get("num_buckets", 32), 4)
    spec["num_buckets"] = even(count, 4) if spec.get("bidirectional", True) else count
    spec["max_distance"] = spec["num_buckets"] + draw.random.randint(1, 3000)


def fit_deberta(draw, spec):
    spec["bucket_size"] = even(spec.get("bucket_size", 256), 4)
    spec["max_position"] = spec["bucket_size"] + draw.random.randint(0, 3000)


def fit_shaw(draw, spec):
    only(spec, "left", "max_relative_position" not in spec)
    only(spec, "right", "max_relative_position" not in spec)
    if "max_relative_position" not in spec:
        spec["left"], spec["right"] = draw.random.randint(0, 70), draw.random.randint(0, 70)


def fit_learned(draw, spec):
    columns = draw.random.randint(1, 4)
    spec["values"] = [[draw.value("values", {"type": "number", "minimum": -1e30, "maximum": 1e30}) for _ in range(columns)] for _ in range(8)]


def fit_frequency_family(draw, spec):
    spec["d_model"] = even(spec["d_model"])
    is_power = spec.get("family") == "power"
    only(spec, "exponent", is_power)
    only(spec, "base", not is_power)
    if is_power:
        spec["exponent"] = draw.one([1, 0.5, 2, 3, 0.1, 10])


def fit_xpos(draw, spec):
    spec["head_dim"] = even(spec["head_dim"])
    spec["scale_base"] = draw.one([512, 100, 1000.5, 64])
    spec["sequence_length"] = draw.random.randint(1, 5000)
    if has_pi(spec.get("frequency_scale")):
        spec["frequency_scale"] = "1/7"


def fit_window(draw, spec):
    sides = draw.random.randint(2, 3) if spec["scheme"] == "window_index" else 2
    least = 1 if spec["scheme"] == "window_index" else 2
    spec["window"] = [draw.random.randint(least, SIZES["window"]) for _ in range(sides)]
    if "pretrained_window" in spec:
        spec["pretrained_window"] = [draw.random.randint(2, 12) for _ in range(2)]


def fit_position_ids(draw, spec):
    rule = spec["rule"]
    n = draw.random.randint
    merge = spec.get("spatial_merge_size", 2)
    video_rules = ("qwen2_vl", "qwen2_5_vl", "qwen2_5_omni", "qwen3_omni", "qwen3_vl", "glm4v", "ernie4_5_vl")
    timed = rule in ("qwen2_5_vl", "qwen2_5_omni", "qwen3_omni")
    for key in ("spatial_merge_size", "next_start", "frames"):
        only(spec, key, rule in video_rules)
    spec.pop("frames", None)
    only(spec, "temporal_merge_size", rule == "ernie4_5_vl")
    only(spec, "temporal_rounding", timed)
    only(spec, "seconds_per_chunk", rule == "qwen2_5_omni")
    only(spec, "centre", rule == "qwen_image")
    spec.pop("parents", None), spec.pop("tokens_per_second", None)
    if timed:
        spec["tokens_per_second"] = n(0, 60)
    text = {"text": n(1, SIZES["text"])}
    if rule in ("text", "packed", "draft_tree"):
        spec["segments"] = [{"text": n(1, SIZES["text"])} for _ in range(1 if rule == "draft_tree" else n(1, 4))]
        if rule == "draft_tree":
            spec["parents"] = [n(0, k) for k in range(n(1, 12))]
    elif rule in video_rules:
        def visual():
            kind = draw.one(["image", "video"])
            frames = 1 if kind == "image" or rule in ("qwen3_vl", "glm4v") else n(1, 4) * (spec.get("temporal_merge_size", 2) if rule == "ernie4_5_vl" else 1)
            segment = {kind: [frames, merge * n(1, 3), merge * n(1, 3)]}
            if kind == "video" and timed and draw.chance(0.7):
                segment["seconds_per_grid"] = draw.one([1, 0.5, 2, "2/3", 1.25, 3.5])
            return segment
        spec["segments"] = [draw.one([lambda: {"text": n(1, 9)}, visual])() for _ in range(n(1, 4))]
    else:
        many = {"grid": 1, "lumina2": 1, "z_image": 1, "flux": 2}.get(rule, 3)
        images = [{"image": [1, n(1, 8), n(1, 8)]} for _ in range(n(1, many))] if rule != "grid" else [{"video": [n(1, 4), n(1, 5), n(1, 5)]}]
        spec["segments"] = ([] if rule == "grid" else [text]) + images
        if rule == "qwen_image":
            spec["segments"] = images + [text]
    only(spec, "padding_position", spec.get("left_padding"))
    for key in ("rank", "shards", "block"):
        only(spec, key, "ranks" in spec)
    if "ranks" in spec:
        spec["ranks"] = draw.random.randint(2, 4)
        spec["rank"] = draw.random.randrange(spec["ranks"])
        only(spec, "block", spec.get("shards") == "round_robin")
        whole = {key: value for key, value in spec.items() if key not in ("ranks", "rank", "shards", "block")}
        count = len(token_positions.tokens_of(whole))
        parts = spec["ranks"] * (2 if spec.get("shards") == "zigzag" else 1) * spec.get("block", 1)
        spec["left_padding"] = spec.get("left_padding", 0) + -count % parts  # ranks share the rows evenly


FITS = {"sinusoidal": fit_sinusoidal, "sinusoidal_with_axes": fit_sinusoidal_with_axes, "rope": fit_rope, "axial_rope": fit_axial_rope,
        "axial_rope_with_axes": fit_axial_rope_with_axes, "axial_rope_with_frequencies": fit_frequencies, "fourier_features": fit_frequencies,
        "fourier_sums": fit_fourier_sums, "resampled": fit_resampled, "kerple": fit_kerple, "decay": fit_decay, "query_scale": fit_query_scale, "t5_bucket": fit_t5,
        "deberta_bucket": fit_deberta, "shaw": fit_shaw, "learned": fit_learned, "frequency_family": fit_frequency_family, "xpos": fit_xpos,
        "window_index": fit_window, "log_coordinates": fit_window, "position_ids": fit_position_ids,
        "sandwich": lambda draw, spec: spec.update(head_dim=even(spec["head_dim"])),
        "transformer_xl": lambda draw, spec: spec.update(d_model=even(spec["d_model"])),
        "scaled_sinusoid": lambda draw, spec: None,
        "alibi": lambda draw, spec: spec.update(max_bias=draw.one([8, 4, 16, 1.5])) if "max_bias" in spec else None,
        "compact_positions": lambda draw, spec: spec.update(d_model=even(spec["d_model"]))}
