/* Asks a report everything that can be asked, a line an answer, for the tests to compare with its JSON.
 *
 * usage: everything FILE TRUST-ANCHOR DATE [CONTENT]
 */
#include <inttypes.h>
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>

static void text(const char *what, lacre_str value) {
  printf("%s=", what);
  fwrite(value.data, 1, value.len, stdout);
  putchar('\n');
}

static void moment(const char *what, int64_t time) {
  char written[LACRE_TIME_TEXT_SIZE];
  if (lacre_time_format(time, written, sizeof written) == LACRE_OK) {
    printf("%s=%s\n", what, written);
  }
}

static void verdict(int32_t indication, int32_t sub_indication) {
  printf("indication=%s\n", lacre_indication_name(indication));
  printf("sub_indication=%s\n", lacre_sub_indication_name(sub_indication));
}

static void certificate(const lacre_certificate *of) {
  printf("[certificate]\n");
  text("id", lacre_certificate_id(of));
  text("sha256", lacre_certificate_sha256(of));
  text("subject", lacre_certificate_subject(of));
  text("issuer", lacre_certificate_issuer(of));
  text("common_name", lacre_certificate_common_name(of));
  text("serial", lacre_certificate_serial(of));
  moment("not_before", lacre_certificate_not_before(of));
  moment("not_after", lacre_certificate_not_after(of));
  text("name", lacre_certificate_name(of));
  text("revocation_status", lacre_certificate_revocation_status(of));
  moment("revocation_time", lacre_certificate_revocation_time(of));
  text("revocation_reason", lacre_certificate_revocation_reason(of));
  text("revocation_producer", lacre_certificate_revocation_producer(of));
  moment("revocation_issued", lacre_certificate_revocation_issued(of));
  printf("trusted=%s\n", lacre_certificate_is_trusted(of) ? "true" : "false");
}

static void finding(const lacre_finding *of) {
  static const char *const severities[] = {"none", "error", "warning", "info"};
  printf("[finding]\n");
  printf("severity=%s\n", severities[lacre_finding_severity(of)]);
  text("check", lacre_finding_check(of));
  text("subject", lacre_finding_subject(of));
  text("message", lacre_finding_message(of));
  text("compared", lacre_finding_compared(of));
  text("token", lacre_finding_token(of));
}

static void signature(const lacre_signature *of) {
  size_t i;
  printf("[signature]\n");
  text("id", lacre_signature_id(of));
  text("parent", lacre_signature_parent(of));
  verdict(lacre_signature_indication(of), lacre_signature_sub_indication(of));
  text("level", lacre_signature_level(of));
  text("qualification", lacre_signature_qualification(of));
  text("qualification_text", lacre_signature_qualification_text(of));
  text("file", lacre_signature_file(of));
  text("field", lacre_signature_field(of));
  moment("claimed_signing_time", lacre_signature_claimed_time(of));
  moment("best_signature_time", lacre_signature_best_time(of));
  text("signer", lacre_signature_signer(of));
  text("digest", lacre_signature_digest_algorithm(of));
  text("key_algorithm", lacre_signature_key_algorithm(of));
  printf("key=%" PRIu32 "\n", lacre_signature_key_bits(of));
  text("value_sha256", lacre_signature_value_sha256(of));
  for (i = 0; i < lacre_signature_scope_count(of); i++) {
    text("scope_name", lacre_signature_scope_name(of, i));
    text("scope_kind", lacre_signature_scope_kind(of, i));
  }
  for (i = 0; i < lacre_signature_timestamp_count(of); i++) {
    text("timestamp", lacre_signature_timestamp_id(of, i));
  }
  for (i = 0; i < lacre_signature_certificate_count(of); i++) {
    certificate(lacre_signature_certificate(of, i));
  }
  for (i = 0; i < lacre_signature_finding_count(of); i++) {
    finding(lacre_signature_finding(of, i));
  }
  for (i = 0; i < lacre_signature_qualification_finding_count(of); i++) {
    finding(lacre_signature_qualification_finding(of, i));
  }
}

