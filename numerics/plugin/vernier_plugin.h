/* What an implementation of a positional encoding gives Vernier: a shared library that exports one function,
 * `vernier_plugin`, which returns a table of functions. C99 or C++11, no other header or library needed.
 *
 *     #include "vernier_plugin.h"
 *     static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
 *                          const VernierTensor* out) { ... }
 *     static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION, sizeof(VernierPlugin), 0,
 *                                          "my kernels", "1.0", NULL, table, NULL, NULL, NULL};
 *     VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) { return &plugin; }
 *
 * Where it runs. In a process of its own, which Vernier starts anew after a crash. One call at a time, all
 * from the thread that loaded the library. A call that takes too long is ended with its process, so no state
 * may be needed from one call to the next. Threads may be started; processes may not, nor may others be
 * signalled or limited, nor descriptors be made to send signals. Of root's rights only those over files are
 * left. Address space is limited. Files and the network are not confined. Standard input is empty; what is
 * written to standard output or error is read, and its last line quoted should the process die.
 *
 * Who owns what. Vernier owns every tensor and string that it passes; none may be kept after the call. The
 * table of functions and its strings are the plug-in's and stay where they are until the process ends.
 *
 * What is watched. Every tensor lies against an inaccessible page, between bytes whose change is noticed.
 * Inputs are compared with what they were. Outputs hold arbitrary bytes before the call, and every element
 * must be written, unless vectors are rotated in place. Before every call the floating-point environment is
 * the default one (round to nearest, subnormals kept, no trap), whatever the library set when it was loaded,
 * as one built with -Ofast or -ffast-math does; it must be left so, except for the exception flags.
 */
#ifndef VERNIER_PLUGIN_H
#define VERNIER_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
#define VERNIER_PLUGIN_LINKAGE extern "C"
#else
#define VERNIER_PLUGIN_LINKAGE extern
#endif
/* For the definition of vernier_plugin: C linkage, visible whatever -fvisibility says. */
#if defined(__GNUC__)
#define VERNIER_PLUGIN_EXPORT VERNIER_PLUGIN_LINKAGE __attribute__((visibility("default")))
#else
#define VERNIER_PLUGIN_EXPORT VERNIER_PLUGIN_LINKAGE
#endif

/* The version of this header. Vernier refuses a plug-in of another one. */
#define VERNIER_PLUGIN_ABI_VERSION 1u

/* What the functions return. Any other value is an error of the plug-in. */
enum {
  VERNIER_OK = 0,          /* every element of the output was written */
  VERNIER_UNSUPPORTED = 1, /* this spec, role, type or shape is none that the plug-in does */
  VERNIER_REJECTED = 2     /* it does this, but refuses these positions or this input: out of its range */
};

/* Bits of VernierPlugin.capabilities. None set: any number of any positions, in host memory. What a plug-in
 * does not take it is not asked for: a check that needs it is skipped, and says so. */
enum {
  VERNIER_TAKES_DEVICE_MEMORY = 1,   /* reserved: it also takes tensors that lie in a device's memory */
  VERNIER_TAKES_CONTIGUOUS_ONLY = 2, /* positions are k, k + 1, k + 2 ...: an engine that is given an offset
                                        and a length (examples/offset_plugin.c) */
  VERNIER_TAKES_ONE_LENGTH = 4, /* one number of positions a process: a graph that is built for a shape */
  VERNIER_TAKES_BATCHED_POSITIONS = 8, /* rotate also takes positions [B, T] of input [B, ..., T, head_dim] */
  VERNIER_ROTATES_IN_PLACE = 16, /* rotate overwrites its input: input->data is out->data, of the same shape
                                    and strides, and what it leaves unwritten stays as it was */
  VERNIER_TAKES_STRIDES = 32,    /* table and rotate also take rows that are apart: strides that are not null.
                                    What lies between the rows is nobody's, and must not be changed */
  VERNIER_ROTATES_GRADIENTS = 64, /* rotate also takes gradients back: see there */
  VERNIER_TAKES_FLOAT32_POSITIONS = 128, /* positions may be float32, and no integers: then all are */
  VERNIER_TAKES_FLOAT64_POSITIONS = 256  /* the same in float64, unless float32 is taken too */
};

/* Codes of element types, as in DLPack (those of eight bits from its version 1.1 on). */
enum {
  VERNIER_INT = 0,
  VERNIER_UINT = 1,
  VERNIER_FLOAT = 2,
  VERNIER_BFLOAT = 4,
  VERNIER_FLOAT8_E4M3FN = 10,
  VERNIER_FLOAT8_E4M3FNUZ = 11,
  VERNIER_FLOAT8_E5M2 = 12,
  VERNIER_FLOAT8_E5M2FNUZ = 13
};

/* Codes of devices, as in DLPack. */
enum { VERNIER_CPU = 1 };

/* An element type, laid out as DLPack's DLDataType: float32 is {VERNIER_FLOAT, 32, 1}. */
typedef struct VernierDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes; /* always 1 */
} VernierDataType;

