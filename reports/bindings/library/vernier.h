/* Vernier as a C library, libvernier: judges tensors against the spec of a positional encoding, writes
 * certified tables, and says which encoding a model's configuration means. C11 or C++11.
 *
 *     #include <vernier.h>
 *     VernierNamedTensor tensors[] = {{"cos", &cos}, {"sin", &sin}};
 *     VernierVerdict* verdict = NULL;
 *     char* text = NULL;
 *     if (vernier_judge("llama-2-7b-hf", NULL, tensors, 2, &verdict, &text) == VERNIER_OK &&
 *         vernier_verdict_text(verdict, "text", &text) == VERNIER_OK)
 *       puts(text);
 *
 * Threads. Every function may be called from any thread at any time; nothing is kept from one call to
 * another. Nothing is read but what is passed, and files that are named there. The floating-point environment
 * is the default one during a call, whatever the caller's is, which is restored.
 *
 * Memory. A call that gets none fails with VERNIER_BROKEN, and releases what it had. Two libraries below know
 * no failure, and end the process: GMP (with MPFR) when it asks for memory, nlohmann's JSON when it asks for
 * some to release an object. GMP's functions are the whole process's, so only a host can set others
 * (mp_set_memory_functions, before the first call); those may not return without memory either.
 *
 * Text is UTF-8 that ends in a zero byte. Text that a call hands out is the caller's: `vernier_free` releases
 * it. Where a call fails, the same place receives one sentence that says what was found and what was expected
 * (or a line each, of several faults), or null where there was no memory for one. A place may be null:
 * nothing is then handed out.
 *
 * Tensors are VernierTensors, laid out as DLPack's DLTensor (dmlc/dlpack, include/dlpack/dlpack.h): a pointer
 * to one may be passed as a pointer to the other. They lie in memory that the host reads; their strides may
 * be any. None is kept after the call, and none but an output is written. */
#ifndef VERNIER_H
#define VERNIER_H

#include <stddef.h>
#include <stdint.h>

/* VernierTensor, VERNIER_OK, VERNIER_REJECTED: plug-ins are given the same tensors. */
#include "vernier_plugin.h"

/* What this header declares. A later library keeps what an earlier number promised, or has another soname. */
#define VERNIER_ABI_VERSION 2u

#ifdef __cplusplus
#define VERNIER_API extern "C" __attribute__((visibility("default")))
#elif defined(__GNUC__)
#define VERNIER_API extern __attribute__((visibility("default")))
#else
#define VERNIER_API extern
#endif

/* What the functions return beside VERNIER_OK, and VERNIER_REJECTED for bad input. */
enum {
  VERNIER_BROKEN = 3, /* no memory, or a fault of Vernier's own */
  VERNIER_STOPPED = 4 /* a VernierImplementation said so */
};

/* VERNIER_ABI_VERSION and the version of the library that is loaded, "0.2.0". */
VERNIER_API uint32_t vernier_abi_version(void);
VERNIER_API const char* vernier_version(void);

/* Releases text that a function handed out. Null is fine. */
VERNIER_API void vernier_free(char* text);

/* How an encoding is chosen, everywhere below. `spec` is the JSON text of a spec, the JSON text of a model's
 * config.json, or the id of a model of the catalogue, "llama-3.1-8b". `options` is null or the JSON text of
 * an object; each function says which keys it reads beside these, and refuses others.
 *   "layer"   which of a model's layers, where they differ: a number or a kind, "sliding_attention"
 *   "sequence_length"  in place of the spec's, where its frequencies depend on it
 *   "source"  what to call the spec in sentences, the name of the file that it came from; default "spec" */

/* A tensor and what it is: "cos", "sin", "encoding", "positions", "rotated" ... */
typedef struct VernierNamedTensor {
  const char* role;
  const VernierTensor* tensor;
} VernierNamedTensor;

/* What was found out of some tensors. */
typedef struct VernierVerdict VernierVerdict;

/* Judges `count` tensors. Where no positions are among them the rows are at 0, 1, 2 ... Further options:
 *   "name"          what the verdict calls the case; default the model's id or the scheme
 *   "contract"      the contract to judge by; default that of each tensor's type
 *   "waivers"       the name of a file of waivers, or what such a file holds
 *   "date"          the day by which waivers expire, "2027-03-31"; default today (UTC)
 *   "reproduce"     what the verdict says to do to get it again; default nothing
 *   "caller"        what to call the caller in sentences about tensors; default "vernier_judge"
 *   "error_splits"  false leaves out from which stages the errors stem, which takes a while; default true
 * *verdict is the caller's: `vernier_verdict_free` releases it. On failure it is null and *error the
 * sentence. */
VERNIER_API int32_t vernier_judge(const char* spec, const char* options, const VernierNamedTensor* tensors,
                                  size_t count, VernierVerdict** verdict, char** error);

/* Which computations predict every bit of tables of sines and cosines, or of vectors before and after a
 * rotation: a JSON object as `vernier arithmetic --json` writes it, with the case's name in place of the
 * file. Takes what vernier_judge takes. */
VERNIER_API int32_t vernier_arithmetic(const char* spec, const char* options,
                                       const VernierNamedTensor* tensors, size_t count, char** json);
