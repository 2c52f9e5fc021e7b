/* Many threads use the same validator, document and report.
 *
 * usage: threads FILE TRUST-ANCHOR
 */
#include <lacre.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 8

static lacre_validator *validator = NULL;
static lacre_document *document = NULL;
static lacre_report *shared = NULL;
static lacre_buffer *expected = NULL;

static void *work(void *unused) {
  lacre_report *report = NULL;
  lacre_buffer *json = NULL;
  int same;
  (void)unused;
  if (lacre_validate(validator, document, 1800000000000, &report, NULL) != LACRE_OK ||
      lacre_report_write(report, LACRE_FORMAT_JSON, NULL, &json, NULL) != LACRE_OK) {
    return NULL;
  }
  /* The first to ask makes what all are answered from. */
  same = lacre_report_signature_count(shared) == lacre_report_signature_count(report) &&
         strcmp(lacre_signature_signer(lacre_report_signature(shared, 0)).data,
                lacre_signature_signer(lacre_report_signature(report, 0)).data) == 0 &&
         lacre_buffer_len(json) == lacre_buffer_len(expected) &&
         memcmp(lacre_buffer_data(json), lacre_buffer_data(expected), lacre_buffer_len(json)) == 0;
  lacre_buffer_free(json);
  lacre_report_free(report);
  return same ? validator : NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  uint8_t anchor[16384];
  size_t i, len = 0;
  FILE *file;
  int wrong = 0;

  if (argc != 3 || (file = fopen(argv[2], "rb")) == NULL) {
    return 2;
  }
  len = fread(anchor, 1, sizeof anchor, file);
  fclose(file);
  if (lacre_validator_new(NULL, 0, NULL, 0, &validator, NULL) != LACRE_OK ||
      lacre_validator_add_trust_anchor(validator, anchor, len, NULL) != LACRE_OK ||
      lacre_document_from_file(argv[1], &document, NULL) != LACRE_OK ||
      lacre_validate(validator, document, 1800000000000, &shared, NULL) != LACRE_OK ||
      lacre_report_write(shared, LACRE_FORMAT_JSON, NULL, &expected, NULL) != LACRE_OK) {
    return 5;
  }
  for (i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) {
      return 5;
    }
  }
  for (i = 0; i < THREADS; i++) {
    void *answer = NULL;
    pthread_join(threads[i], &answer);
    wrong += answer == NULL;
  }
  lacre_buffer_free(expected);
  lacre_report_free(shared);
  lacre_document_free(document);
  lacre_validator_free(validator);
  return wrong == 0 ? 0 : 1;
}
