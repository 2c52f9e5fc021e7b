/* Signs a PDF in two steps, as a service does that keeps the keys, and extends it to level LTA. Everything is offline: an
 * authority of this program's own answers what the extension wants. A real program asks over HTTP in its place.
 *
 * usage: sign_pdf FILE.pdf [SIGNED.pdf]
 */
#include <lacre.h>
#include <stdio.h>

/* One second, one day. */
static const int64_t SECOND = 1000, DAY = 86400000;

/* An authority that issues certificates, revocation lists and time-stamps, and a clock that goes on. */
struct authority {
  lacre_key *key, *unit_key;
  lacre_buffer *root, *unit;
  int64_t now;
  uint64_t lists;
};

/* Asked by lacre: the response of the time-stamping unit. Over HTTP: POST, application/timestamp-query. */
static int32_t timestamp(void *user_data, const uint8_t *request, size_t request_len, lacre_answer *answer) {
  struct authority *authority = user_data;
  lacre_buffer *response = NULL;
  authority->now += SECOND;
  if (lacre_issue_timestamp(lacre_buffer_data(authority->unit), lacre_buffer_len(authority->unit), authority->unit_key,
                            request, request_len, authority->now, NULL, NULL, &response, NULL) != LACRE_OK) {
    return 1;
  }
  lacre_answer_set(answer, lacre_buffer_data(response), lacre_buffer_len(response));
  lacre_buffer_free(response);
  return 0;
}

/* Asked by lacre: the authority's revocation list. Over HTTP: GET; POST where there is a request for an OCSP response. */
static int32_t evidence(void *user_data, const lacre_want *want, const char *url, const uint8_t *request,
                        size_t request_len, lacre_answer *answer) {
  struct authority *authority = user_data;
  lacre_buffer *list = NULL;
  (void)request, (void)request_len;
  if (lacre_want_kind(want) != LACRE_EVIDENCE_CRL) {
    lacre_answer_fail(answer, "this authority has revocation lists alone");
    return 1;
  }
  printf("asked %s about %s\n", url, lacre_want_name(want).data);
  authority->now += SECOND;
  if (lacre_issue_crl(lacre_buffer_data(authority->root), lacre_buffer_len(authority->root), authority->key,
                      ++authority->lists, authority->now, authority->now + DAY, NULL, NULL, &list,
                      NULL) != LACRE_OK) {
    return 2;
  }
  lacre_answer_set(answer, lacre_buffer_data(list), lacre_buffer_len(list));
  lacre_buffer_free(list);
  return 0;
}

/* A certificate for a key; a root for the authority's own. */
static lacre_status issue(const struct authority *authority, int32_t profile, const char *name, const lacre_key *key,
                          lacre_buffer **certificate, lacre_error **error) {
  lacre_certificate_order *order = NULL;
  lacre_buffer *public_key = NULL;
  lacre_status status;
  if ((status = lacre_certificate_order_new(profile, &order, error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COUNTRY, "PT", error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION, "Exemplo SA", error)) ==
          LACRE_OK &&
      (status = lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER,
                                                      "VATPT-123456789", error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COMMON_NAME, name, error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_CRL_URL, "http://pki.example/root.crl",
                                                      error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_validity(order, authority->now - DAY, authority->now + 700 * DAY,
                                                     error)) == LACRE_OK &&
      (status = lacre_key_public(key, &public_key, error)) == LACRE_OK &&
      (status = lacre_certificate_order_set_public_key(order, lacre_buffer_data(public_key),
                                                       lacre_buffer_len(public_key), error)) == LACRE_OK) {
    /* NULL, NULL: randomness comes from the system. */
    status = lacre_issue(order, lacre_buffer_data(authority->root), lacre_buffer_len(authority->root), authority->key,
                         NULL, NULL, certificate, error);
  }
  lacre_buffer_free(public_key);
  lacre_certificate_order_free(order);
  return status;
}

/* What a validation says of the first signature of a file. */
static lacre_status say(const lacre_validator *validator, const lacre_buffer *file, int64_t time,
                        lacre_error **error) {
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_status status;
  if ((status = lacre_document_from_memory(lacre_buffer_data(file), lacre_buffer_len(file), &document, error)) ==
          LACRE_OK &&
      (status = lacre_validate(validator, document, time, &report, error)) == LACRE_OK) {
    const lacre_signature *signature = lacre_report_signature(report, 0);
    printf("%s by %s: %s %s\n", lacre_signature_level(signature).data, lacre_signature_signer(signature).data,
           lacre_indication_name(lacre_signature_indication(signature)),
           lacre_sub_indication_name(lacre_signature_sub_indication(signature)));
  }
  lacre_report_free(report);
  lacre_document_free(document);
  return status;
}

/* Writes a file: the document, of which a copy could also be appended to, and what is new. */
static int write_file(const char *path, const lacre_buffer *file) {
  FILE *to = fopen(path, "wb");
  size_t len = lacre_buffer_len(file);
  int status = to == NULL || fwrite(lacre_buffer_data(file), 1, len, to) != len ? 5 : 0;
  if (to != NULL && fclose(to) != 0) {
    status = 5;
  }
  if (status != 0) {
    perror(path);
  }
  return status;
}

