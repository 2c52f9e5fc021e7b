/* Signs and extends with an authority of its own: every kind of key, every packaging, each step apart and in a loop.
 *
 * usage: signing FILE.pdf
 */
#include <lacre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

static void expect_at(int line, lacre_status found, lacre_status expected, lacre_error **error) {
  if (found != expected) {
    fprintf(stderr, "line %d: found %s, expected %s: %s [%s]\n", line, lacre_status_name(found),
            lacre_status_name(expected), lacre_error_message(*error).data, lacre_error_cause(*error).data);
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
#define done(call) expect((call), LACRE_OK)
#define check(holds) check_at(__LINE__, (holds))
#define bytes_of(buffer) lacre_buffer_data(buffer), lacre_buffer_len(buffer)

static lacre_error *error = NULL;
static const int64_t DAY = 86400000;
static const uint8_t letter[] = "Dear Ines, all is well.";
static const size_t letter_len = sizeof letter - 1;

/* The authority: what it has, how often it was asked, and what it does not answer. */
static struct {
  lacre_key *key, *unit_key;
  lacre_buffer *root, *unit;
  int64_t now;
  uint64_t lists;
  int stamps, asked, silent;
} authority;

static lacre_buffer *issue(int32_t profile, const char *name, const lacre_key *key) {
  static const struct {
    int32_t attribute;
    const char *value;
  } stated[] = {{LACRE_ATTRIBUTE_COUNTRY, "PT"},
                {LACRE_ATTRIBUTE_ORGANIZATION, "A"},
                {LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-1"},
                {LACRE_ATTRIBUTE_CRL_URL, "http://pki.example/root.crl"},
                {LACRE_ATTRIBUTE_OCSP_URL, "http://pki.example/ocsp"}};
  lacre_certificate_order *order = NULL;
  lacre_buffer *public_key = NULL, *certificate = NULL;
  size_t i;
  done(lacre_certificate_order_new(profile, &order, &error));
  for (i = 0; i < sizeof stated / sizeof *stated; i++) {
    done(lacre_certificate_order_set_attribute(order, stated[i].attribute, stated[i].value, &error));
  }
  done(lacre_certificate_order_set_attribute(order, LACRE_ATTRIBUTE_COMMON_NAME, name, &error));
  done(lacre_certificate_order_set_validity(order, authority.now - DAY, authority.now + 700 * DAY, &error));
  done(lacre_key_public(key, &public_key, &error));
  done(lacre_certificate_order_set_public_key(order, bytes_of(public_key), &error));
  done(lacre_issue(order, bytes_of(authority.root), authority.key, NULL, NULL, &certificate, &error));
  lacre_buffer_free(public_key);
  lacre_certificate_order_free(order);
  return certificate;
}

static int32_t timestamp(void *user_data, const uint8_t *request, size_t request_len, lacre_answer *answer) {
  lacre_buffer *response = NULL;
  (void)user_data;
  authority.now += 1000;
  authority.stamps++;
  done(lacre_issue_timestamp(bytes_of(authority.unit), authority.unit_key, request, request_len, authority.now, NULL,
                             NULL, &response, &error));
  check(lacre_answer_set(answer, bytes_of(response)) == LACRE_OK);
  lacre_buffer_free(response);
  return 0;
}

static lacre_buffer *list(void) {
  lacre_buffer *crl = NULL;
  authority.now += 1000;
  done(lacre_issue_crl(bytes_of(authority.root), authority.key, ++authority.lists, authority.now, authority.now + DAY,
                       NULL, NULL, &crl, &error));
  return crl;
}

static int32_t evidence(void *user_data, const lacre_want *want, const char *url, const uint8_t *request,
                        size_t request_len, lacre_answer *answer) {
  lacre_buffer *crl;
  (void)user_data;
  authority.asked++;
  check(strcmp(url, lacre_want_url(want, 0).data) == 0 && lacre_want_name(want).len > 0);
  if (lacre_want_kind(want) == LACRE_EVIDENCE_OCSP) {
    check(request != NULL && request_len > 0);
    check(lacre_answer_fail(answer, "the responder sleeps") == LACRE_OK);
    return 1;
  }
  check(request == NULL && request_len == 0 && lacre_want_kind(want) == LACRE_EVIDENCE_CRL);
  if (authority.silent) {
    return 7;
  }
  crl = list();
  check(lacre_answer_set(answer, bytes_of(crl)) == LACRE_OK);
  lacre_buffer_free(crl);
  return 0;
}

/* The first signature of a file has this level; a file that stands beside its content is given that. */
static void has_level_at(int line, const lacre_validator *validator, const lacre_buffer *file, const char *level,
                         size_t count) {
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  done(lacre_document_from_memory(bytes_of(file), &document, &error));
  done(lacre_document_add_content(document, "letter.txt", letter, letter_len, &error));
  done(lacre_validate(validator, document, authority.now, &report, &error));
  if (strcmp(lacre_signature_level(lacre_report_signature(report, 0)).data, level) != 0 ||
      lacre_report_signature_count(report) != count) {
    fprintf(stderr, "line %d: found %lu of the level %s, expected %lu of %s\n", line,
            (unsigned long)lacre_report_signature_count(report),
            lacre_signature_level(lacre_report_signature(report, 0)).data, (unsigned long)count, level);
    wrong++;
  }
  lacre_report_free(report);
  lacre_document_free(document);
}

#define has_level(file, level, count) has_level_at(__LINE__, validator, (file), (level), (count))

static lacre_signing *order_of(const lacre_buffer *certificate) {
  lacre_signing *signing = NULL;
  done(lacre_signing_new(bytes_of(certificate), LACRE_SCHEME_USUAL, LACRE_DIGEST_SHA256, authority.now, &signing,
                         &error));
  return signing;
}

/* A key behind a callback, which signs with one in memory. */
static int32_t passing_on(void *user_data, int32_t scheme, int32_t digest, const uint8_t *hash, size_t hash_len,
                          uint8_t *value, size_t value_capacity, size_t *value_len) {
  lacre_buffer *made = NULL;
  if (lacre_key_sign_hash(user_data, scheme, digest, hash, hash_len, NULL, NULL, &made, &error) != LACRE_OK ||
      lacre_buffer_len(made) > value_capacity) {
    return 1;
  }
  memcpy(value, lacre_buffer_data(made), *value_len = lacre_buffer_len(made));
  lacre_buffer_free(made);
  return 0;
}

/* Every kind of key signs, in memory and behind a callback. */
static void keys(const lacre_validator *validator) {
  static const struct {
    int32_t kind;
    int32_t scheme;
    int needs_message;
  } kinds[] = {
      {LACRE_KEY_ECDSA_P256, LACRE_SCHEME_ECDSA, 0},
      {LACRE_KEY_ECDSA_P521, LACRE_SCHEME_ECDSA, 0},
      {LACRE_KEY_ECDSA_BRAINPOOL_P256R1, LACRE_SCHEME_ECDSA, 0},
      {LACRE_KEY_ECDSA_BRAINPOOL_P384R1, LACRE_SCHEME_ECDSA, 0},
      {LACRE_KEY_ED25519, LACRE_SCHEME_EDDSA, 1},
      {LACRE_KEY_ED448, LACRE_SCHEME_EDDSA, 1},
      {LACRE_KEY_ML_DSA_44, LACRE_SCHEME_ML_DSA, 1},
      {LACRE_KEY_ML_DSA_65, LACRE_SCHEME_ML_DSA, 1},
      {LACRE_KEY_ML_DSA_87, LACRE_SCHEME_ML_DSA, 1},
  };
  size_t i;
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    lacre_key *key = NULL, *external = NULL;
    lacre_document *document = NULL;
    lacre_prepared *prepared = NULL;
    lacre_buffer *certificate, *file = NULL;
    lacre_signing *signing;
    done(lacre_key_generate(kinds[i].kind, NULL, NULL, &key, &error));
    certificate = issue(LACRE_PROFILE_LEGAL_PERSON, "Seal", key);
    signing = order_of(certificate);
    done(lacre_signing_set(signing, "allow-weak-algorithms", "true", &error));
    done(lacre_document_from_memory(letter, letter_len, &document, &error));
    done(lacre_signing_prepare(signing, document, &prepared, &error));
    check((int32_t)lacre_prepared_scheme(prepared) == kinds[i].scheme);
    check(lacre_prepared_needs_message(prepared) == kinds[i].needs_message);
    done(lacre_prepared_sign(prepared, document, key, NULL, NULL, &file, NULL, &error));
    has_level(file, "CAdES-BASELINE-B", 1);
    lacre_buffer_free(file);
    file = NULL;
    done(lacre_key_from_callback(bytes_of(certificate), passing_on, key, NULL, &external, &error));
    done(lacre_signing_sign(signing, document, external, NULL, NULL, &file, NULL, &error));
    has_level(file, "CAdES-BASELINE-B", 1);
    lacre_buffer_free(file);
    lacre_key_free(external);
    lacre_prepared_free(prepared);
    lacre_document_free(document);
    lacre_signing_free(signing);
    lacre_buffer_free(certificate);
    lacre_key_free(key);
  }
}

/* Around, beside, by a digest, one more, one within: with what a signer may state. */
static void packagings(const lacre_validator *validator, const lacre_key *key, const lacre_buffer *certificate) {
  lacre_signing *signing = order_of(certificate);
  lacre_document *document = NULL, *signed_document = NULL;
  lacre_buffer *file = NULL, *beside = NULL, *more = NULL, *digest = NULL;
  lacre_report *report = NULL;
  size_t kept = 1;

  done(lacre_document_from_memory(letter, letter_len, &document, &error));
  done(lacre_signing_add_certificate(signing, bytes_of(authority.root), &error));
  done(lacre_signing_set(signing, "certificates", "chain-with-root", &error));
  done(lacre_signing_set(signing, "role", "Director", &error));
  done(lacre_signing_set(signing, "commitment", "approval", &error));
  done(lacre_signing_set(signing, "commitment", "1.2.3.4", &error));
  done(lacre_signing_set(signing, "country", "PT", &error));
  done(lacre_signing_set(signing, "locality", "Porto", &error));
  done(lacre_signing_set(signing, "postal-address", "Rua Nova 1", &error));
  done(lacre_signing_set(signing, "policy", "1.2.3.5", &error));
  done(lacre_signing_set(signing, "policy-digest",
                         "SHA256:000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f", &error));
  done(lacre_signing_set(signing, "policy-uri", "https://policy.example", &error));
  done(lacre_signing_set(signing, "mime-type", "text/plain", &error));
  done(lacre_signing_sign(signing, document, key, NULL, NULL, &file, &kept, &error));
  has_level(file, "CAdES-BASELINE-B", 1);
  check(kept == 0 && lacre_buffer_len(file) > letter_len);
  done(lacre_signing_set(signing, "packaging", "detached", &error));
  done(lacre_signing_sign(signing, document, key, NULL, NULL, &beside, &kept, &error));
  has_level(beside, "CAdES-BASELINE-B", 1);
  /* The digest alone: the same signature, but for its value. */
  done(lacre_signing_content_digest(signing, document, LACRE_DIGEST_SHA256, &digest, &error));
  done(lacre_signing_set_bytes(signing, "content-digest", bytes_of(digest), &error));
  done(lacre_signing_sign(signing, NULL, key, NULL, NULL, &more, NULL, &error));
  has_level(more, "CAdES-BASELINE-B", 1);
  lacre_buffer_free(more);
  more = NULL;
  /* One more, in a file that stands beside its content, of which the digest is known. */
  done(lacre_signing_set(signing, "packaging", "parallel", &error));
  done(lacre_document_from_memory(bytes_of(beside), &signed_document, &error));
  check(lacre_signing_sign(signing, signed_document, key, NULL, NULL, &more, &kept, &error) == LACRE_ERROR_SIGNING &&
        strcmp(lacre_error_cause(error).data, "already-signed") == 0);
  lacre_error_free(error);
  error = NULL;
  done(lacre_signing_set(signing, "role", "Witness", &error));
  done(lacre_signing_sign(signing, signed_document, key, NULL, NULL, &more, &kept, &error));
  has_level(more, "CAdES-BASELINE-B", 2);
  lacre_buffer_free(more);
  more = NULL;
  lacre_signing_free(signing);
  /* One within: its id is that of the report. */
  signing = order_of(certificate);
  done(lacre_document_add_content(signed_document, "letter.txt", letter, letter_len, &error));
  done(lacre_validate(validator, signed_document, authority.now, &report, &error));
  done(lacre_signing_set(signing, "signature", lacre_signature_id(lacre_report_signature(report, 0)).data, &error));
  done(lacre_signing_sign(signing, signed_document, key, NULL, NULL, &more, NULL, &error));
  has_level(more, "CAdES-BASELINE-B", 2);

  lacre_report_free(report);
  lacre_buffer_free(more);
  lacre_buffer_free(digest);
  lacre_buffer_free(beside);
  lacre_buffer_free(file);
  lacre_document_free(signed_document);
  lacre_document_free(document);
  lacre_signing_free(signing);
}

/* Level T at once: each step apart, and with a callback. */
static void stamped(const lacre_validator *validator, const lacre_key *key, const lacre_buffer *certificate,
                    const lacre_document *pdf, size_t pdf_len) {
  static const uint8_t nonce[16] = {1, 2, 3};
  lacre_signing *signing = order_of(certificate);
  lacre_document *document = NULL;
  lacre_prepared *prepared = NULL;
  lacre_buffer *hash = NULL, *value = NULL, *imprint = NULL, *request = NULL, *other = NULL, *response = NULL;
  lacre_buffer *token = NULL, *file = NULL;
  size_t kept = 0;
  int before = authority.stamps;

  done(lacre_document_from_memory(letter, letter_len, &document, &error));
  done(lacre_signing_prepare(signing, document, &prepared, &error));
  done(lacre_prepared_hash(prepared, &hash, &error));
  done(lacre_key_sign_hash(key, 0, LACRE_DIGEST_SHA256, bytes_of(hash), NULL, NULL, &value, &error));
  done(lacre_prepared_timestamp_imprint(prepared, bytes_of(value), LACRE_DIGEST_SHA512, &imprint, &error));
  done(lacre_timestamp_request(LACRE_DIGEST_SHA512, bytes_of(imprint), nonce, 16, NULL, &request, &error));
  done(lacre_timestamp_request(LACRE_DIGEST_SHA512, bytes_of(imprint), nonce, 8, NULL, &other, &error));
  done(lacre_issue_timestamp(bytes_of(authority.unit), authority.unit_key, bytes_of(request), authority.now, NULL, NULL,
                             &response, &error));
  /* Of another nonce, or another time. */
  check(lacre_timestamp_token(bytes_of(other), bytes_of(response), authority.now, &token, &error) ==
            LACRE_ERROR_TIMESTAMP &&
        strcmp(lacre_error_cause(error).data, "tsa-nonce") == 0);
  lacre_error_free(error);
  error = NULL;
  check(lacre_timestamp_token(bytes_of(request), bytes_of(response), authority.now + DAY, &token, &error) ==
            LACRE_ERROR_TIMESTAMP &&
        strcmp(lacre_error_cause(error).data, "tsa-time") == 0);
  lacre_error_free(error);
  error = NULL;
  done(lacre_timestamp_token(bytes_of(request), bytes_of(response), authority.now, &token, &error));
  done(lacre_prepared_finish_with_timestamp(prepared, document, bytes_of(value), bytes_of(token), &file, NULL, &error));
  has_level(file, "CAdES-BASELINE-T", 1);
  lacre_buffer_free(file);
  file = NULL;

  done(lacre_signing_sign_with_timestamp(signing, document, key, timestamp, NULL, NULL, NULL, &file, NULL, &error));
  has_level(file, "CAdES-BASELINE-T", 1);
  lacre_buffer_free(file);
  file = NULL;
  /* In a PDF there has to be room: the callback's way makes it, prepare() does as it is told. */
  done(lacre_signing_sign_with_timestamp(signing, pdf, key, timestamp, NULL, NULL, NULL, &file, &kept, &error));
  has_level(file, "PAdES-BASELINE-T", 1);
  check(kept == pdf_len && lacre_buffer_len(file) > pdf_len);
  lacre_buffer_free(file);
  file = NULL;
  done(lacre_signing_set(signing, "reserved", "2000", &error));
  check(lacre_signing_sign_with_timestamp(signing, pdf, key, timestamp, NULL, NULL, NULL, &file, &kept, &error) ==
            LACRE_ERROR_SIGNING &&
        strcmp(lacre_error_cause(error).data, "contents-too-small") == 0);
  lacre_error_free(error);
  error = NULL;
  check(kept == 0 && file == NULL && authority.stamps == before + 2);

  lacre_buffer_free(token);
  lacre_buffer_free(response);
  lacre_buffer_free(other);
  lacre_buffer_free(request);
  lacre_buffer_free(imprint);
  lacre_buffer_free(value);
  lacre_buffer_free(hash);
  lacre_prepared_free(prepared);
  lacre_document_free(document);
  lacre_signing_free(signing);
}

/* A picture and a text that are seen, and a time-stamp over the content, which is made before the signature. */
static void decorated(const lacre_validator *validator, const lacre_key *key, const lacre_buffer *certificate,
                      const lacre_document *pdf) {
  static const uint8_t png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1,
                                8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 10, 'I', 'D', 'A', 'T', 0x78, 0x9c, 0x63,
                                0, 1, 0, 0, 5, 0, 1, 13, 10, 0x2d, 0xb4, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60,
                                0x82};
  lacre_signing *signing = order_of(certificate);
  lacre_document *document = NULL;
  lacre_report *report = NULL;
  lacre_buffer *digest = NULL, *request = NULL, *response = NULL, *token = NULL, *file = NULL;

  done(lacre_signing_set(signing, "rectangle", "10,10,90,40", &error));
  done(lacre_signing_set(signing, "text", "{name}\n{time}", &error));
  done(lacre_signing_set_bytes(signing, "picture", letter, letter_len, &error));
  check(lacre_signing_sign(signing, pdf, key, NULL, NULL, &file, NULL, &error) == LACRE_ERROR_SIGNING &&
        strcmp(lacre_error_cause(error).data, "picture-unreadable") == 0);
  lacre_error_free(error);
  error = NULL;
  done(lacre_signing_set_bytes(signing, "picture", png, sizeof png, &error));
  done(lacre_signing_set(signing, "arrangement", "right", &error));
  done(lacre_signing_set(signing, "border", "1", &error));
  done(lacre_signing_set(signing, "colour", "#1a73e8", &error));
  done(lacre_signing_set(signing, "reserved", "12000", &error));
  done(lacre_signing_content_digest(signing, pdf, LACRE_DIGEST_SHA256, &digest, &error));
  done(lacre_timestamp_request(LACRE_DIGEST_SHA256, bytes_of(digest), NULL, 0, NULL, &request, &error));
  done(lacre_issue_timestamp(bytes_of(authority.unit), authority.unit_key, bytes_of(request), authority.now, NULL, NULL,
                             &response, &error));
  done(lacre_timestamp_token(bytes_of(request), bytes_of(response), authority.now, &token, &error));
  done(lacre_signing_set_bytes(signing, "content-timestamp", bytes_of(token), &error));
  done(lacre_signing_sign(signing, pdf, key, NULL, NULL, &file, NULL, &error));
  has_level(file, "PAdES-BASELINE-B", 1);
  done(lacre_document_from_memory(bytes_of(file), &document, &error));
  done(lacre_validate(validator, document, authority.now, &report, &error));
  check(lacre_report_timestamp_count(report) == 1);
  check(strcmp(lacre_signature_field(lacre_report_signature(report, 0)).data, "Signature1") == 0);

  lacre_report_free(report);
  lacre_document_free(document);
  lacre_buffer_free(file);
  lacre_buffer_free(token);
  lacre_buffer_free(response);
  lacre_buffer_free(request);
  lacre_buffer_free(digest);
  lacre_signing_free(signing);
}

/* A signed field that is seen, and no other. */
static void fields_of_signed(const lacre_document *document) {
  static const double expected[4] = {10, 160, 90, 190};
  lacre_fields *fields = NULL;
  const lacre_field *field;
  double rectangle[4] = {1, 1, 1, 1};
  done(lacre_fields_of(document, &fields, &error));
  check(lacre_fields_count(fields) == 1 && lacre_fields_at(fields, 1) == NULL);
  field = lacre_fields_at(fields, 0);
  check(strcmp(lacre_field_name(field).data, "Signature1") == 0 && lacre_field_is_signed(field));
  check(lacre_field_page(field) == 1 && lacre_field_rectangle(field, rectangle) && lacre_field_rectangle(field, NULL));
  check(rectangle[0] == expected[0] && rectangle[2] == expected[2] && rectangle[3] - rectangle[1] == 30);
  check(lacre_field_lock(field).len == 0 && lacre_field_locked_count(field) == 0 && lacre_field_permission(field) == 0);
  check(lacre_field_locked(field, 0).len == 0 && lacre_field_asks(field, "reason", 0).len == 0);
  check(lacre_field_asks(field, NULL, 0).len == 0 && lacre_field_asks(NULL, "reason", 0).len == 0);
  check(!lacre_field_rectangle(NULL, rectangle) && rectangle[3] == 0 && lacre_field_page(NULL) == 0);
  check(lacre_fields_free(fields) == LACRE_OK && lacre_fields_free(NULL) == LACRE_OK);
  fields = NULL;
  expect(lacre_fields_of(NULL, &fields, &error), LACRE_ERROR_NULL_ARGUMENT);
  check(fields == NULL && lacre_fields_count(NULL) == 0);
}

/* What it takes to raise a signature of level B to LTA, before anything is asked. */
static void outlook_of(const lacre_extension *extension) {
  lacre_outlook *outlook = NULL;
  const lacre_signature_outlook *signature;
  size_t i;
  done(lacre_extension_outlook(extension, authority.now, &outlook, &error));
  check(lacre_outlook_count(outlook) == 1 && lacre_outlook_signature(outlook, 1) == NULL);
  signature = lacre_outlook_signature(outlook, 0);
  check(strcmp(lacre_signature_outlook_level(signature).data, "PAdES-BASELINE-B") == 0);
  check(lacre_signature_outlook_id(signature).len > 0 && lacre_signature_outlook_cause(signature).len == 0);
  check(lacre_signature_outlook_message(signature).len == 0 && lacre_signature_outlook_hint(signature).len == 0);
  check(lacre_signature_outlook_timestamp_count(signature) == 2 && lacre_signature_outlook_want_count(signature) > 0);
  for (i = 0; i < lacre_signature_outlook_want_count(signature); i++) {
    check(lacre_want_name(lacre_signature_outlook_want(signature, i)).len > 0);
  }
  check(lacre_signature_outlook_want(signature, i) == NULL);
  check(lacre_outlook_free(outlook) == LACRE_OK && lacre_outlook_free(NULL) == LACRE_OK);
  outlook = NULL;
  expect(lacre_extension_outlook(NULL, authority.now, &outlook, &error), LACRE_ERROR_NULL_ARGUMENT);
  check(outlook == NULL && lacre_outlook_count(NULL) == 0);
}

/* A loop of one's own, to LTA, and again; what goes wrong in it. */
static void extended(const lacre_validator *validator, const lacre_key *key, const lacre_buffer *certificate,
                     const lacre_document *pdf) {
  static const uint8_t nonce[8] = {9, 8, 7};
  lacre_signing *signing = order_of(certificate);
  lacre_document *document = NULL, *again = NULL;
  lacre_extension *extension = NULL;
  lacre_report *report = NULL;
  lacre_buffer *file = NULL, *at_lta = NULL, *old;
  const lacre_extended_signature *signature;
  bool is_done = false;
  size_t i, kept = 0;
  int rounds = 0, stamps = 0, lists = 0, fresh = 0;

  done(lacre_signing_set(signing, "reason", "Approved", &error));
  done(lacre_signing_set(signing, "page", "1", &error));
  done(lacre_signing_set(signing, "box", "10,10,80,30", &error));
  done(lacre_signing_set(signing, "text", "{name}", &error));
  done(lacre_signing_set(signing, "certify", "2", &error));
  done(lacre_signing_sign(signing, pdf, key, NULL, NULL, &file, NULL, &error));
  done(lacre_document_from_memory(bytes_of(file), &document, &error));
  fields_of_signed(document);
  /* A list of before the time-stamp is not fresh enough. */
  old = list();
  authority.now += 3000;
  done(lacre_extension_new(validator, document, LACRE_LEVEL_LTA, &extension, &error));
  outlook_of(extension);
  for (; !is_done && rounds < 20; rounds++) {
    done(lacre_extension_advance(extension, authority.now, &is_done, &error));
    for (i = 0; i < lacre_extension_want_count(extension); i++) {
      const lacre_want *want = lacre_extension_want(extension, i);
      lacre_buffer *request = NULL, *response = NULL;
      if (lacre_want_kind(want) == LACRE_EVIDENCE_TIMESTAMP) {
        done(lacre_extension_timestamp_request(extension, i, nonce, sizeof nonce, NULL, &request, &error));
        authority.now += 1000;
        done(lacre_issue_timestamp(bytes_of(authority.unit), authority.unit_key, bytes_of(request), authority.now, NULL,
                                   NULL, &response, &error));
        done(lacre_extension_timestamp(extension, i, bytes_of(response), authority.now, &error));
        expect(lacre_extension_timestamp(extension, i, bytes_of(response), authority.now, &error),
               LACRE_ERROR_INVALID_ARGUMENT);
        stamps++;
      } else if (lacre_want_kind(want) == LACRE_EVIDENCE_OCSP) {
        fresh += lacre_want_not_before(want) != LACRE_NO_TIME;
        done(lacre_want_ocsp_request(want, &request, &error));
        check(lacre_buffer_len(request) > 0);
        expect(lacre_extension_answer(extension, i, letter, letter_len, &error), LACRE_ERROR_EVIDENCE);
        expect(lacre_extension_failed(extension, i, "http://elsewhere.example", "no", &error),
               LACRE_ERROR_INVALID_ARGUMENT);
        if (lists == 0) {
          /* Of no use, and therefore not wanted again. */
          done(lacre_extension_answer(extension, i, bytes_of(old), &error));
        } else {
          done(lacre_extension_failed(extension, i, lacre_want_url(want, 0).data, "the responder sleeps", &error));
        }
      } else {
        check(lacre_want_kind(want) == LACRE_EVIDENCE_CRL);
        done(lacre_want_certificate(want, &request, &error));
        check(lacre_buffer_len(request) > 0);
        response = list();
        done(lacre_extension_answer(extension, i, bytes_of(response), &error));
        lists++;
      }
      lacre_buffer_free(request);
      lacre_buffer_free(response);
    }
  }
  check(is_done && stamps == 2 && lists == 2 && fresh == 1 && lacre_extension_want_count(extension) == 0);
  done(lacre_extension_advance(extension, authority.now, &is_done, &error));
  check(is_done && lacre_extension_signature_count(extension) == 1);
  signature = lacre_extension_signature(extension, 0);
  check(strcmp(lacre_extended_signature_level_before(signature).data, "PAdES-BASELINE-B") == 0);
  check(strcmp(lacre_extended_signature_level_after(signature).data, "PAdES-BASELINE-LTA") == 0);
  check(lacre_extended_signature_indication_after(signature) == LACRE_INDICATION_TOTAL_PASSED);
  check(lacre_extended_signature_id(signature).len > 0 && lacre_extended_signature_new_id(signature).len > 0);
  check(lacre_extended_signature_cause(signature).len == 0 && lacre_extended_signature_hint(signature).len == 0);
  done(lacre_extension_report(extension, &report, &error));
  check(lacre_report_indication(report) == LACRE_INDICATION_TOTAL_PASSED);
  lacre_report_free(report);
  done(lacre_extension_file(extension, &at_lta, &kept, &error));
  check(kept == lacre_buffer_len(file) && memcmp(lacre_buffer_data(at_lta), lacre_buffer_data(file), kept) == 0);
  has_level(at_lta, "PAdES-BASELINE-LTA", 1);
  lacre_extension_free(extension);
  extension = NULL;

  /* It stays as it is where no renewal is asked for. */
  done(lacre_document_from_memory(bytes_of(at_lta), &again, &error));
  done(lacre_extension_new(validator, again, LACRE_LEVEL_LTA, &extension, &error));
  done(lacre_extension_set(extension, "renewal", "false", &error));
  check(lacre_extension_run(extension, authority.now, timestamp, evidence, NULL, NULL, NULL, &error) ==
            LACRE_ERROR_EXTENSION &&
        strcmp(lacre_error_cause(error).data, "already-at-level") == 0);
  lacre_error_free(error);
  error = NULL;
  lacre_extension_free(extension);
  extension = NULL;

  /* An authority whose lists cannot be had: the reason of the callback is told. */
  authority.silent = 1;
  done(lacre_extension_new(validator, document, LACRE_LEVEL_LT, &extension, &error));
  check(lacre_extension_run(extension, authority.now, timestamp, evidence, NULL, NULL, NULL, &error) ==
            LACRE_ERROR_EXTENSION &&
        strcmp(lacre_error_cause(error).data, "revocation-missing") == 0);
  check(strstr(lacre_error_message(error).data, "the responder sleeps") != NULL);
  lacre_error_free(error);
  error = NULL;
  lacre_extension_free(extension);
  extension = NULL;
  /* Nobody is asked. */
  done(lacre_extension_new(validator, document, LACRE_LEVEL_LT, &extension, &error));
  expect(lacre_extension_run(extension, authority.now, timestamp, NULL, NULL, NULL, NULL, &error),
         LACRE_ERROR_EXTENSION);
  lacre_extension_free(extension);
  authority.silent = 0;

  lacre_buffer_free(old);
  lacre_buffer_free(at_lta);
  lacre_buffer_free(file);
  lacre_document_free(again);
  lacre_document_free(document);
  lacre_signing_free(signing);
}

/* A document time-stamp in a PDF; a token beside a letter, and an evidence record of it a year later. */
static void alone(const lacre_validator *validator, const lacre_document *pdf) {
  lacre_document *document = NULL, *token = NULL;
  lacre_extension *extension = NULL;
  lacre_report *report = NULL;
  lacre_buffer *file = NULL, *record = NULL;

  done(lacre_extension_new_timestamp(validator, pdf, &extension, &error));
  done(lacre_extension_run(extension, authority.now, timestamp, evidence, NULL, NULL, NULL, &error));
  done(lacre_extension_report(extension, &report, &error));
  check(lacre_report_timestamp_count(report) == 1 && lacre_report_signature_count(report) == 0);
  lacre_report_free(report);
  lacre_extension_free(extension);

  done(lacre_document_from_memory(letter, letter_len, &document, &error));
  done(lacre_document_set_name(document, "letter.txt", &error));
  done(lacre_extension_new_timestamp(validator, document, &extension, &error));
  done(lacre_extension_run(extension, authority.now, timestamp, evidence, NULL, NULL, NULL, &error));
  done(lacre_extension_file(extension, &file, NULL, &error));
  lacre_extension_free(extension);
  authority.now += 300 * DAY;
  done(lacre_document_from_memory(bytes_of(file), &token, &error));
  done(lacre_document_add_content(token, "letter.txt", letter, letter_len, &error));
  done(lacre_extension_new_renewal(validator, token, &extension, &error));
  done(lacre_extension_run(extension, authority.now, timestamp, evidence, NULL, NULL, NULL, &error));
  done(lacre_extension_report(extension, &report, &error));
  check(lacre_report_evidence_record_count(report) == 1);
  check(lacre_evidence_record_indication(lacre_report_evidence_record(report, 0)) == LACRE_INDICATION_PASSED);
  done(lacre_extension_file(extension, &record, NULL, &error));
  check(lacre_buffer_len(record) > lacre_buffer_len(file));

  lacre_report_free(report);
  lacre_extension_free(extension);
  lacre_buffer_free(record);
  lacre_buffer_free(file);
  lacre_document_free(token);
  lacre_document_free(document);
}

int main(int argc, char **argv) {
  lacre_validator *validator = NULL;
  lacre_document *pdf = NULL;
  lacre_key *key = NULL;
  lacre_buffer *certificate;
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  long pdf_len;

  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (pdf_len = ftell(file)) < 0) {
    return 5;
  }
  fclose(file);
  done(lacre_time_parse("2026-06-01T12:00:00Z", &authority.now, &error));
  done(lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &authority.key, &error));
  done(lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &authority.unit_key, &error));
  done(lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &key, &error));
  authority.root = issue(LACRE_PROFILE_ROOT, "Root", authority.key);
  authority.unit = issue(LACRE_PROFILE_TIMESTAMP_UNIT, "Unit", authority.unit_key);
  certificate = issue(LACRE_PROFILE_LEGAL_PERSON, "Seal", key);
  done(lacre_validator_new(NULL, 0, NULL, 0, &validator, &error));
  done(lacre_validator_add_trust_anchor(validator, bytes_of(authority.root), &error));
  done(lacre_document_from_file(argv[1], &pdf, &error));

  keys(validator);
  packagings(validator, key, certificate);
  stamped(validator, key, certificate, pdf, (size_t)pdf_len);
  decorated(validator, key, certificate, pdf);
  extended(validator, key, certificate, pdf);
  alone(validator, pdf);

  lacre_document_free(pdf);
  lacre_validator_free(validator);
  lacre_buffer_free(certificate);
  lacre_buffer_free(authority.unit);
  lacre_buffer_free(authority.root);
  lacre_key_free(key);
  lacre_key_free(authority.unit_key);
  lacre_key_free(authority.key);
  if (wrong == 0) {
    printf("signed and extended\n");
  }
  return wrong == 0 ? 0 : 1;
}
