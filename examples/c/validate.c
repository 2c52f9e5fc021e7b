/* Validates a signed file and says what was found.
 *
 * usage: validate FILE TRUST-ANCHOR DATE
 * Exit status: 0 every signature TOTAL-PASSED, 1 some did not, 2 usage, 5 could not do the job.
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>

/* Tells an error, and frees it. */
static int failed(lacre_error *error) {
  lacre_str hint = lacre_error_hint(error);
  fprintf(stderr, "validate: error: %s\n", lacre_error_message(error).data);
  if (hint.len > 0) {
    fprintf(stderr, "validate: hint: %s\n", hint.data);
  }
  lacre_error_free(error);
  return 5;
}

/* Trusts the certificate in a file. */
static lacre_status trust(lacre_validator *validator, const char *path, lacre_error **error) {
  uint8_t certificate[16384];
  size_t len;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(5);
  }
  len = fread(certificate, 1, sizeof certificate, file);
  fclose(file);
  return lacre_validator_add_trust_anchor(validator, certificate, len, error);
}

static void print_signature(const lacre_signature *signature) {
  char time[LACRE_TIME_TEXT_SIZE];
  size_t i;
  printf("%s %s\n", lacre_indication_name(lacre_signature_indication(signature)),
         lacre_sub_indication_name(lacre_signature_sub_indication(signature)));
  printf("  signer         %s\n", lacre_signature_signer(signature).data);
  printf("  level          %s\n", lacre_signature_level(signature).data);
  printf("  qualification  %s\n", lacre_signature_qualification(signature).data);
  if (lacre_time_format(lacre_signature_best_time(signature), time, sizeof time) == LACRE_OK) {
    printf("  existed by     %s\n", time);
  }
  for (i = 0; i < lacre_signature_scope_count(signature); i++) {
    printf("  signs          %s (%s)\n", lacre_signature_scope_name(signature, i).data,
           lacre_signature_scope_kind(signature, i).data);
  }
  for (i = 0; i < lacre_signature_finding_count(signature); i++) {
    const lacre_finding *finding = lacre_signature_finding(signature, i);
    printf("  %-14s %s\n", lacre_finding_severity(finding) == LACRE_SEVERITY_ERROR ? "error" : "note",
           lacre_finding_message(finding).data);
  }
}

int main(int argc, char **argv) {
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_error *error = NULL;
  int64_t time;
  int status;
  size_t i;

  if (argc != 4) {
    fprintf(stderr, "usage: validate FILE TRUST-ANCHOR DATE\n");
    return 2;
  }
  if (lacre_time_parse(argv[3], &time, &error) != LACRE_OK ||
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      trust(validator, argv[2], &error) != LACRE_OK ||
      lacre_document_from_file(argv[1], &document, &error) != LACRE_OK ||
      lacre_validate(validator, document, time, &report, &error) != LACRE_OK) {
    status = failed(error);
  } else {
    for (i = 0; i < lacre_report_signature_count(report); i++) {
      print_signature(lacre_report_signature(report, i));
    }
    for (i = 0; i < lacre_report_wanted_count(report); i++) {
      const lacre_wanted *wanted = lacre_report_wanted(report, i);
      if (lacre_wanted_url_count(wanted) > 0) {
        printf("would help: %s\n", lacre_wanted_url(wanted, 0).data);
      }
    }
    status = lacre_report_indication(report) == LACRE_INDICATION_TOTAL_PASSED ? 0 : 1;
  }

  /* What was never made is NULL, and freeing NULL does nothing. */
  lacre_report_free(report);
  lacre_document_free(document);
  lacre_validator_free(validator);
  return status;
}
