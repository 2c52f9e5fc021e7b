/* Writes the PDF report on a signed file that is in memory.
 *
 * usage: report_pdf FILE REPORT LANGUAGE DATE
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>

/* A whole file; NULL where it cannot be read. */
static uint8_t *read_file(const char *path, size_t *len) {
  uint8_t *bytes = NULL;
  size_t room = 0, n;
  FILE *file = fopen(path, "rb");
  *len = 0;
  if (file == NULL) {
    return NULL;
  }
  do {
    if (*len == room) {
      uint8_t *more = realloc(bytes, room = room * 2 + 65536);
      if (more == NULL) {
        free(bytes);
        fclose(file);
        return NULL;
      }
      bytes = more;
    }
    n = fread(bytes + *len, 1, room - *len, file);
    *len += n;
  } while (n > 0);
  fclose(file);
  return bytes;
}

static int write_file(const char *path, const uint8_t *bytes, size_t len) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    return 0;
  }
  if (fwrite(bytes, 1, len, file) != len) {
    fclose(file);
    return 0;
  }
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_buffer *pdf = NULL;
  lacre_error *error = NULL;
  uint8_t *bytes;
  int64_t time;
  size_t len;
  int status = 0;

  if (argc != 5) {
    fprintf(stderr, "usage: report_pdf FILE REPORT LANGUAGE DATE\n");
    return 2;
  }
  bytes = read_file(argv[1], &len);
  if (bytes == NULL) {
    perror(argv[1]);
    return 5;
  }
  /* The document borrows the bytes: they are freed after it. */
  if (lacre_time_parse(argv[4], &time, &error) != LACRE_OK ||
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      lacre_document_from_memory(bytes, len, &document, &error) != LACRE_OK ||
      lacre_document_set_name(document, argv[1], &error) != LACRE_OK ||
      lacre_validate(validator, document, time, &report, &error) != LACRE_OK ||
      lacre_report_write(report, LACRE_FORMAT_PDF, argv[3], &pdf, &error) != LACRE_OK) {
    fprintf(stderr, "report_pdf: error: %s\n", lacre_error_message(error).data);
    lacre_error_free(error);
    status = 5;
  } else if (!write_file(argv[2], lacre_buffer_data(pdf), lacre_buffer_len(pdf))) {
    perror(argv[2]);
    status = 5;
  } else {
    printf("%s: %s\n", argv[2], lacre_indication_name(lacre_report_indication(report)));
  }

  lacre_buffer_free(pdf);
  lacre_report_free(report);
  lacre_document_free(document);
  lacre_validator_free(validator);
  free(bytes);
  return status;
}
