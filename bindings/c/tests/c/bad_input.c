/* Hands in what a program may hand in by mistake: each is a defined error, and nothing is left behind.
 *
 * usage: bad_input DEBUG    DEBUG: 1 where the library is a debug build
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

/* The code is the one expected, and an error came with it, with the same code and a message. */
static void expect_at(int line, lacre_status found, lacre_status expected, lacre_error **error) {
  int told = found == LACRE_OK
                 ? *error == NULL
                 : *error != NULL && lacre_error_code(*error) == found && lacre_error_message(*error).len > 0;
  if (found != expected || !told) {
    fprintf(stderr, "line %d: found %s, expected %s: %s\n", line, lacre_status_name(found),
            lacre_status_name(expected), lacre_error_message(*error).data);
    wrong++;
  }
  lacre_error_free(*error);
  *error = NULL;
}

static void check_at(int line, int holds) {
  if (!holds) {
    fprintf(stderr, "line %d: does not hold\n", line);
    wrong++;
  }
}

#define expect(call, status) expect_at(__LINE__, (call), (status), &error)
#define check(holds) check_at(__LINE__, (holds))
#define NULL_ARGUMENT LACRE_ERROR_NULL_ARGUMENT
#define INVALID LACRE_ERROR_INVALID_ARGUMENT

static const uint8_t bytes[] = "neither a document nor a certificate nor a key";
static const size_t bytes_len = sizeof bytes - 1;
static const char not_utf8[] = {'\xff', '\xfe', 0};
static const size_t too_long = (size_t)-1;

static void documents(void) {
  lacre_error *error = NULL;
  lacre_document *document = NULL;

  expect(lacre_document_from_memory(NULL, 1, &document, &error), NULL_ARGUMENT);
  check(document == NULL);
  expect(lacre_document_from_memory(bytes, too_long, &document, &error), INVALID);
  expect(lacre_document_from_memory(bytes, 1, NULL, &error), NULL_ARGUMENT);
  check(lacre_document_from_memory(NULL, 1, NULL, NULL) == NULL_ARGUMENT);
  expect(lacre_document_from_file(NULL, &document, &error), NULL_ARGUMENT);
  expect(lacre_document_from_file("/nowhere/at all", &document, &error), LACRE_ERROR_FILE);
  expect(lacre_document_from_file("/", &document, &error), LACRE_ERROR_FILE);
  expect(lacre_document_from_file(not_utf8, &document, &error), LACRE_ERROR_FILE);
  check(document == NULL);

  expect(lacre_document_from_memory(NULL, 0, &document, &error), LACRE_OK);
  expect(lacre_document_set_name(document, not_utf8, &error), LACRE_ERROR_INVALID_UTF8);
  expect(lacre_document_set_name(document, NULL, &error), NULL_ARGUMENT);
  expect(lacre_document_set_name(NULL, "name", &error), NULL_ARGUMENT);
  expect(lacre_document_set_password(document, NULL, 3, &error), NULL_ARGUMENT);
  expect(lacre_document_set_password(document, bytes, too_long, &error), INVALID);
  expect(lacre_document_add_content(document, NULL, bytes, bytes_len, &error), NULL_ARGUMENT);
  expect(lacre_document_add_content(document, not_utf8, bytes, bytes_len, &error), LACRE_ERROR_INVALID_UTF8);
  expect(lacre_document_add_content(document, "a", NULL, 1, &error), NULL_ARGUMENT);
  expect(lacre_document_add_content_file(document, "/nowhere", &error), LACRE_ERROR_FILE);
  expect(lacre_document_free(document), LACRE_OK);
  expect(lacre_document_free(NULL), LACRE_OK);
}

