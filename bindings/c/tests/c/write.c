/* Writes reports on many documents, for the tests to compare with those of the command.
 *
 * stdin, one job a line, fields parted by tabs: OUTPUT FILE DATE [a:TRUST-ANCHOR | c:CONTENT | p:PASSWORD]...
 * OUTPUT.json, OUTPUT.xml and OUTPUT.pdf are written; nothing, where the document cannot be read.
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  int32_t format;
  const char *ending;
} forms[] = {{LACRE_FORMAT_JSON, "json"}, {LACRE_FORMAT_ETSI_XML, "xml"}, {LACRE_FORMAT_PDF, "pdf"}};

static void tell(const char *about, lacre_error *error) {
  fprintf(stderr, "write: %s: %s: %s\n", about, lacre_status_name(lacre_error_code(error)),
          lacre_error_message(error).data);
  lacre_error_free(error);
}

static lacre_status anchor(lacre_validator *validator, const char *path, lacre_error **error) {
  static uint8_t octets[1 << 16];
  size_t len = 0;
  FILE *file = fopen(path, "rb");
  if (file != NULL) {
    len = fread(octets, 1, sizeof octets, file);
    fclose(file);
  }
  return lacre_validator_add_trust_anchor(validator, octets, len, error);
}

static int job(char *line) {
  char *output = strtok(line, "\t\n"), *path = strtok(NULL, "\t\n"), *date = strtok(NULL, "\t\n"), *more;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_error *error = NULL;
  lacre_status status = LACRE_OK;
  int64_t time;
  size_t i;
  int done = 1;

  if (date == NULL) {
    return 0;
  }
  if (lacre_time_parse(date, &time, &error) != LACRE_OK ||
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      lacre_document_from_file(path, &document, &error) != LACRE_OK) {
    tell(path, error);
    done = 0;
  }
  while (done && status == LACRE_OK && (more = strtok(NULL, "\t\n")) != NULL) {
    switch (more[0]) {
    case 'a':
      status = anchor(validator, more + 2, &error);
      break;
    case 'c':
      status = lacre_document_add_content_file(document, more + 2, &error);
      break;
    default:
      status = lacre_document_set_password(document, (const uint8_t *)more + 2, strlen(more + 2), &error);
    }
  }
  if (done && (status != LACRE_OK || lacre_validate(validator, document, time, &report, &error) != LACRE_OK)) {
    tell(path, error);
    done = status == LACRE_OK;
  }
  for (i = 0; report != NULL && i < sizeof forms / sizeof forms[0]; i++) {
    char name[4096];
    lacre_buffer *written = NULL;
    FILE *file;
    snprintf(name, sizeof name, "%s.%s", output, forms[i].ending);
    if (lacre_report_write(report, forms[i].format, NULL, &written, &error) != LACRE_OK) {
      tell(path, error);
      continue;
    }
    file = fopen(name, "wb");
    if (file == NULL || fwrite(lacre_buffer_data(written), 1, lacre_buffer_len(written), file) != lacre_buffer_len(written)) {
      perror(name);
      done = 0;
    }
    if (file != NULL) {
      fclose(file);
    }
    lacre_buffer_free(written);
  }
  lacre_report_free(report);
  lacre_document_free(document);
  lacre_validator_free(validator);
  return done;
}

int main(void) {
  static char line[1 << 16];
  int status = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (!job(line)) {
      status = 1;
    }
  }
  return status;
}