/* Where a tensor's data lie, laid out as DLPack's DLDevice. */
typedef struct VernierDevice {
  int32_t device_type; /* VERNIER_CPU */
  int32_t device_id;   /* 0 */
} VernierDevice;

/* A tensor, laid out as DLPack's DLTensor: a pointer to one may be read as a pointer to the other.
 * Vernier passes tensors whose last index is fastest, its elements side by side, little-endian; dense ones,
 * unless the plug-in takes strides. */
typedef struct VernierTensor {
  void* data; /* aligned to 64 bytes, as rows that are apart need not be; never null, even without elements */
  VernierDevice device;
  int32_t ndim;
  VernierDataType dtype;
  int64_t* shape;       /* ndim of them, none negative */
  int64_t* strides;     /* null: dense; else ndim of them, in elements, the last 1 */
  uint64_t byte_offset; /* 0 */
} VernierTensor;

/* The table of functions. A null function is something that the plug-in does not do.
 *
 * `spec` is the encoding as a JSON object: the keys of Vernier's spec files, all defaults written out, UTF-8,
 * no blanks between its tokens, ended by a zero byte. It starts with {"scheme":"rope","head_dim":128, for
 * instance. `supports` sees it first: a plug-in that does one encoding only may compare it there and ignore
 * it elsewhere.
 *
 * Positions are int64 (float32 or float64, where the plug-in takes those), [T]; [S, T] where tokens have S positions each: time, height, width of multimodal RoPE
 * (`mrope_section`), row and column of axial RoPE. Every stream is independent of the others. They may be
 * negative, descending, repeated or far out: a plug-in that cannot do some returns VERNIER_REJECTED.
 *
 * Calls come as in use, in any order: the whole context, one token at a time, blocks k, k + 1, ... of any
 * length from 1 on, the longest before or after the shortest, and sequences packed one after another, whose
 * positions start anew. */
typedef struct VernierPlugin {
  uint32_t abi_version;  /* VERNIER_PLUGIN_ABI_VERSION */
  uint32_t struct_size;  /* sizeof(VernierPlugin) */
  uint64_t capabilities; /* 0, or what it takes: VERNIER_TAKES_... */
  const char* name;      /* of the implementation, for people */
  const char* version;   /* likewise */

  /* Whether tensors of this role and type are computed for this spec: VERNIER_OK or VERNIER_UNSUPPORTED.
   * Asked before each of the functions below. Null: whatever there is a function for. */
  int32_t (*supports)(const char* spec, const char* role, VernierDataType dtype);

  /* A table of the encoding at these positions, out [T, width]. The role is "encoding", or "cos" or "sin" of
   * a rotary encoding, whose width may be the number of pairs or the number of rotated dimensions; of xPos
   * also "cos_k" and "sin_k", of keys, and "scale", of queries. */
  int32_t (*table)(const char* spec, const char* role, const VernierTensor* positions,
                   const VernierTensor* out);

  /* Vectors rotated to their positions: input and out are [..., T, head_dim], of one type; where out is of
   * eight bits, input is float32, of numbers that bfloat16 holds too. Of a type of eight bits `spec` may end in
   * "quantization":{"scale":16,"direction":"multiply","overflow":"saturate"}}: what is stored is the nearest
   * number to scale times the result. The dimensions in
   * front are batches and heads, none or several, of any number (keys have fewer heads than queries), each
   * with vectors of its own; the positions [T] are those of all. Elements may be any of their type: signed
   * zeros, subnormal, near the greatest. One that is infinite or NaN may change its own pair only. Where keys
   * are treated otherwise than queries (xPos), `spec` ends in "operand":"key"} for keys, and `supports` is
   * asked for the role "rotated_k" in place of "rotated".
   *
   * The backward pass, of a plug-in that has VERNIER_ROTATES_GRADIENTS: `spec` ends in "pass":"backward"},
   * input is the gradient of what rotate would give, out becomes that of its input (PyTorch's grad_output
   * and grad_input): the transposed rotation, times the same amplitude. `supports` is asked for the role
   * "input_gradient", or "input_gradient_k". Other plug-ins are not asked. */
  int32_t (*rotate)(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                    const VernierTensor* out);

  /* A bias on attention scores. The role is "bias", out [H, K] or [H, Q, K] for keys at these positions, or
   * "slopes", out [H], for which positions mean nothing. */
  int32_t (*bias)(const char* spec, const char* role, const VernierTensor* key_positions,
                  const VernierTensor* out);

  /* The buckets of relative positions, counted as the scheme's own code does (T5: key minus query), out [N],
   * integers. */
  int32_t (*buckets)(const char* spec, const VernierTensor* relative_positions, const VernierTensor* out);
} VernierPlugin;

/* What a plug-in defines. Called once after the library was loaded; null means that it cannot work here. */
VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void);

#endif /* VERNIER_PLUGIN_H */