static void snapshots(const lacre_trusted_lists *lists) {
  lacre_error *error = NULL;
  lacre_trusted_lists *read = NULL;
  lacre_buffer *snapshot = NULL;
  uint8_t changed[1 << 12];
  size_t len;

  expect(lacre_trusted_lists_to_snapshot(NULL, &snapshot, &error), NULL_ARGUMENT);
  expect(lacre_trusted_lists_to_snapshot(lists, NULL, &error), NULL_ARGUMENT);
  expect(lacre_trusted_lists_to_snapshot(lists, &snapshot, &error), LACRE_OK);
  len = lacre_buffer_len(snapshot);
  check(len < sizeof changed);
  memcpy(changed, lacre_buffer_data(snapshot), len);
  expect(lacre_trusted_lists_from_snapshot(changed, len, &read, &error), LACRE_OK);
  check(lacre_trusted_lists_count(read) == lacre_trusted_lists_count(lists));
  expect(lacre_trusted_lists_check_packer(read, bytes, bytes_len, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_trusted_lists_check_packer(NULL, bytes, bytes_len, &error), NULL_ARGUMENT);
  expect(lacre_trusted_lists_add(read, "list.xml", bytes, bytes_len, LACRE_NO_TIME, &error), INVALID);
  expect(lacre_trusted_lists_add_folder(read, ".", &error), INVALID);
  expect(lacre_trusted_lists_free(read), LACRE_OK);
  changed[len / 2] ^= 1;
  expect(lacre_trusted_lists_from_snapshot(changed, len, &read, &error), LACRE_ERROR_TRUSTED_LISTS);
  expect(lacre_trusted_lists_from_snapshot(bytes, bytes_len, &read, &error), LACRE_ERROR_TRUSTED_LISTS);
  expect(lacre_trusted_lists_from_snapshot(NULL, 1, &read, &error), NULL_ARGUMENT);
  check(read == NULL);
  expect(lacre_buffer_free(snapshot), LACRE_OK);
}

static void bundles_and_certificates(void) {
  lacre_error *error = NULL;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = (lacre_report *)(void *)&error;
  lacre_buffer *buffer = NULL;
  lacre_bundle *bundle = NULL;
  lacre_certificate_report *judged = NULL;

  expect(lacre_validator_new(NULL, 0, NULL, 0, &validator, &error), LACRE_OK);
  expect(lacre_document_from_memory(bytes, bytes_len, &document, &error), LACRE_OK);
  expect(lacre_validate_bundled(validator, document, 0, NULL, &report, NULL, &error), NULL_ARGUMENT);
  check(report == NULL);
  expect(lacre_validate_bundled(validator, document, 0, "xx", &report, &buffer, &error), INVALID);
  expect(lacre_validate_bundled(validator, document, LACRE_NO_TIME, NULL, &report, &buffer, &error), INVALID);
  expect(lacre_validate_bundled(validator, document, 0, NULL, &report, &buffer, &error), LACRE_ERROR_UNKNOWN_FORMAT);
  check(report == NULL && buffer == NULL);
  expect(lacre_bundle_from_memory(bytes, bytes_len, &bundle, &error), LACRE_ERROR_BUNDLE);
  expect(lacre_bundle_from_memory(NULL, 2, &bundle, &error), NULL_ARGUMENT);
  expect(lacre_bundle_replay(NULL, document, &report, &buffer, &error), NULL_ARGUMENT);
  check(bundle == NULL && lacre_bundle_free(NULL) == LACRE_OK);
  check(lacre_bundle_report(NULL).len == 0 && lacre_bundle_validation_time(NULL) == LACRE_NO_TIME);

  expect(lacre_validate_certificate(validator, bytes, bytes_len, NULL, 0, &judged, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_validate_certificate(validator, bytes, bytes_len, NULL, LACRE_NO_TIME, &judged, &error), INVALID);
  expect(lacre_validate_certificate(NULL, bytes, bytes_len, NULL, 0, &judged, &error), NULL_ARGUMENT);
  expect(lacre_certificate_report_write(NULL, LACRE_FORMAT_TEXT, NULL, &buffer, &error), NULL_ARGUMENT);
  check(judged == NULL && lacre_certificate_report_indication(NULL) == LACRE_INDICATION_NONE);
  check(lacre_certificate_report_wanted(NULL, 0) == NULL && lacre_certificate_report_free(NULL) == LACRE_OK);
  expect(lacre_document_free(document), LACRE_OK);
  expect(lacre_validator_free(validator), LACRE_OK);
}

static void validators(void) {
  lacre_error *error = NULL;
  lacre_validator *validator = NULL;
  lacre_trusted_lists *lists = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_buffer *buffer = NULL;
  int64_t time = 0;

  expect(lacre_validator_new(bytes, bytes_len, NULL, 0, &validator, &error), LACRE_ERROR_POLICY);
  expect(lacre_validator_new(NULL, 0, bytes, bytes_len, &validator, &error), LACRE_ERROR_POLICY);
  expect(lacre_validator_new(NULL, 7, NULL, 0, &validator, &error), NULL_ARGUMENT);
  check(validator == NULL);
  expect(lacre_validator_new(NULL, 0, NULL, 0, NULL, &error), NULL_ARGUMENT);
  expect(lacre_validator_new(NULL, 0, NULL, 0, &validator, &error), LACRE_OK);
  expect(lacre_validator_add_trust_anchor(validator, bytes, bytes_len, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_validator_add_trust_anchor(validator, NULL, 0, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_validator_add_trust_anchor(NULL, bytes, bytes_len, &error), NULL_ARGUMENT);
  expect(lacre_validator_add_evidence(validator, bytes, bytes_len, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_validator_add_evidence(validator, bytes, too_long, &error), INVALID);

  expect(lacre_trusted_lists_new(NULL, &error), NULL_ARGUMENT);
  expect(lacre_trusted_lists_new(&lists, &error), LACRE_OK);
  expect(lacre_trusted_lists_add_folder(lists, "/nowhere", &error), LACRE_ERROR_FILE);
  expect(lacre_trusted_lists_add_folder(lists, NULL, &error), NULL_ARGUMENT);
  expect(lacre_trusted_lists_add(lists, not_utf8, bytes, bytes_len, time, &error), LACRE_ERROR_INVALID_UTF8);
  expect(lacre_trusted_lists_add(lists, "list.xml", bytes, bytes_len, INT64_MAX, &error), INVALID);
  expect(lacre_trusted_lists_add(lists, "list.xml", bytes, bytes_len, LACRE_NO_TIME, &error), LACRE_OK);
  expect(lacre_trusted_lists_add_signer(lists, bytes, bytes_len, &error), LACRE_ERROR_EVIDENCE);
  check(lacre_trusted_lists_trusted_count(lists) == 0 && lacre_trusted_lists_trusted_count(NULL) == 0);
  expect(lacre_validator_set_trusted_lists(validator, NULL, &error), NULL_ARGUMENT);
  expect(lacre_validator_set_trusted_lists(validator, lists, &error), LACRE_OK);
  check(lacre_trusted_lists_count(lists) == 1 && lacre_trusted_lists_count(NULL) == 0);
  check(!lacre_list_state_is_trusted(lacre_trusted_lists_state(lists, 0)));
  check(lacre_list_state_problem_count(lacre_trusted_lists_state(lists, 0)) == 1);
  check(lacre_trusted_lists_state(lists, 1) == NULL && lacre_trusted_lists_state(NULL, 0) == NULL);
  snapshots(lists);
  expect(lacre_trusted_lists_free(lists), LACRE_OK);

  expect(lacre_document_from_memory(bytes, bytes_len, &document, &error), LACRE_OK);
  expect(lacre_validate(validator, document, 0, &report, &error), LACRE_ERROR_UNKNOWN_FORMAT);
  expect(lacre_validate(NULL, document, 0, &report, &error), NULL_ARGUMENT);
  expect(lacre_validate(validator, NULL, 0, &report, &error), NULL_ARGUMENT);
  expect(lacre_validate(validator, document, 0, NULL, &error), NULL_ARGUMENT);
  expect(lacre_validate(validator, document, LACRE_NO_TIME, &report, &error), INVALID);
  expect(lacre_validate(validator, document, INT64_MAX, &report, &error), INVALID);
  check(report == NULL);
  expect(lacre_inspect(validator, document, 0, LACRE_FORMAT_PDF, &buffer, &error), INVALID);
  expect(lacre_inspect(validator, document, 0, -1, &buffer, &error), INVALID);
  expect(lacre_inspect(validator, document, 0, LACRE_FORMAT_JSON, &buffer, &error), LACRE_ERROR_UNKNOWN_FORMAT);
  expect(lacre_document_free(document), LACRE_OK);
  expect(lacre_document_from_memory((const uint8_t *)"%PDF-1.7", 8, &document, &error), LACRE_OK);
  expect(lacre_validate(validator, document, 0, &report, &error), LACRE_ERROR_UNREADABLE);
  expect(lacre_document_free(document), LACRE_OK);

  expect(lacre_judge(validator, bytes, bytes_len, 0, &report, &error), LACRE_ERROR_FACTS);
  expect(lacre_judge(validator, (const uint8_t *)"{\"schema\":\"lacre-facts/1\",\"facts\":{}}", 37, LACRE_NO_TIME,
                     &report, &error),
         LACRE_ERROR_FACTS);
  expect(lacre_judge(validator, (const uint8_t *)"{\"schema\":\"lacre-facts/1\",\"facts\":{}}", 37, 0, &report,
                     &error),
         LACRE_OK);
  check(lacre_report_indication(report) == LACRE_INDICATION_NO_SIGNATURE_FOUND);
  expect(lacre_report_write(report, 0, NULL, &buffer, &error), INVALID);
  expect(lacre_report_write(report, INT32_MAX, NULL, &buffer, &error), INVALID);
  expect(lacre_report_write(report, LACRE_FORMAT_TEXT, "xx", &buffer, &error), INVALID);
  expect(lacre_report_write(report, LACRE_FORMAT_TEXT, not_utf8, &buffer, &error), LACRE_ERROR_INVALID_UTF8);
  expect(lacre_report_write(NULL, LACRE_FORMAT_TEXT, NULL, &buffer, &error), NULL_ARGUMENT);
  expect(lacre_report_write(report, LACRE_FORMAT_TEXT, NULL, NULL, &error), NULL_ARGUMENT);
  check(buffer == NULL);
  check(lacre_report_signature(report, 0) == NULL && lacre_report_timestamp(report, too_long) == NULL);
  expect(lacre_report_free(report), LACRE_OK);
  expect(lacre_validator_free(validator), LACRE_OK);
}

/* What answers with a value answers NULL with an empty value. */
static void accessors(void) {
  check(lacre_report_indication(NULL) == LACRE_INDICATION_NONE && lacre_report_signature_count(NULL) == 0);
  check(lacre_report_validation_time(NULL) == LACRE_NO_TIME && lacre_report_policy(NULL).len == 0);
  check(lacre_report_passed_count(NULL) == 0 && lacre_report_wanted_count(NULL) == 0);
  check(lacre_report_signature(NULL, 0) == NULL && lacre_report_evidence_record(NULL, 0) == NULL);
  check(lacre_signature_id(NULL).data != NULL && lacre_signature_id(NULL).len == 0);
  check(lacre_signature_indication(NULL) == LACRE_INDICATION_NONE && lacre_signature_key_bits(NULL) == 0);
  check(lacre_signature_sub_indication(NULL) == LACRE_SUB_INDICATION_NONE);
  check(lacre_signature_best_time(NULL) == LACRE_NO_TIME && lacre_signature_certificate(NULL, 0) == NULL);
  check(lacre_signature_scope_name(NULL, 3).len == 0 && lacre_signature_finding(NULL, 0) == NULL);
  check(lacre_timestamp_time(NULL) == LACRE_NO_TIME && lacre_timestamp_type(NULL).data != NULL);
  check(lacre_evidence_record_time(NULL) == LACRE_NO_TIME && lacre_evidence_record_finding_count(NULL) == 0);
  check(!lacre_certificate_is_trusted(NULL) && lacre_certificate_subject(NULL).len == 0);
  check(lacre_finding_severity(NULL) == LACRE_SEVERITY_NONE && lacre_finding_message(NULL).len == 0);
  check(lacre_wanted_kind(NULL) == LACRE_EVIDENCE_NONE && lacre_wanted_url(NULL, 0).len == 0);
  check(lacre_buffer_data(NULL) == NULL && lacre_buffer_len(NULL) == 0);
  check(lacre_error_code(NULL) == LACRE_OK && lacre_error_hint(NULL).len == 0);
  check(lacre_error_cause(NULL).len == 0 && lacre_want_kind(NULL) == LACRE_EVIDENCE_NONE);
  check(lacre_want_not_before(NULL) == LACRE_NO_TIME && lacre_want_url(NULL, 0).data != NULL);
  check(strcmp(lacre_status_name(-7), "LACRE_ERROR_UNKNOWN") == 0);
  check(strcmp(lacre_indication_name(99), "") == 0 && strcmp(lacre_sub_indication_name(-1), "") == 0);
  check(lacre_report_free(NULL) == LACRE_OK && lacre_key_free(NULL) == LACRE_OK);
  check(lacre_buffer_free(NULL) == LACRE_OK && lacre_error_free(NULL) == LACRE_OK);
}

static void times(void) {
  lacre_error *error = NULL;
  char text[LACRE_TIME_TEXT_SIZE];
  int64_t time = 1;

  expect(lacre_time_parse("yesterday", &time, &error), INVALID);
  check(time == LACRE_NO_TIME);
  expect(lacre_time_parse(NULL, &time, &error), NULL_ARGUMENT);
  expect(lacre_time_parse("2026-01-01", NULL, &error), NULL_ARGUMENT);
  expect(lacre_time_parse(not_utf8, &time, &error), LACRE_ERROR_INVALID_UTF8);
  expect(lacre_time_parse("2026-11-21T10:00:00+01:00", &time, &error), LACRE_OK);
  check(lacre_time_format(time, text, sizeof text) == LACRE_OK && strcmp(text, "2026-11-21T09:00:00Z") == 0);
  check(lacre_time_format(time, text, 5) == INVALID && lacre_time_format(time, NULL, 100) == NULL_ARGUMENT);
  check(lacre_time_format(INT64_MAX, text, sizeof text) == INVALID);
  check(lacre_time_format(LACRE_NO_TIME, text, sizeof text) == LACRE_OK && text[0] == 0);
}

enum how { FAILS, STATES_TOO_MUCH, STATES_NOTHING, GIVES_RUBBISH };

static int32_t bad_signer(void *user_data, int32_t scheme, int32_t digest, const uint8_t *hash, size_t hash_len,
                          uint8_t *value, size_t value_capacity, size_t *value_len) {
  (void)scheme, (void)digest, (void)hash, (void)hash_len;
  switch (*(enum how *)user_data) {
  case FAILS:
    return 42;
  case STATES_TOO_MUCH:
    *value_len = value_capacity + 1;
    return 0;
  case STATES_NOTHING:
    return 0;
  default:
    memset(value, 0x30, 64);
    *value_len = 64;
    return 0;
  }
}

static int released = 0;
static void release(void *user_data) {
  (void)user_data;
  released++;
}

static int32_t bad_random(void *user_data, uint8_t *to_fill, size_t len) {
  (void)user_data, (void)to_fill, (void)len;
  return -9;
}

/* "Random" bytes that are always the same. */
static int32_t constant_random(void *user_data, uint8_t *to_fill, size_t len) {
  (void)user_data;
  memset(to_fill, 0, len);
  return 0;
}

static int32_t good_random(void *user_data, uint8_t *to_fill, size_t len) {
  uint32_t *state = user_data;
  size_t i;
  for (i = 0; i < len; i++) {
    *state = *state * 1664525 + 1013904223;
    to_fill[i] = (uint8_t)(*state >> 24);
  }
  return 0;
}

/* A key on Ed25519, encrypted under "pw". */
static const char encrypted_key[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh1JIWjFGLqbAICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKynh0nsb1NBbUQON+gV3o8EQGbO\n"
    "cgsN2tCSs8gUQnQzEp4PnIW0/XTQPWPWehKDZXrTJoKkK7VQ9j88zRzlScnHXYWb\n"
    "jogYovd8hT+2k92pYvc=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

static void keys(void) {
  lacre_error *error = NULL;
  lacre_key *key = NULL, *external = NULL;
  lacre_buffer *buffer = NULL, *public_key = NULL;
  uint8_t hash[64] = {1};
  uint32_t seed = 7;
  enum how how;

  expect(lacre_key_from_pkcs8(bytes, bytes_len, NULL, 0, &key, &error), LACRE_ERROR_KEY);
  expect(lacre_key_from_pkcs8(NULL, 4, NULL, 0, &key, &error), NULL_ARGUMENT);
  expect(lacre_key_from_pkcs8(bytes, bytes_len, NULL, 1, &key, &error), NULL_ARGUMENT);
  expect(lacre_key_from_pkcs8(bytes, bytes_len, bytes, too_long, &key, &error), INVALID);
  expect(lacre_key_from_pkcs8((const uint8_t *)encrypted_key, sizeof encrypted_key - 1, NULL, 0, &key, &error),
         LACRE_ERROR_KEY);
  expect(lacre_key_from_pkcs8((const uint8_t *)encrypted_key, sizeof encrypted_key - 1, (const uint8_t *)"pv", 2, &key,
                              &error),
         LACRE_ERROR_KEY);
  check(key == NULL);
  expect(lacre_key_from_pkcs8((const uint8_t *)encrypted_key, sizeof encrypted_key - 1, (const uint8_t *)"pw", 2, &key,
                              &error),
         LACRE_OK);
  expect(lacre_key_free(key), LACRE_OK);
  key = NULL;
  expect(lacre_key_generate(0, NULL, NULL, &key, &error), INVALID);
  expect(lacre_key_generate(LACRE_KEY_ECDSA_P256, bad_random, NULL, &key, &error), LACRE_ERROR_CALLBACK);
  expect(lacre_key_generate(LACRE_KEY_ECDSA_P256, constant_random, NULL, &key, &error), LACRE_ERROR_CALLBACK);
  check(key == NULL);
  expect(lacre_key_generate(LACRE_KEY_ECDSA_P256, good_random, &seed, &key, &error), LACRE_OK);
  expect(lacre_key_sign_hash(key, LACRE_SCHEME_USUAL, LACRE_DIGEST_SHA256, hash, 31, NULL, NULL, &buffer, &error),
         LACRE_ERROR_SIGNING);
  expect(lacre_key_sign_hash(key, LACRE_SCHEME_RSA_PSS, LACRE_DIGEST_SHA256, hash, 32, NULL, NULL, &buffer, &error),
         INVALID);
  expect(lacre_key_sign_hash(key, 77, LACRE_DIGEST_SHA256, hash, 32, NULL, NULL, &buffer, &error), INVALID);
  expect(lacre_key_sign_hash(key, LACRE_SCHEME_USUAL, 0, hash, 32, NULL, NULL, &buffer, &error), INVALID);
  expect(lacre_key_sign_hash(NULL, 0, 1, hash, 32, NULL, NULL, &buffer, &error), NULL_ARGUMENT);
  check(buffer == NULL);
  expect(lacre_key_public(key, &public_key, &error), LACRE_OK);

  expect(lacre_key_from_callback(lacre_buffer_data(public_key), lacre_buffer_len(public_key), NULL, NULL, release,
                                 &external, &error),
         NULL_ARGUMENT);
  expect(lacre_key_from_callback(bytes, bytes_len, bad_signer, NULL, release, &external, &error), LACRE_ERROR_KEY);
  check(released == 0);
  for (how = FAILS; how <= GIVES_RUBBISH; how++) {
    expect(lacre_key_from_callback(lacre_buffer_data(public_key), lacre_buffer_len(public_key), bad_signer, &how,
                                   release, &external, &error),
           LACRE_OK);
    expect(lacre_key_sign_hash(external, LACRE_SCHEME_ECDSA, LACRE_DIGEST_SHA256, hash, 32, NULL, NULL, &buffer,
                               &error),
           LACRE_ERROR_CALLBACK);
    expect(lacre_key_to_pkcs8(external, &buffer, &error), INVALID);
    expect(lacre_key_free(external), LACRE_OK);
    check(released == (int)how + 1);
  }
  expect(lacre_key_free(key), LACRE_OK);
  expect(lacre_buffer_free(public_key), LACRE_OK);
}

/* Its cause is this one. */
static void expect_cause_at(int line, lacre_status found, lacre_status expected, const char *cause,
                            lacre_error **error) {
  if (strcmp(lacre_error_cause(*error).data, cause) != 0) {
    fprintf(stderr, "line %d: found the cause %s, expected %s\n", line, lacre_error_cause(*error).data, cause);
    wrong++;
  }
  expect_at(line, found, expected, error);
}

#define expect_cause(call, status, cause) expect_cause_at(__LINE__, (call), (status), (cause), &error)

/* An order of signatures, and prepared ones. */
static void signatures(lacre_signing *signing, const lacre_key *key, const lacre_key *other) {
  lacre_error *error = NULL;
  lacre_prepared *prepared = NULL, *again = NULL;
  lacre_document *document = NULL, *changed = NULL;
  lacre_buffer *buffer = NULL, *hash = NULL, *value = NULL, *state = NULL;
  uint8_t digest[32] = {2}, copy[1 << 13];
  size_t kept = 7, len;

  expect(lacre_signing_set(NULL, "role", "x", &error), NULL_ARGUMENT);
  expect(lacre_signing_set(signing, NULL, "x", &error), NULL_ARGUMENT);
  expect(lacre_signing_set(signing, "role", NULL, &error), NULL_ARGUMENT);
  expect(lacre_signing_set(signing, "role", not_utf8, &error), LACRE_ERROR_INVALID_UTF8);
  /* An unknown name is told, with those that are known. */
  check(lacre_signing_set(signing, "rôle", "x", &error) == INVALID);
  check(strstr(lacre_error_message(error).data, "rôle") != NULL);
  check(strstr(lacre_error_message(error).data, "commitment") != NULL);
  lacre_error_free(error);
  error = NULL;
  expect(lacre_signing_set(signing, "packaging", "attached", &error), INVALID);
  expect(lacre_signing_set(signing, "picture", "x", &error), INVALID);
  expect(lacre_signing_set_bytes(signing, "role", bytes, bytes_len, &error), INVALID);
  expect(lacre_signing_set_bytes(signing, "picture", NULL, 1, &error), NULL_ARGUMENT);
  expect(lacre_signing_set_bytes(signing, "picture", bytes, too_long, &error), INVALID);

  expect(lacre_document_from_memory(bytes, bytes_len, &document, &error), LACRE_OK);
  expect(lacre_document_from_memory(bytes, bytes_len - 1, &changed, &error), LACRE_OK);
  expect(lacre_signing_prepare(NULL, document, &prepared, &error), NULL_ARGUMENT);
  expect(lacre_signing_prepare(signing, document, NULL, &error), NULL_ARGUMENT);
  expect_cause(lacre_signing_prepare(signing, NULL, &prepared, &error), NULL_ARGUMENT, "content-needed");
  expect(lacre_signing_content_digest(signing, document, 0, &buffer, &error), INVALID);
  expect(lacre_signing_sign(signing, document, NULL, NULL, NULL, &buffer, &kept, &error), NULL_ARGUMENT);
  check(kept == 0);
  expect(lacre_signing_sign(signing, document, key, NULL, NULL, NULL, NULL, &error), NULL_ARGUMENT);
  expect(lacre_signing_sign(signing, document, key, bad_random, NULL, &buffer, NULL, &error), LACRE_ERROR_CALLBACK);
  expect_cause(lacre_signing_sign(signing, document, other, NULL, NULL, &buffer, NULL, &error), LACRE_ERROR_SIGNING,
               "certificate-key-mismatch");
  expect(lacre_signing_sign_with_timestamp(signing, document, key, NULL, NULL, NULL, NULL, &buffer, NULL, &error),
         NULL_ARGUMENT);
  check(prepared == NULL && buffer == NULL);

  expect(lacre_signing_prepare(signing, document, &prepared, &error), LACRE_OK);
  check(lacre_prepared_scheme(prepared) == LACRE_SCHEME_ECDSA && lacre_prepared_digest(prepared) == LACRE_DIGEST_SHA256);
  check(!lacre_prepared_needs_message(prepared) && !lacre_prepared_needs_message(NULL));
  check(lacre_prepared_scheme(NULL) == LACRE_SCHEME_USUAL && lacre_prepared_digest(NULL) == LACRE_DIGEST_NONE);
  check(strcmp(lacre_prepared_packaging(prepared), "enveloping") == 0 && *lacre_prepared_packaging(NULL) == 0);
  expect(lacre_prepared_to_be_signed(NULL, &buffer, &error), NULL_ARGUMENT);
  expect(lacre_prepared_hash(prepared, &hash, &error), LACRE_OK);
  expect(lacre_key_sign_hash(key, 0, LACRE_DIGEST_SHA256, lacre_buffer_data(hash), lacre_buffer_len(hash), NULL, NULL,
                             &value, &error),
         LACRE_OK);
  /* A value that is none, is of another key, or is over something else. */
  expect_cause(lacre_prepared_finish(prepared, document, bytes, bytes_len, &buffer, NULL, &error),
               LACRE_ERROR_SIGNATURE_VALUE, "value-form");
  expect(lacre_prepared_finish(prepared, document, NULL, 0, &buffer, NULL, &error), LACRE_ERROR_SIGNATURE_VALUE);
  expect(lacre_key_sign_hash(other, 0, LACRE_DIGEST_SHA256, lacre_buffer_data(hash), lacre_buffer_len(hash), NULL, NULL,
                             &buffer, &error),
         LACRE_OK);
  memcpy(copy, lacre_buffer_data(buffer), len = lacre_buffer_len(buffer));
  expect(lacre_buffer_free(buffer), LACRE_OK);
  expect_cause(lacre_prepared_finish(prepared, document, copy, len, &buffer, NULL, &error),
               LACRE_ERROR_SIGNATURE_VALUE, "value-does-not-verify");
  expect(lacre_prepared_timestamp_imprint(prepared, copy, len, LACRE_DIGEST_SHA256, &buffer, &error),
         LACRE_ERROR_SIGNATURE_VALUE);
  expect(lacre_prepared_timestamp_imprint(prepared, lacre_buffer_data(value), lacre_buffer_len(value), 0, &buffer,
                                          &error),
         INVALID);
  expect_cause(lacre_prepared_finish_with_timestamp(prepared, document, lacre_buffer_data(value),
                                                    lacre_buffer_len(value), bytes, bytes_len, &buffer, NULL, &error),
               LACRE_ERROR_TIMESTAMP, "tsa-reply-unreadable");
  expect_cause(lacre_prepared_finish(prepared, changed, lacre_buffer_data(value), lacre_buffer_len(value), &buffer,
                                     NULL, &error),
               LACRE_ERROR_PREPARED, "content-differs");
  expect(lacre_prepared_finish(prepared, NULL, lacre_buffer_data(value), lacre_buffer_len(value), &buffer, NULL,
                               &error),
         LACRE_ERROR_PREPARED);
  expect_cause(lacre_prepared_sign(prepared, document, other, NULL, NULL, &buffer, NULL, &error), LACRE_ERROR_SIGNING,
               "certificate-key-mismatch");
  check(buffer == NULL);

  /* A state that was changed, is of another version, or is none. */
  expect(lacre_prepared_to_json(prepared, &state, &error), LACRE_OK);
  len = lacre_buffer_len(state);
  check(len < sizeof copy);
  memcpy(copy, lacre_buffer_data(state), len);
  expect(lacre_prepared_from_json(copy, len, &again, &error), LACRE_OK);
  expect(lacre_prepared_finish(again, document, lacre_buffer_data(value), lacre_buffer_len(value), &buffer, &kept,
                               &error),
         LACRE_OK);
  check(kept == 0 && lacre_buffer_len(buffer) > bytes_len);
  expect(lacre_buffer_free(buffer), LACRE_OK);
  buffer = NULL;
  expect(lacre_prepared_free(again), LACRE_OK);
  copy[len - 5] ^= 1;
  expect_cause(lacre_prepared_from_json(copy, len, &again, &error), LACRE_ERROR_PREPARED, "state-tampered");
  expect_cause(lacre_prepared_from_json((const uint8_t *)"{\"version\":9}", 13, &again, &error), LACRE_ERROR_PREPARED,
               "state-of-other-version");
  expect_cause(lacre_prepared_from_json(bytes, bytes_len, &again, &error), LACRE_ERROR_PREPARED, "state-unreadable");
  expect(lacre_prepared_from_json(NULL, 1, &again, &error), NULL_ARGUMENT);
  check(again == NULL);
  expect(lacre_prepared_free(prepared), LACRE_OK);

  /* A digest instead of a content; options that exclude each other. */
  expect(lacre_signing_set_bytes(signing, "content-digest", digest, 20, &error), LACRE_OK);
  expect_cause(lacre_signing_prepare(signing, NULL, &prepared, &error), LACRE_ERROR_SIGNING, "digest-length");
  expect(lacre_signing_set_bytes(signing, "content-digest", digest, 32, &error), LACRE_OK);
  expect(lacre_signing_sign(signing, NULL, key, NULL, NULL, &buffer, NULL, &error), LACRE_OK);
  expect(lacre_buffer_free(buffer), LACRE_OK);
  buffer = NULL;
  expect(lacre_signing_set(signing, "packaging", "enveloping", &error), LACRE_OK);
  expect_cause(lacre_signing_prepare(signing, document, &prepared, &error), LACRE_ERROR_SIGNING,
               "parameters-conflict");
  expect(lacre_signing_set(signing, "packaging", "counter", &error), LACRE_OK);
  expect_cause(lacre_signing_prepare(signing, document, &prepared, &error), LACRE_ERROR_SIGNING,
               "signature-not-found");
  expect(lacre_signing_set(signing, "packaging", "detached", &error), LACRE_OK);
  expect(lacre_signing_set(signing, "reason", "why", &error), LACRE_OK);
  expect_cause(lacre_signing_prepare(signing, document, &prepared, &error), LACRE_ERROR_SIGNING,
               "parameter-not-in-format");
  check(prepared == NULL && buffer == NULL && lacre_prepared_free(NULL) == LACRE_OK);

  expect(lacre_buffer_free(state), LACRE_OK);
  expect(lacre_buffer_free(value), LACRE_OK);
  expect(lacre_buffer_free(hash), LACRE_OK);
  expect(lacre_document_free(changed), LACRE_OK);
  expect(lacre_document_free(document), LACRE_OK);
}

/* Requests and responses, of an authority that is none. */
static void timestamps(const lacre_buffer *root, const lacre_key *key) {
  lacre_error *error = NULL;
  lacre_buffer *request = NULL, *response = NULL, *buffer = NULL;
  uint8_t imprint[32] = {3};
  const uint8_t *certificate = lacre_buffer_data(root);
  size_t certificate_len = lacre_buffer_len(root);

  expect(lacre_timestamp_request(0, imprint, 32, NULL, 0, NULL, &request, &error), INVALID);
  expect(lacre_timestamp_request(LACRE_DIGEST_SHA256, imprint, 31, NULL, 0, NULL, &request, &error), INVALID);
  expect(lacre_timestamp_request(LACRE_DIGEST_SHA256, NULL, 32, NULL, 0, NULL, &request, &error), NULL_ARGUMENT);
  expect(lacre_timestamp_request(LACRE_DIGEST_SHA256, imprint, 32, NULL, 8, NULL, &request, &error), NULL_ARGUMENT);
  expect(lacre_timestamp_request(LACRE_DIGEST_SHA256, imprint, 32, NULL, 0, "policy", &request, &error), INVALID);
  check(request == NULL);
  expect(lacre_timestamp_request(LACRE_DIGEST_SHA256, imprint, 32, bytes, 16, "1.2.3", &request, &error), LACRE_OK);
  expect(lacre_timestamp_token(bytes, bytes_len, bytes, bytes_len, 0, &buffer, &error), INVALID);
  expect_cause(lacre_timestamp_token(lacre_buffer_data(request), lacre_buffer_len(request), bytes, bytes_len, 0, &buffer,
                                     &error),
               LACRE_ERROR_TIMESTAMP, "tsa-reply-unreadable");
  expect(lacre_issue_timestamp(bytes, bytes_len, key, bytes, bytes_len, 0, NULL, NULL, &response, &error),
         LACRE_ERROR_EVIDENCE);
  expect(lacre_issue_timestamp(certificate, certificate_len, NULL, bytes, bytes_len, 0, NULL, NULL, &response, &error),
         NULL_ARGUMENT);
  /* What is no request is answered with the reason, and an authority is no time-stamping unit. */
  expect(lacre_issue_timestamp(certificate, certificate_len, key, bytes, bytes_len, 0, NULL, NULL, &response, &error),
         LACRE_OK);
  expect_cause(lacre_timestamp_token(lacre_buffer_data(request), lacre_buffer_len(request), lacre_buffer_data(response),
                                     lacre_buffer_len(response), 0, &buffer, &error),
               LACRE_ERROR_TIMESTAMP, "tsa-rejected");
  expect(lacre_buffer_free(request), LACRE_OK);
  expect(lacre_buffer_free(response), LACRE_OK);
  check(buffer == NULL);

  expect(lacre_issue_crl(bytes, bytes_len, key, 1, 0, 1000, NULL, NULL, &buffer, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_issue_crl(certificate, certificate_len, key, 1, 1000, 0, NULL, NULL, &buffer, &error), INVALID);
  expect(lacre_issue_crl(certificate, certificate_len, key, 1, LACRE_NO_TIME, 0, NULL, NULL, &buffer, &error), INVALID);
  expect(lacre_issue_crl(certificate, certificate_len, NULL, 1, 0, 1000, NULL, NULL, &buffer, &error), NULL_ARGUMENT);
  check(lacre_answer_set(NULL, bytes, 1) == NULL_ARGUMENT && lacre_answer_fail(NULL, "why") == NULL_ARGUMENT);
}

enum asked { SAYS_NOTHING, SAYS_WHY, SAYS_RUBBISH, SAYS_BAD_TEXT };

static int32_t bad_timestamp(void *user_data, const uint8_t *request, size_t request_len, lacre_answer *answer) {
  (void)request, (void)request_len;
  switch (*(enum asked *)user_data) {
  case SAYS_WHY:
    return lacre_answer_fail(answer, "on holiday") == LACRE_OK ? 3 : 4;
  case SAYS_RUBBISH:
    return lacre_answer_set(answer, bytes, bytes_len);
  case SAYS_BAD_TEXT:
    return lacre_answer_fail(answer, not_utf8);
  default:
    return 0;
  }
}

static void extensions(const lacre_buffer *root, const lacre_buffer *seal, const lacre_key *key) {
  lacre_error *error = NULL;
  lacre_extension *extension = NULL;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL, *content = NULL;
  lacre_signing *signing = NULL;
  lacre_report *report = NULL;
  lacre_buffer *buffer = NULL, *file = NULL;
  enum asked asked;
  bool done = true;

  expect(lacre_validator_new(NULL, 0, NULL, 0, &validator, &error), LACRE_OK);
  expect(lacre_validator_add_trust_anchor(validator, lacre_buffer_data(root), lacre_buffer_len(root), &error), LACRE_OK);
  expect(lacre_document_from_memory(bytes, bytes_len, &content, &error), LACRE_OK);
  expect(lacre_extension_new(NULL, content, LACRE_LEVEL_T, &extension, &error), NULL_ARGUMENT);
  expect(lacre_extension_new(validator, NULL, LACRE_LEVEL_T, &extension, &error), NULL_ARGUMENT);
  expect(lacre_extension_new(validator, content, 0, &extension, &error), INVALID);
  expect(lacre_extension_new(validator, content, LACRE_LEVEL_T, NULL, &error), NULL_ARGUMENT);
  expect(lacre_extension_new_timestamp(validator, NULL, &extension, &error), NULL_ARGUMENT);
  check(extension == NULL);
  /* What is not signed cannot be extended. */
  expect(lacre_extension_new(validator, content, LACRE_LEVEL_T, &extension, &error), LACRE_OK);
  expect_cause(lacre_extension_advance(extension, 0, &done, &error), LACRE_ERROR_EXTENSION, "document-unreadable");
  check(!done);
  expect(lacre_extension_free(extension), LACRE_OK);
  expect(lacre_extension_new_renewal(validator, content, &extension, &error), LACRE_OK);
  expect_cause(lacre_extension_advance(extension, 0, &done, &error), LACRE_ERROR_EXTENSION, "not-extendable");
  expect(lacre_extension_free(extension), LACRE_OK);

  expect(lacre_signing_new(lacre_buffer_data(seal), lacre_buffer_len(seal), 0, LACRE_DIGEST_SHA256, 0, &signing,
                           &error),
         LACRE_OK);
  expect(lacre_signing_sign(signing, content, key, NULL, NULL, &file, NULL, &error), LACRE_OK);
  expect(lacre_document_from_memory(lacre_buffer_data(file), lacre_buffer_len(file), &document, &error), LACRE_OK);
  expect(lacre_extension_new(validator, document, LACRE_LEVEL_T, &extension, &error), LACRE_OK);
  expect(lacre_extension_set(extension, "signatures", "x", &error), INVALID);
  expect(lacre_extension_set(extension, "freshness", "new", &error), INVALID);
  expect(lacre_extension_set(extension, "overlook", "everything", &error), INVALID);
  expect(lacre_extension_set(extension, "digest", "SHA257", &error), INVALID);
  expect(lacre_extension_set(extension, "vri", NULL, &error), NULL_ARGUMENT);
  expect(lacre_extension_advance(extension, LACRE_NO_TIME, &done, &error), INVALID);
  expect(lacre_extension_advance(extension, 0, NULL, &error), NULL_ARGUMENT);
  expect(lacre_extension_advance(NULL, 0, &done, &error), NULL_ARGUMENT);
  expect(lacre_extension_file(extension, &buffer, NULL, &error), INVALID);
  expect(lacre_extension_report(extension, &report, &error), INVALID);

  /* A time-stamp is wanted. */
  expect(lacre_extension_advance(extension, 0, &done, &error), LACRE_OK);
  check(!done && lacre_extension_want_count(extension) == 1 && lacre_extension_want_count(NULL) == 0);
  check(lacre_extension_want(extension, 1) == NULL && lacre_extension_want(NULL, 0) == NULL);
  check(lacre_want_kind(lacre_extension_want(extension, 0)) == LACRE_EVIDENCE_TIMESTAMP);
  check(strcmp(lacre_want_digest(lacre_extension_want(extension, 0)).data, "SHA256") == 0);
  check(lacre_want_url_count(lacre_extension_want(extension, 0)) == 0);
  expect(lacre_want_imprint(lacre_extension_want(extension, 0), &buffer, &error), LACRE_OK);
  check(lacre_buffer_len(buffer) == 32);
  expect(lacre_buffer_free(buffer), LACRE_OK);
  expect(lacre_want_ocsp_request(lacre_extension_want(extension, 0), &buffer, &error), LACRE_OK);
  check(lacre_buffer_len(buffer) == 0);
  expect(lacre_buffer_free(buffer), LACRE_OK);
  expect(lacre_want_certificate(NULL, &buffer, &error), NULL_ARGUMENT);
  expect(lacre_extension_answer(extension, 0, bytes, bytes_len, &error), INVALID);
  expect(lacre_extension_answer(extension, 5, bytes, bytes_len, &error), INVALID);
  expect(lacre_extension_failed(extension, 0, NULL, "why", &error), INVALID);
  expect(lacre_extension_timestamp(extension, 0, bytes, bytes_len, 0, &error), INVALID);
  expect(lacre_extension_timestamp_request(extension, 5, NULL, 0, NULL, &buffer, &error), INVALID);
  expect(lacre_extension_timestamp_request(extension, 0, NULL, 0, "policy", &buffer, &error), INVALID);
  expect(lacre_extension_timestamp_request(extension, 0, bytes, 16, NULL, &buffer, &error), LACRE_OK);
  expect(lacre_buffer_free(buffer), LACRE_OK);
  buffer = NULL;
  expect_cause(lacre_extension_timestamp(extension, 0, bytes, bytes_len, 0, &error), LACRE_ERROR_TIMESTAMP,
               "tsa-reply-unreadable");
  /* Callbacks that fail, and none. */
  expect_cause(lacre_extension_run(extension, 0, NULL, NULL, NULL, NULL, NULL, &error), LACRE_ERROR_EXTENSION,
               "tsa-unreachable");
  for (asked = SAYS_NOTHING; asked <= SAYS_BAD_TEXT; asked++) {
    lacre_status status = asked == SAYS_RUBBISH ? LACRE_ERROR_TIMESTAMP : LACRE_ERROR_CALLBACK;
    const char *cause = asked == SAYS_RUBBISH ? "tsa-reply-unreadable" : "tsa-unreachable";
    expect_cause(lacre_extension_run(extension, 0, bad_timestamp, NULL, &asked, NULL, NULL, &error), status, cause);
    expect_cause(lacre_signing_sign_with_timestamp(signing, content, key, bad_timestamp, &asked, NULL, NULL, &buffer,
                                                   NULL, &error),
                 status, cause);
  }
  asked = SAYS_WHY;
  check(lacre_extension_run(extension, 0, bad_timestamp, NULL, &asked, NULL, NULL, &error) == LACRE_ERROR_CALLBACK);
  check(strcmp(lacre_error_message(error).data, "on holiday") == 0);
  lacre_error_free(error);
  error = NULL;
  expect(lacre_extension_run(extension, 0, bad_timestamp, NULL, &asked, bad_random, NULL, &error),
         LACRE_ERROR_CALLBACK);
  check(buffer == NULL && lacre_extension_signature_count(extension) == 0);
  check(lacre_extension_signature(extension, 0) == NULL && lacre_extended_signature_cause(NULL).len == 0);
  expect(lacre_extension_free(extension), LACRE_OK);
  check(lacre_extension_free(NULL) == LACRE_OK && lacre_signing_free(NULL) == LACRE_OK);

  /* A signature that is not there. */
  expect(lacre_extension_new(validator, document, LACRE_LEVEL_T, &extension, &error), LACRE_OK);
  expect(lacre_extension_set(extension, "signature", "S-0", &error), LACRE_OK);
  expect_cause(lacre_extension_advance(extension, 0, &done, &error), LACRE_ERROR_EXTENSION, "signature-not-found");
  expect(lacre_extension_free(extension), LACRE_OK);

  expect(lacre_signing_free(signing), LACRE_OK);
  expect(lacre_document_free(document), LACRE_OK);
  expect(lacre_buffer_free(file), LACRE_OK);
  expect(lacre_document_free(content), LACRE_OK);
  expect(lacre_validator_free(validator), LACRE_OK);
}

static void issuing_and_signing(void) {
  lacre_error *error = NULL;
  lacre_key *key = NULL, *other = NULL;
  lacre_certificate_order *order = NULL;
  lacre_buffer *root = NULL, *seal = NULL, *public_key = NULL, *buffer = NULL;
  lacre_signing *signing = NULL;
  lacre_document *document = NULL;
  lacre_trusted_lists *lists = NULL;

  expect(lacre_certificate_order_new(0, &order, &error), INVALID);
  expect(lacre_certificate_order_new(LACRE_PROFILE_ROOT, NULL, &error), NULL_ARGUMENT);
  expect(lacre_certificate_order_new(LACRE_PROFILE_ROOT, &order, &error), LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, 0, "x", &error), INVALID);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COUNTRY, NULL, &error), NULL_ARGUMENT);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COUNTRY, not_utf8, &error),
         LACRE_ERROR_INVALID_UTF8);
  expect(lacre_certificate_order_set_validity(order, 10, 10, &error), INVALID);
  expect(lacre_certificate_order_set_validity(order, LACRE_NO_TIME, 10, &error), INVALID);
  expect(lacre_certificate_order_set_public_key(order, bytes, bytes_len, &error), LACRE_ERROR_KEY);
  expect(lacre_certificate_order_set_request(order, bytes, bytes_len, &error), LACRE_ERROR_ISSUANCE);
  expect(lacre_key_generate(LACRE_KEY_ECDSA_P384, NULL, NULL, &key, &error), LACRE_OK);
  expect(lacre_key_generate(LACRE_KEY_ECDSA_P384, NULL, NULL, &other, &error), LACRE_OK);
  expect(lacre_issue(order, NULL, 0, key, NULL, NULL, &root, &error), LACRE_ERROR_ISSUANCE);
  expect(lacre_certificate_order_set_validity(order, 0, 4000000000000, &error), LACRE_OK);
  expect(lacre_issue(order, NULL, 0, key, NULL, NULL, &root, &error), LACRE_ERROR_ISSUANCE);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COUNTRY, "PT", &error), LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION, "A", &error), LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-1", &error),
         LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COMMON_NAME, "A", &error), LACRE_OK);
  expect(lacre_issue(order, NULL, 0, NULL, NULL, NULL, &root, &error), NULL_ARGUMENT);
  expect(lacre_issue(order, NULL, 0, key, bad_random, NULL, &root, &error), LACRE_ERROR_CALLBACK);
  expect(lacre_issue(order, bytes, bytes_len, key, NULL, NULL, &root, &error), INVALID);
  check(root == NULL);
  expect(lacre_issue(order, NULL, 0, key, NULL, NULL, &root, &error), LACRE_OK);
  expect(lacre_certificate_order_free(order), LACRE_OK);
  expect(lacre_certificate_order_new(LACRE_PROFILE_LEGAL_PERSON, &order, &error), LACRE_OK);
  expect(lacre_certificate_order_set_validity(order, 0, 1000, &error), LACRE_OK);
  expect(lacre_issue(order, NULL, 0, key, NULL, NULL, &buffer, &error), NULL_ARGUMENT);
  expect(lacre_issue(order, bytes, bytes_len, key, NULL, NULL, &buffer, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_issue(order, lacre_buffer_data(root), lacre_buffer_len(root), other, NULL, NULL, &buffer, &error),
         LACRE_ERROR_ISSUANCE);
  expect(lacre_issue(order, lacre_buffer_data(root), lacre_buffer_len(root), key, NULL, NULL, &buffer, &error),
         LACRE_ERROR_ISSUANCE);
  expect(lacre_key_public(key, &public_key, &error), LACRE_OK);
  expect(lacre_certificate_order_set_public_key(order, lacre_buffer_data(public_key), lacre_buffer_len(public_key),
                                                &error),
         LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COUNTRY, "PT", &error), LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION, "B", &error), LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-2", &error),
         LACRE_OK);
  expect(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COMMON_NAME, "B", &error), LACRE_OK);
  expect(lacre_issue(order, lacre_buffer_data(root), lacre_buffer_len(root), key, NULL, NULL, &seal, &error), LACRE_OK);
  expect(lacre_certificate_order_free(order), LACRE_OK);

  expect(lacre_trusted_lists_new(&lists, &error), LACRE_OK);
  expect(lacre_trusted_lists_check_packer(lists, lacre_buffer_data(root), lacre_buffer_len(root), &error),
         LACRE_ERROR_TRUSTED_LISTS);
  expect(lacre_trusted_lists_free(lists), LACRE_OK);

  expect(lacre_signing_new(bytes, bytes_len, 0, LACRE_DIGEST_SHA384, 0, &signing, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_signing_new(NULL, 3, 0, LACRE_DIGEST_SHA384, 0, &signing, &error), NULL_ARGUMENT);
  expect(lacre_signing_new(lacre_buffer_data(root), lacre_buffer_len(root), LACRE_SCHEME_RSA_PKCS1,
                           LACRE_DIGEST_SHA384, 0, &signing, &error),
         INVALID);
  expect(lacre_signing_new(lacre_buffer_data(root), lacre_buffer_len(root), LACRE_SCHEME_EDDSA, LACRE_DIGEST_SHA384, 0,
                           &signing, &error),
         INVALID);
  expect(lacre_signing_new(lacre_buffer_data(root), lacre_buffer_len(root), 0, 9, 0, &signing, &error), INVALID);
  expect(lacre_signing_new(lacre_buffer_data(root), lacre_buffer_len(root), 0, LACRE_DIGEST_SHA256, LACRE_NO_TIME,
                           &signing, &error),
         INVALID);
  check(signing == NULL);
  /* An authority's certificate is not for signing, and a certificate for a second not a minute later. */
  expect(lacre_document_from_memory(bytes, bytes_len, &document, &error), LACRE_OK);
  expect(lacre_signing_new(lacre_buffer_data(root), lacre_buffer_len(root), 0, LACRE_DIGEST_SHA256, 0, &signing, &error),
         LACRE_OK);
  expect(lacre_signing_add_certificate(signing, bytes, bytes_len, &error), LACRE_ERROR_EVIDENCE);
  expect(lacre_signing_sign(signing, document, key, NULL, NULL, &buffer, NULL, &error), LACRE_ERROR_SIGNING);
  expect(lacre_signing_free(signing), LACRE_OK);
  for (int64_t minute = 0; minute < 2; minute++) {
    expect(lacre_signing_new(lacre_buffer_data(seal), lacre_buffer_len(seal), 0, LACRE_DIGEST_SHA256, 60000 * minute,
                             &signing, &error),
           LACRE_OK);
    expect(lacre_signing_sign(signing, document, key, NULL, NULL, &buffer, NULL, &error),
           minute == 0 ? LACRE_OK : LACRE_ERROR_SIGNING);
    expect(lacre_buffer_free(buffer), LACRE_OK);
    buffer = NULL;
    expect(lacre_signing_free(signing), LACRE_OK);
  }
  expect(lacre_document_free(document), LACRE_OK);
  expect(lacre_signing_new(lacre_buffer_data(seal), lacre_buffer_len(seal), 0, LACRE_DIGEST_SHA256, 0, &signing,
                           &error),
         LACRE_OK);
  signatures(signing, key, other);
  expect(lacre_signing_free(signing), LACRE_OK);
  timestamps(root, key);
  extensions(root, seal, key);
  expect(lacre_buffer_free(seal), LACRE_OK);
  expect(lacre_buffer_free(public_key), LACRE_OK);
  expect(lacre_buffer_free(root), LACRE_OK);
  expect(lacre_key_free(key), LACRE_OK);
  expect(lacre_key_free(other), LACRE_OK);
}

