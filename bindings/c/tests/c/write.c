/* Writes reports on many documents, for the tests to compare with those of the command.
 *
 * stdin, one job a line, fields parted by tabs: OUTPUT FILE DATE [a:TRUST-ANCHOR | c:CONTENT | p:PASSWORD | b:]...
 * OUTPUT.json, OUTPUT.xml and OUTPUT.pdf are written; nothing, where the document cannot be read. With b: also
 * OUTPUT.zip, the evidence bundle, which has to give the same report again.
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
  static uint8_t bytes[1 << 16];
  size_t len = 0;
  FILE *file = fopen(path, "rb");
  if (file != NULL) {
    len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  return lacre_validator_add_trust_anchor(validator, bytes, len, error);
}

static int put(const char *output, const char *ending, const lacre_buffer *written) {
  char name[4096];
  FILE *file;
  int done;
  snprintf(name, sizeof name, "%s.%s", output, ending);
  file = fopen(name, "wb");
  done = file != NULL &&
         fwrite(lacre_buffer_data(written), 1, lacre_buffer_len(written), file) == lacre_buffer_len(written);
  if (!done) {
    perror(name);
  }
  if (file != NULL) {
    fclose(file);
  }
  return done;
}

/* Whether a bundle says the same again: of its facts, and of the document. */
static int replays(const lacre_buffer *zip, const lacre_document *document) {
  lacre_bundle *bundle = NULL;
  lacre_error *error = NULL;
  int done = 1, again;
  if (lacre_bundle_from_memory(lacre_buffer_data(zip), lacre_buffer_len(zip), &bundle, &error) != LACRE_OK) {
    tell("bundle", error);
    return 0;
  }
  for (again = 0; again < 2; again++) {
    lacre_report *report = NULL;
    lacre_buffer *differences = NULL;
    if (lacre_bundle_replay(bundle, again ? document : NULL, &report, &differences, &error) != LACRE_OK) {
      tell("replay", error);
      done = 0;
    } else if (lacre_buffer_len(differences) > 0 ||
               lacre_report_validation_time(report) != lacre_bundle_validation_time(bundle) ||
               strcmp(lacre_report_document_sha256(report).data, lacre_bundle_document_sha256(bundle).data) != 0) {
      fprintf(stderr, "write: replay: %s\n", (const char *)lacre_buffer_data(differences));
      done = 0;
    }
    lacre_buffer_free(differences);
    lacre_report_free(report);
  }
  lacre_bundle_free(bundle);
  return done;
}

static int job(char *line) {
  char *output = strtok(line, "\t\n"), *path = strtok(NULL, "\t\n"), *date = strtok(NULL, "\t\n"), *more;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_buffer *bundle = NULL;
  lacre_error *error = NULL;
  lacre_status status = LACRE_OK;
  int64_t time;
  size_t i;
  int done = 1, bundled = 0;

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
    case 'b':
      bundled = 1;
      break;
    case 'c':
      status = lacre_document_add_content_file(document, more + 2, &error);
      break;
    default:
      status = lacre_document_set_password(document, (const uint8_t *)more + 2, strlen(more + 2), &error);
    }
  }
  if (done && (status != LACRE_OK ||
               (bundled ? lacre_validate_bundled(validator, document, time, NULL, &report, &bundle, &error)
                        : lacre_validate(validator, document, time, &report, &error)) != LACRE_OK)) {
    tell(path, error);
    done = status == LACRE_OK;
  }
  if (bundle != NULL && (!put(output, "zip", bundle) || !replays(bundle, document))) {
    done = 0;
  }
  for (i = 0; report != NULL && i < sizeof forms / sizeof forms[0]; i++) {
    lacre_buffer *written = NULL;
    if (lacre_report_write(report, forms[i].format, NULL, &written, &error) != LACRE_OK) {
      tell(path, error);
      continue;
    }
    done = put(output, forms[i].ending, written) && done;
    lacre_buffer_free(written);
  }
  lacre_buffer_free(bundle);
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
