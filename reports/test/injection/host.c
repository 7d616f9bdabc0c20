/* A program that calls libvernier, whose calls fail: prints what each gives, and ends as the command does.
 * Each call is tried to its end after a failure of an earlier one, and all that is handed out is released:
 * LeakSanitizer sees the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vernier.h>

enum { rows = 16, columns = 8 };
static const char* const spec = "{\"scheme\": \"sinusoidal\", \"d_model\": 8}";
static int failures = 0;

/* Notes a code, prints the text, and releases it. */
static int noted(const char* what, int32_t code, char* text) {
  if (code == VERNIER_OK) {
    printf("%s: %s\n", what, text == NULL ? "done" : text);
  } else if (failures++ == 0) {
    fprintf(stderr, "vernier: %s: code %d: %s\n", what, (int)code,
            text == NULL ? "no memory for a sentence" : text);
  }
  vernier_free(text);
  return code == VERNIER_OK;
}

static void print_verdict(const char* what, int32_t code, VernierVerdict* verdict, char* error) {
  if (noted(what, code, error)) {
    char* text = NULL;
    int32_t told = vernier_verdict_text(verdict, "text", &text);
    noted("as text", told, text);
    text = NULL;
    told = vernier_verdict_text(verdict, "junit", &text);
    noted("as JUnit", told, text);
    printf("exit code %d\n", (int)vernier_verdict_exit_code(verdict));
  }
  vernier_verdict_free(verdict);
}

static VernierTensor tensor(void* data, int32_t dimensions, int64_t* shape, uint8_t code, uint8_t bits) {
  const VernierTensor result = {data, {VERNIER_CPU, 0}, dimensions, {code, bits, 1}, shape, NULL, 0};
  return result;
}

/* Double precision, rounded once. */
static void fill(float* values, const int64_t* positions, int64_t count) {
  for (int64_t row = 0; row < count; ++row) {
    for (int column = 0; column < columns; ++column) {
      const double phase = (double)positions[row] / pow(10000, (column - column % 2) / (double)columns);
      values[row * columns + column] = (float)(column % 2 != 0 ? cos(phase) : sin(phase));
    }
  }
}

static int32_t implementation(void* user, const VernierQuestion* question, VernierAnswer* answer) {
  (void)user;
  static float values[4096 * columns];
  const int64_t count = question->positions->shape[0];
  const VernierTensor* wanted = question->wanted[0].tensor;
  if (question->positions->ndim != 1 || count > 4096 || wanted->dtype.bits != 32) {
    vernier_decline(answer, "more than this program does");
    return VERNIER_UNSUPPORTED;
  }
  fill(values, question->positions->data, count);
  int64_t shape[] = {count, columns};
  const VernierTensor result = tensor(values, 2, shape, VERNIER_FLOAT, 32);
  char* error = NULL;
  const int32_t code = vernier_answer(answer, question->wanted[0].role, &result, &error);
  vernier_free(error);
  return code;
}

int main(void) {
  int64_t positions[rows];
  float values[rows * columns];
  for (int64_t row = 0; row < rows; ++row) {
    positions[row] = row;
  }
  fill(values, positions, rows);
  int64_t shape[] = {rows, columns};
  const VernierTensor held = tensor(values, 2, shape, VERNIER_FLOAT, 32);
  const VernierTensor at = tensor(positions, 1, shape, VERNIER_INT, 64);
  const VernierNamedTensor named[] = {{"encoding", &held}};

  VernierVerdict* verdict = NULL;
  char* text = NULL;
  int32_t code = vernier_judge(spec, NULL, named, 1, &verdict, &text);
  print_verdict("judge", code, verdict, text);
  text = NULL;
  code = vernier_tensors(spec, NULL, &at, &text);
  noted("tensors", code, text);
  text = NULL;
  code = vernier_table(spec, NULL, "encoding", &at, &held, &text);
  noted("table", code, text);
  text = NULL;
  code = vernier_understand("{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4}",
                            NULL, &text);
  noted("understand", code, text);
  verdict = NULL;
  text = NULL;
  code = vernier_validate(spec, "{\"positions\": \"0:4\", \"quick\": true, \"cases\": 1, \"seed\": 1}",
                          implementation, NULL, &verdict, &text);
  print_verdict("validate", code, verdict, text);
  return failures == 0 ? 0 : 2;
}
