#pragma once

#include <array>
#include <string_view>

#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/fault_kind.hpp"

namespace vernier {

inline constexpr std::array<std::string_view, 3> position_offset_bugs{
    "sentence-transformers #3879", "huggingface/transformers #22161", "nnsight #673"};
inline constexpr std::array<std::string_view, 3> position_format_bugs{
    "huggingface/transformers #25681", "NVIDIA/Megatron-LM #535", "huggingface/diffusers #13922"};

inline constexpr FaultKind position_offset{
    .id = "position/offset",
    .stage = Stage::position,
    .title = "every position is off by as much",
    .means =
        "Scores within one table are unchanged, as they depend on the distance; against a cache or "
        "another kernel that counts otherwise, every distance is off.",
    .advice = "Look for where counting begins: at 0, at 1, or after the padding.",
    .similar = position_offset_bugs};
inline constexpr FaultKind position_format{
    .id = "position/format",
    .stage = Stage::position,
    .title = "positions are rounded to a 16-bit format",
    .means = "From 256 on in bfloat16, and from 2048 on in float16, neighbouring tokens share a position.",
    .advice =
        "Look for arange in the type of the model, or for autocast; positions need integers or float32.",
    .similar = position_format_bugs};
inline constexpr FaultKind position_scaled{
    .id = "position/scaled",
    .stage = Stage::position,
    .title = "positions are multiplied by a factor",
    .means = "Every distance looks so much longer or shorter to the model.",
    .advice = "Look for a scale that is applied to positions and to frequencies, or to positions twice."};

inline constexpr std::array<std::string_view, 2> position_wrap_bugs{"microsoft/onnxruntime #31995",
                                                                    "huggingface/transformers #36537"};
inline constexpr std::array<std::string_view, 2> position_clamp_bugs{"tenstorrent/tt-mlir #9211",
                                                                     "jax-ml/jax #3604"};
inline constexpr std::array<std::string_view, 2> position_jump_bugs{"skyzh/tiny-llm #46",
                                                                    "huggingface/transformers #40490"};

inline constexpr FaultKind position_wrapped{
    .id = "position/wrapped",
    .stage = Stage::position,
    .title = "positions wrap",
    .means = "Tokens that are a whole turn apart cannot be told apart.",
    .advice = "Look for a table that is shorter than the context and repeated, or an index that overflows.",
    .similar = position_wrap_bugs};
inline constexpr FaultKind position_clamped{
    .id = "position/clamped",
    .stage = Stage::position,
    .title = "positions beyond one are taken for it",
    .means = "Tokens beyond it all stand at one place.",
    .advice = "Look for a table that is shorter than the context, and a gather that clamps its index.",
    .similar = position_clamp_bugs};
inline constexpr FaultKind position_jump{
    .id = "position/jump",
    .stage = Stage::position,
    .title = "positions jump",
    .means = "Distances across the jump are off by as much.",
    .advice =
        "Look at how positions are counted on: from block to block, or past an "
        "image.",
    .similar = position_jump_bugs};
inline constexpr FaultKind position_block{
    .id = "position/block",
    .stage = Stage::position,
    .title = "a block of positions is off",
    .means = "Distances between tokens of the block and all others are off by as much.",
    .advice = "Look at the edges of the blocks or tiles in which rows are computed.",
    .similar = position_jump_bugs};
inline constexpr FaultKind position_staircase{
    .id = "position/staircase",
    .stage = Stage::position,
    .title = "several positions share a row",
    .means = "Neighbouring tokens cannot be told apart.",
    .advice = "Look for an integer division of positions, or a stride."};
inline constexpr FaultKind position_reversed{.id = "position/reversed",
                                             .stage = Stage::position,
                                             .title = "positions are counted from the end",
                                             .means = "Distances have the other sign.",
                                             .advice = "Look for a flip of the table or of the indices."};
inline constexpr FaultKind position_magnitude{
    .id = "position/magnitude",
    .stage = Stage::position,
    .title = "negative positions lose their sign",
    .means = "Tokens before and after the origin cannot be told apart.",
    .advice = "Look for an absolute value, a clamp at zero, or an unsigned type."};
inline constexpr FaultKind position_rows{
    .id = "position/rows",
    .stage = Stage::position,
    .title = "single rows hold other positions",
    .means = "These tokens stand elsewhere.",
    .advice =
        "Look at how these rows are written or gathered: the edges of tiles, and "
        "races."};
inline constexpr FaultKind position_constant{
    .id = "position/constant",
    .stage = Stage::position,
    .title = "every row holds one position",
    .means = "These tokens all stand at one place.",
    .advice = "Look at which positions reach the table, and by which index its rows are taken."};

inline constexpr FaultKind position_dimension{
    .id = "position/dimension",
    .stage = Stage::position,
    .title = "positions count along another dimension",
    .means = "Heads or batches turn as if they were tokens, and all tokens of a head turn alike.",
    .advice =
        "Tensors are read as [..., rows, width]: transpose those that lie as [batch, rows, heads, width] "
        "before they are judged. If they lie so, look for the dimension whose index the code takes for the "
        "position."};
inline constexpr FaultKind position_axis{
    .id = "position/axis",
    .stage = Stage::position,
    .title = "the position along another axis is taken",
    .means = "Tokens that differ along the one axis alone cannot be told apart.",
    .advice = "Look at the order in which coordinates are stacked, and at which of them each axis takes."};
inline constexpr FaultKind position_row{
    .id = "position/row",
    .stage = Stage::position,
    .title = "rows are counted, and their positions are not looked at",
    .means =
        "Tokens whose position is not their index stand elsewhere: packed sequences, padded ones, caches, "
        "images.",
    .advice =
        "Look for an arange over rows where position_ids, cache positions or sequence starts are meant."};
inline constexpr FaultKind position_other_row{
    .id = "position/other-row",
    .stage = Stage::position,
    .title = "rows hold the positions of other rows",
    .means = "These tokens stand where others do.",
    .advice = "Look at how rows are gathered, shifted, flipped or broadcast: by batch, by step, by tile."};

/// The kind of fault that a rule of positions is.
const FaultKind& kind_of(RowRule::Kind kind);

}  // namespace vernier