int main(int argc, char **argv) {
  struct authority authority = {NULL, NULL, NULL, NULL, 0, 0};
  lacre_key *key = NULL;
  lacre_buffer *certificate = NULL, *state = NULL, *hash = NULL, *value = NULL, *signed_file = NULL, *extended = NULL;
  lacre_signing *signing = NULL;
  lacre_prepared *prepared = NULL, *again = NULL;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL, *signed_document = NULL;
  lacre_extension *extension = NULL;
  lacre_error *error = NULL;
  size_t kept = 0;
  int status = 0;

  if (argc < 2) {
    fprintf(stderr, "usage: sign_pdf FILE.pdf [SIGNED.pdf]\n");
    return 2;
  }
  if (lacre_time_parse("2026-06-01T12:00:00Z", &authority.now, &error) != LACRE_OK ||
      /* The authority, its time-stamping unit, and a company whose seal it is. */
      lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &authority.key, &error) != LACRE_OK ||
      lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &authority.unit_key, &error) != LACRE_OK ||
      lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &key, &error) != LACRE_OK ||
      issue(&authority, LACRE_PROFILE_ROOT, "Exemplo Root", authority.key, &authority.root, &error) != LACRE_OK ||
      issue(&authority, LACRE_PROFILE_TIMESTAMP_UNIT, "Exemplo Time", authority.unit_key, &authority.unit, &error) !=
          LACRE_OK ||
      issue(&authority, LACRE_PROFILE_LEGAL_PERSON, "Exemplo Seal", key, &certificate, &error) != LACRE_OK ||
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      lacre_validator_add_trust_anchor(validator, lacre_buffer_data(authority.root), lacre_buffer_len(authority.root),
                                       &error) != LACRE_OK ||
      lacre_document_from_file(argv[1], &document, &error) != LACRE_OK ||

      /* Step 1: what is signed, by whom, and how it is seen. */
      lacre_signing_new(lacre_buffer_data(certificate), lacre_buffer_len(certificate), LACRE_SCHEME_USUAL,
                        LACRE_DIGEST_SHA256, authority.now, &signing, &error) != LACRE_OK ||
      lacre_signing_set(signing, "reason", "Approved", &error) != LACRE_OK ||
      lacre_signing_set(signing, "locality", "Porto", &error) != LACRE_OK ||
      lacre_signing_set(signing, "box", "20,20,100,40", &error) != LACRE_OK ||
      lacre_signing_set(signing, "text", "{name}\n{time}", &error) != LACRE_OK ||
      lacre_signing_prepare(signing, document, &prepared, &error) != LACRE_OK ||
      lacre_prepared_to_json(prepared, &state, &error) != LACRE_OK ||
      lacre_prepared_hash(prepared, &hash, &error) != LACRE_OK ||

      /* Somewhere else: the value over the hash. lacre_signing_sign() does both steps with a key at hand. */
      lacre_key_sign_hash(key, lacre_prepared_scheme(prepared), lacre_prepared_digest(prepared),
                          lacre_buffer_data(hash), lacre_buffer_len(hash), NULL, NULL, &value, &error) != LACRE_OK ||

      /* Step 2, perhaps in another process: the value is verified, then the file is made. */
      lacre_prepared_from_json(lacre_buffer_data(state), lacre_buffer_len(state), &again, &error) != LACRE_OK ||
      lacre_prepared_finish(again, document, lacre_buffer_data(value), lacre_buffer_len(value), &signed_file, &kept,
                            &error) != LACRE_OK ||
      say(validator, signed_file, authority.now, &error) != LACRE_OK ||

      /* Level LTA. */
      lacre_document_from_memory(lacre_buffer_data(signed_file), lacre_buffer_len(signed_file), &signed_document,
                                 &error) != LACRE_OK ||
      lacre_extension_new(validator, signed_document, LACRE_LEVEL_LTA, &extension, &error) != LACRE_OK ||
      lacre_extension_run(extension, authority.now, timestamp, evidence, &authority, NULL, NULL, &error) != LACRE_OK ||
      lacre_extension_file(extension, &extended, NULL, &error) != LACRE_OK ||
      say(validator, extended, authority.now, &error) != LACRE_OK) {
    fprintf(stderr, "sign_pdf: error: %s", lacre_error_message(error).data);
    fprintf(stderr, lacre_error_cause(error).len > 0 ? " [%s]\n" : "%s\n", lacre_error_cause(error).data);
    lacre_error_free(error);
    status = 5;
  } else {
    const lacre_extended_signature *signature = lacre_extension_signature(extension, 0);
    printf("%s, then %s\n", lacre_extended_signature_level_before(signature).data,
           lacre_extended_signature_level_after(signature).data);
    printf("the %lu bytes of the document are as they were\n", (unsigned long)kept);
    status = argc > 2 ? write_file(argv[2], extended) : 0;
  }

  lacre_extension_free(extension);
  lacre_document_free(signed_document);
  lacre_document_free(document);
  lacre_validator_free(validator);
  lacre_prepared_free(again);
  lacre_prepared_free(prepared);
  lacre_signing_free(signing);
  lacre_buffer_free(extended);
  lacre_buffer_free(signed_file);
  lacre_buffer_free(value);
  lacre_buffer_free(hash);
  lacre_buffer_free(state);
  lacre_buffer_free(certificate);
  lacre_buffer_free(authority.unit);
  lacre_buffer_free(authority.root);
  lacre_key_free(key);
  lacre_key_free(authority.unit_key);
  lacre_key_free(authority.key);
  return status;
}