static void timestamp(const lacre_timestamp *of) {
  size_t i;
  printf("[timestamp]\n");
  text("id", lacre_timestamp_id(of));
  text("type", lacre_timestamp_type(of));
  moment("time", lacre_timestamp_time(of));
  verdict(lacre_timestamp_indication(of), lacre_timestamp_sub_indication(of));
  text("qualification", lacre_timestamp_qualification(of));
  text("qualification_text", lacre_timestamp_qualification_text(of));
  text("signer", lacre_timestamp_signer(of));
  for (i = 0; i < lacre_timestamp_certificate_count(of); i++) {
    certificate(lacre_timestamp_certificate(of, i));
  }
  for (i = 0; i < lacre_timestamp_finding_count(of); i++) {
    finding(lacre_timestamp_finding(of, i));
  }
  for (i = 0; i < lacre_timestamp_qualification_finding_count(of); i++) {
    finding(lacre_timestamp_qualification_finding(of, i));
  }
}

static void evidence_record(const lacre_evidence_record *of) {
  size_t i;
  printf("[evidence_record]\n");
  text("id", lacre_evidence_record_id(of));
  text("type", lacre_evidence_record_type(of));
  moment("time", lacre_evidence_record_time(of));
  verdict(lacre_evidence_record_indication(of), lacre_evidence_record_sub_indication(of));
  for (i = 0; i < lacre_evidence_record_finding_count(of); i++) {
    finding(lacre_evidence_record_finding(of, i));
  }
}

static void wanted(const lacre_wanted *of) {
  static const char *const kinds[] = {"none", "ocsp", "crl", "issuer", "trusted-list", "content"};
  size_t i;
  printf("[wanted]\n");
  printf("kind=%s\n", kinds[lacre_wanted_kind(of)]);
  text("for", lacre_wanted_about(of));
  for (i = 0; i < lacre_wanted_url_count(of); i++) {
    text("url", lacre_wanted_url(of, i));
  }
}

static void report(const lacre_report *of) {
  size_t i;
  printf("[report]\n");
  printf("indication=%s\n", lacre_indication_name(lacre_report_indication(of)));
  moment("validation_time", lacre_report_validation_time(of));
  text("policy", lacre_report_policy(of));
  text("sha256", lacre_report_document_sha256(of));
  printf("signatures=%zu\n", lacre_report_signature_count(of));
  printf("passed=%zu\n", lacre_report_passed_count(of));
  for (i = 0; i < lacre_report_signature_count(of); i++) {
    signature(lacre_report_signature(of, i));
  }
  for (i = 0; i < lacre_report_timestamp_count(of); i++) {
    timestamp(lacre_report_timestamp(of, i));
  }
  for (i = 0; i < lacre_report_evidence_record_count(of); i++) {
    evidence_record(lacre_report_evidence_record(of, i));
  }
  for (i = 0; i < lacre_report_wanted_count(of); i++) {
    wanted(lacre_report_wanted(of, i));
  }
}

int main(int argc, char **argv) {
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *made = NULL;
  lacre_buffer *json = NULL;
  lacre_error *error = NULL;
  uint8_t anchor[16384];
  size_t anchor_len;
  int64_t time;
  FILE *file;
  int status = 0;

  if (argc < 4 || (file = fopen(argv[2], "rb")) == NULL) {
    fprintf(stderr, "usage: everything FILE TRUST-ANCHOR DATE [CONTENT]\n");
    return 2;
  }
  anchor_len = fread(anchor, 1, sizeof anchor, file);
  fclose(file);
  if (lacre_time_parse(argv[3], &time, &error) != LACRE_OK ||
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      lacre_validator_add_trust_anchor(validator, anchor, anchor_len, &error) != LACRE_OK ||
      lacre_document_from_file(argv[1], &document, &error) != LACRE_OK ||
      (argc > 4 && lacre_document_add_content_file(document, argv[4], &error) != LACRE_OK) ||
      lacre_validate(validator, document, time, &made, &error) != LACRE_OK ||
      lacre_report_write(made, LACRE_FORMAT_JSON, NULL, &json, &error) != LACRE_OK) {
    fprintf(stderr, "everything: error: %s\n", lacre_error_message(error).data);
    lacre_error_free(error);
    status = 5;
  } else {
    printf("%s\n", (const char *)lacre_buffer_data(json));
    report(made);
  }
  lacre_buffer_free(json);
  lacre_report_free(made);
  lacre_document_free(document);
  lacre_validator_free(validator);
  return status;
}