/* Exported by debug builds alone: a defect inside. */
#pragma weak lacre_debug_panic
lacre_status lacre_debug_panic(lacre_error **error_out);

static void defects(void) {
  lacre_error *error = NULL;
  expect(lacre_debug_panic(&error), LACRE_ERROR_INTERNAL);
  check(lacre_debug_panic(NULL) == LACRE_ERROR_INTERNAL);
}

/* Debug builds tell a handle that was freed, and one of another type. */
static void freed_handles(void) {
  lacre_error *error = NULL;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL;
  lacre_report *report = NULL;

  expect(lacre_validator_new(NULL, 0, NULL, 0, &validator, &error), LACRE_OK);
  expect(lacre_document_from_memory(bytes, bytes_len, &document, &error), LACRE_OK);
  expect(lacre_validate((const lacre_validator *)(const void *)document, document, 0, &report, &error),
         LACRE_ERROR_INVALID_HANDLE);
  check(lacre_report_free((lacre_report *)(void *)document) == LACRE_ERROR_INVALID_HANDLE);
  expect(lacre_validator_free(validator), LACRE_OK);
  check(lacre_validator_free(validator) == LACRE_ERROR_INVALID_HANDLE);
  expect(lacre_validate(validator, document, 0, &report, &error), LACRE_ERROR_INVALID_HANDLE);
  expect(lacre_document_free(document), LACRE_OK);
  check(lacre_document_free(document) == LACRE_ERROR_INVALID_HANDLE);
}

int main(int argc, char **argv) {
  documents();
  validators();
  bundles_and_certificates();
  accessors();
  times();
  keys();
  issuing_and_signing();
  if (argc > 1 && strcmp(argv[1], "1") == 0) {
    freed_handles();
    defects();
  }
  if (wrong == 0) {
    printf("every mistake is a defined error\n");
  }
  return wrong == 0 ? 0 : 1;
}