VERNIER_API void vernier_verdict_free(VernierVerdict* verdict);
/* As the command's: 0 conforms, 1 does not, 3 a check could not be carried out, 4 inconclusive or nothing
 * checked, 5 a waiver is stale; 2 of no verdict, NULL. */
VERNIER_API int32_t vernier_verdict_exit_code(const VernierVerdict* verdict);
/* The verdict as "text" (at most eleven lines), "full_text", "json" (the verdict document), "html", "junit",
 * "sarif" or "badge". */
VERNIER_API int32_t vernier_verdict_text(const VernierVerdict* verdict, const char* form, char** text);

/* An implementation in the caller's own process. Since 2.
 *
 * What it is asked. All of it is the library's, and stays until the call returns. What a VernierNamedTensor
 * of `wanted` says is the role, type and shape of a tensor of the answer; its data are null. */
typedef struct VernierQuestion {
  const char* spec;               /* with all defaults written out, as plug-ins are given it */
  const VernierTensor* positions; /* int64, or as "takes" says: [T]; [S, T] where tokens have S positions */
  const VernierTensor* input;     /* the vectors to rotate, or the gradients to take back, or null */
  const VernierNamedTensor* wanted;
  size_t wanted_count; /* at least one */
} VernierQuestion;

/* What it answers. Null where no answer is waited for. */
typedef struct VernierAnswer VernierAnswer;
/* Gives the tensor of a role, which is copied. What has another shape or type than is wanted is a fault that
 * the verdict tells; on failure *error is the sentence. */
VERNIER_API int32_t vernier_answer(VernierAnswer* answer, const char* role, const VernierTensor* tensor,
                                   char** error);
/* Says why there is no answer: before VERNIER_UNSUPPORTED or VERNIER_REJECTED is returned. */
VERNIER_API void vernier_decline(VernierAnswer* answer, const char* reason);

/* Answers a question by vernier_answer() for each wanted tensor, and returns VERNIER_OK; VERNIER_UNSUPPORTED
 * for what it does not do; VERNIER_REJECTED for positions or an input that it refuses. Whatever else it
 * returns ends the judging. It is called from the thread of the caller, in its floating-point environment.
 * \param user as it was passed */
typedef int32_t (*VernierImplementation)(void* user, const VernierQuestion* question, VernierAnswer* answer);

/* Asks an implementation for all that the encoding defines, judges its answers and how it behaves, as the
 * command does a server. What only a new process shows is not judged, and the verdict says so. A crash of the
 * implementation is one of the caller. Further options beside those of vernier_judge:
 *   "implementation"  what to call it; default "a function of the caller"
 *   "dtype"           the type that is asked for; default "float32"
 *   "positions"       "0:8192", as the command reads them; default the whole context
 *   "roles"           an array of the only roles that are asked for
 *   "seed"            what vectors, samples and cases of laws are drawn from; default a new one, which is
 * told "cases"           how often each law is tried; default 100 "quick"           true asks for a small
 * sample of the positions "thorough"        true asks ten times as many questions about how it behaves; not
 * beside "quick" "all"             true asks everything after a failure too, however long that takes
 *   "bitwise"         true fails other bits of the same answer
 *   "takes"           "contiguous", "batched-positions", "gradients", "float32-positions",
 * "float64-positions" or several, as the command reads them "quantization"    how tensors of a "dtype" of
 * eight bits are stored, an object as a case has it Returns VERNIER_STOPPED where the implementation ended
 * the judging. */
VERNIER_API int32_t vernier_validate(const char* spec, const char* options,
                                     VernierImplementation implementation, void* user,
                                     VernierVerdict** verdict, char** error);

/* Puts the questions of vernier_validate to somebody who only listens, as to an honest implementation. The
 * options are "dtype", "positions", "roles", "seed", "cases", "quick", "thorough" and "takes". */
VERNIER_API int32_t vernier_questions(const char* spec, const char* options, VernierImplementation listener,
                                      void* user, char** error);

/* Which tensors the encoding has at these positions ([T], integers): a JSON array of {"role", "shape",
 * "exact"}, where exact ones hold integers and take integer types. Further option: "queries", as below. */
VERNIER_API int32_t vernier_tensors(const char* spec, const char* options, const VernierTensor* positions,
                                    char** json);

/* Fills `out` with the tensor of this role at these positions, every element the number of its type nearest
 * to the truth, with proof. The shape of `out` chooses where an encoding has several of a role. Where this
 * fails, what `out` holds is undefined. *error receives the sentence, and null on success. Further option:
 *   "queries"  biases of this many last queries, [heads, queries, keys]; default one, [heads, keys] */
VERNIER_API int32_t vernier_table(const char* spec, const char* options, const char* role,
                                  const VernierTensor* positions, const VernierTensor* out, char** error);

/* Which encodings a model's config.json means, or a model of the catalogue whose id is given instead: a JSON
 * object of "groups" (of layers: "kind", "layers", "spec", and "why" where the spec is null), a sentence
 * "as_written", empty where the model's code is known, and lists of sentences, "assumed", "remarks" and
 * "ignored". The one option is "source". */
VERNIER_API int32_t vernier_understand(const char* config, const char* options, char** json);

#endif /* VERNIER_H */
