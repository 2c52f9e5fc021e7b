/* Validates a document some times, for callgrind to count the instructions of lacre_validate().
 *
 * usage: overhead FILE TIMES
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  int i, status = 0;

  if (argc != 3 || lacre_validator_new(NULL, 0, NULL, 0, &validator, NULL) != LACRE_OK ||
      lacre_document_from_file(argv[1], &document, NULL) != LACRE_OK) {
    return 5;
  }
  for (i = 0; i < atoi(argv[2]) && status == 0; i++) {
    lacre_report *report = NULL;
    if (lacre_validate(validator, document, 1800000000000, &report, NULL) != LACRE_OK) {
      status = 5;
    }
    lacre_report_free(report);
  }
  lacre_document_free(document);
  lacre_validator_free(validator);
  return status;
}
