/* vernier.h is C11, and its ABI is what its numbers promised. */
#include <stddef.h>
#include <stdio.h>
#include <vernier.h>

_Static_assert(VERNIER_ABI_VERSION == 2u, "a new number is a new promise");
_Static_assert(VERNIER_OK == 0 && VERNIER_UNSUPPORTED == 1 && VERNIER_REJECTED == 2 && VERNIER_BROKEN == 3 &&
                   VERNIER_STOPPED == 4,
               "codes");
_Static_assert(sizeof(VernierNamedTensor) == 16 && offsetof(VernierNamedTensor, tensor) == 8,
               "named tensors");
_Static_assert(sizeof(VernierTensor) == 48, "tensors");
_Static_assert(sizeof(VernierQuestion) == 40 && offsetof(VernierQuestion, positions) == 8 &&
                   offsetof(VernierQuestion, input) == 16 && offsetof(VernierQuestion, wanted) == 24 &&
                   offsetof(VernierQuestion, wanted_count) == 32,
               "questions");

/* Each function's type, which only a new ABI may change. */
static uint32_t (*const abi_version)(void) = vernier_abi_version;
static const char* (*const version)(void) = vernier_version;
static void (*const release)(char*) = vernier_free;
static int32_t (*const judge)(const char*, const char*, const VernierNamedTensor*, size_t, VernierVerdict**,
                              char**) = vernier_judge;
static void (*const verdict_free)(VernierVerdict*) = vernier_verdict_free;
static int32_t (*const exit_code)(const VernierVerdict*) = vernier_verdict_exit_code;
static int32_t (*const verdict_text)(const VernierVerdict*, const char*, char**) = vernier_verdict_text;
static int32_t (*const tensors)(const char*, const char*, const VernierTensor*, char**) = vernier_tensors;
static int32_t (*const table)(const char*, const char*, const char*, const VernierTensor*,
                              const VernierTensor*, char**) = vernier_table;
/* Since 2. */
static int32_t (*const answer)(VernierAnswer*, const char*, const VernierTensor*, char**) = vernier_answer;
static void (*const decline)(VernierAnswer*, const char*) = vernier_decline;
static int32_t (*const validate)(const char*, const char*, int32_t (*)(void*, const VernierQuestion*, VernierAnswer*),
                                 void*, VernierVerdict**, char**) = vernier_validate;
static int32_t (*const questions)(const char*, const char*, VernierImplementation, void*, char**) = vernier_questions;
static int32_t (*const arithmetic)(const char*, const char*, const VernierNamedTensor*, size_t,
                                   char**) = vernier_arithmetic;
static int32_t (*const understand)(const char*, const char*, char**) = vernier_understand;

int main(void) {
  char* text = NULL;
  const int all = judge && verdict_free && exit_code && verdict_text && tensors && table && answer && decline &&
                  validate && questions && arithmetic;
  const int32_t code = understand("[", NULL, &text);
  printf("%s of ABI %u: %s\n", version(), abi_version(), text);
  release(text);
  release(NULL);
  verdict_free(NULL);
  return all && code == VERNIER_REJECTED && abi_version() == VERNIER_ABI_VERSION ? 0 : 1;
}
