/* Judges the sines that sinf() makes of a model's phases:
 *
 *     cc -std=c11 judge.c $(pkg-config --cflags --libs vernier) -lm -o judge && ./judge
 *
 * Its exit code is the verdict's. */
#include <math.h>
#include <stdio.h>
#include <vernier.h>

enum { POSITIONS = 1024, PAIRS = 64 };

static float sines[POSITIONS][PAIRS];

int main(void) {
  for (int pair = 0; pair < PAIRS; ++pair) {
    const float frequency = powf(10000.0f, -(float)pair / PAIRS);
    for (int position = 0; position < POSITIONS; ++position) {
      sines[position][pair] = sinf((float)position * frequency);
    }
  }
  int64_t shape[] = {POSITIONS, PAIRS};
  const VernierTensor tensor = {sines, {VERNIER_CPU, 0}, 2, {VERNIER_FLOAT, 32, 1}, shape, NULL, 0};
  const VernierNamedTensor tensors[] = {{"sin", &tensor}};
  VernierVerdict* verdict = NULL;
  char* text = NULL;
  if (vernier_judge("llama-2-7b-hf", NULL, tensors, 1, &verdict, &text) != VERNIER_OK ||
      vernier_verdict_text(verdict, "text", &text) != VERNIER_OK) {
    fprintf(stderr, "%s\n", text);
    vernier_free(text);
    vernier_verdict_free(verdict);
    return 2;
  }
  fputs(text, stdout);
  vernier_free(text);
  const int exit_code = vernier_verdict_exit_code(verdict);
  vernier_verdict_free(verdict);
  return exit_code;
}
