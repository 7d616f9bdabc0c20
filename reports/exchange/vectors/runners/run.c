/* Judges a float32 rotary embedding by Vernier's test vectors. Needs C99 and libm alone.
   cc -O2 -ffp-contract=off run.c -o run -lm && ./run FOLDER      Exit code: 0 kept, 1 not, 2 no vectors there.
   Put your own code in place of `table`. Of a little-endian machine. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { pairs = 32 }; /* of the group rope-half: head_dim 64, base 10000 */
/* A row of cosines and sines, by the textbook. */
static void table(int64_t position, float* cosine, float* sine) {
  for (int i = 0; i < pairs; ++i) {
    const float phase = (float)position * (1 / powf(10000, 2.0f * (float)i / (2 * pairs)));
    cosine[i] = cosf(phase);
    sine[i] = sinf(phase);
  }
}
static const char *header, *data; /* JSON, {"NAME":{"dtype":"F64","shape":[6,32],"data_offsets":[0,1536]},...; the tensors */
/* Where a tensor lies, and how many bytes it has; ends the program if there is none. */
static const char* tensor(const char* name, long* bytes) {
  char key[128];
  long begin, end;
  snprintf(key, sizeof key, "\"rope-half/%s\":", name);
  const char* at = strstr(header, key);
  at = at ? strstr(at, "\"data_offsets\":[") : NULL;
  if (!at || sscanf(at + 16, "%ld,%ld", &begin, &end) != 2) fprintf(stderr, "no tensor %s\n", key), exit(2);
  *bytes = end - begin;
  return data + begin;
}
int main(int count, char** words) {
  static char bytes[8 << 20], name[1024];
  snprintf(name, sizeof name, "%s/vectors.safetensors", count > 1 ? words[1] : ".");
  FILE* file = fopen(name, "rb");
  const size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
  uint64_t length = 0;
  memcpy(&length, bytes, sizeof length);
  if (size < 8 || length > size - 8) return fprintf(stderr, "%s: no vectors\n", name), 2;
  header = bytes + 8, data = header + length;
  long failures = 0, judged = 0, extent;
  const char* positions = tensor("positions", &extent);
  const char* truths[2] = {tensor("cos/float64", &extent), tensor("sin/float64", &extent)};
  const char* budgets[2] = {tensor("cos/budget/float32@float32", &extent), tensor("sin/budget/float32@float32", &extent)};
  for (long row = 0; row < extent / 2 / pairs; ++row) {
    int64_t position;
    float got[2][pairs], budget;
    double truth;
    memcpy(&position, positions + 8 * row, 8);
    table(position, got[0], got[1]);
    for (int i = 0; i < 2 * pairs; ++i, ++judged) {
      const long at = row * pairs + i % pairs;
      uint32_t bits = 0; /* of a float32, whose upper half is the bfloat16 number */
      memcpy(&truth, truths[i / pairs] + 8 * at, 8);
      memcpy((char*)&bits + 2, budgets[i / pairs] + 2 * at, 2);
      memcpy(&budget, &bits, 4);
      failures += !(fabs(got[i / pairs][i % pairs] - truth) <= budget);
    }
  }
  printf("%ld of %ld elements of rope-half are beyond their budgets of float32@float32\n", failures, judged);
  return failures > 0;
}
