/* Signs with a key that lacre never sees: a callback makes the value. A real one asks a card, a token or a service;
 * here a second key plays that part. An authority is made first, so that the example needs no file.
 *
 * usage: sign_hash_callback [SIGNATURE]    writes the signature (.p7m) there
 */
#include <lacre.h>
#include <stdio.h>
#include <string.h>

/* "Somewhere else". */
struct vault {
  lacre_key *key;
  int asked;
};

static int32_t sign_in_vault(void *user_data, int32_t scheme, int32_t digest, const uint8_t *hash, size_t hash_len,
                             uint8_t *value, size_t value_capacity, size_t *value_len) {
  struct vault *vault = user_data;
  lacre_buffer *made = NULL;
  if (lacre_key_sign_hash(vault->key, scheme, digest, hash, hash_len, NULL, NULL, &made, NULL) != LACRE_OK) {
    return 1;
  }
  if (lacre_buffer_len(made) > value_capacity) {
    lacre_buffer_free(made);
    return 2;
  }
  memcpy(value, lacre_buffer_data(made), lacre_buffer_len(made));
  *value_len = lacre_buffer_len(made);
  lacre_buffer_free(made);
  vault->asked++;
  return 0;
}

/* An attribute and its value. */
struct attribute {
  int32_t name;
  const char *value;
};

/* A certificate for a public key; a root for the issuer's own where there is no issuer. */
static lacre_status issue(int32_t profile, const struct attribute *attributes, size_t count, const char *to,
                          const lacre_buffer *public_key, const lacre_buffer *issuer, const lacre_key *issuer_key,
                          lacre_buffer **certificate, lacre_error **error) {
  lacre_certificate_order *order = NULL;
  int64_t from, until;
  size_t i;
  lacre_status status = lacre_certificate_order_new(profile, &order, error);
  for (i = 0; status == LACRE_OK && i < count; i++) {
    status = lacre_certificate_order_set_attribute(order, attributes[i].name, attributes[i].value, error);
  }
  if (status == LACRE_OK && (status = lacre_time_parse("2026-01-01", &from, error)) == LACRE_OK &&
      (status = lacre_time_parse(to, &until, error)) == LACRE_OK) {
    status = lacre_certificate_order_set_validity(order, from, until, error);
  }
  if (status == LACRE_OK && public_key != NULL) {
    status = lacre_certificate_order_set_public_key(order, lacre_buffer_data(public_key), lacre_buffer_len(public_key),
                                                    error);
  }
  if (status == LACRE_OK) {
    /* NULL, NULL: randomness comes from the system. */
    status = lacre_issue(order, lacre_buffer_data(issuer), lacre_buffer_len(issuer), issuer_key, NULL, NULL,
                         certificate, error);
  }
  lacre_certificate_order_free(order);
  return status;
}

int main(int argc, char **argv) {
  static const struct attribute authority[] = {
      {LACRE_ATTRIBUTE_COUNTRY, "PT"},
      {LACRE_ATTRIBUTE_ORGANIZATION, "Exemplo SA"},
      {LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-123456789"},
      {LACRE_ATTRIBUTE_COMMON_NAME, "Exemplo Root"},
  };
  static const struct attribute person[] = {
      {LACRE_ATTRIBUTE_COUNTRY, "PT"},
      {LACRE_ATTRIBUTE_GIVEN_NAME, "Ana"},
      {LACRE_ATTRIBUTE_SURNAME, "Silva"},
      {LACRE_ATTRIBUTE_SERIAL_NUMBER, "PASPT-P3000180"},
  };
  static const char letter[] = "Dear reader, this is signed.\n";
  struct vault vault = {NULL, 0};
  lacre_key *authority_key = NULL, *key = NULL;
  lacre_buffer *root = NULL, *public_key = NULL, *certificate = NULL, *signature = NULL;
  lacre_signing *signing = NULL;
  lacre_validator *validator = NULL;
  lacre_document *document = NULL, *signed_document = NULL;
  lacre_report *report = NULL;
  lacre_error *error = NULL;
  int64_t time;
  int status = 0;

  if (lacre_time_parse("2026-06-01T12:00:00Z", &time, &error) != LACRE_OK ||
      /* An authority, and a person whose key is in the vault. */
      lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &authority_key, &error) != LACRE_OK ||
      lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &vault.key, &error) != LACRE_OK ||
      lacre_key_public(vault.key, &public_key, &error) != LACRE_OK ||
      issue(LACRE_PROFILE_ROOT, authority, 4, "2036-01-01", NULL, NULL, authority_key, &root, &error) != LACRE_OK ||
      issue(LACRE_PROFILE_NATURAL_PERSON, person, 4, "2029-01-01", public_key, root, authority_key, &certificate,
            &error) != LACRE_OK ||
      /* The person's key as lacre sees it: a certificate and a callback. */
      lacre_key_from_callback(lacre_buffer_data(certificate), lacre_buffer_len(certificate), sign_in_vault, &vault,
                              NULL, &key, &error) != LACRE_OK ||
      /* The signature. */
      lacre_signing_new(lacre_buffer_data(certificate), lacre_buffer_len(certificate), LACRE_SCHEME_USUAL,
                        LACRE_DIGEST_SHA256, time, &signing, &error) != LACRE_OK ||
      lacre_signing_set(signing, "mime-type", "text/plain", &error) != LACRE_OK ||
      lacre_document_from_memory((const uint8_t *)letter, sizeof letter - 1, &document, &error) != LACRE_OK ||
      lacre_signing_sign(signing, document, key, NULL, NULL, &signature, NULL, &error) != LACRE_OK ||
      /* What others say of it. */
      lacre_validator_new(NULL, 0, NULL, 0, &validator, &error) != LACRE_OK ||
      lacre_validator_add_trust_anchor(validator, lacre_buffer_data(root), lacre_buffer_len(root), &error) !=
          LACRE_OK ||
      lacre_document_from_memory(lacre_buffer_data(signature), lacre_buffer_len(signature), &signed_document,
                                 &error) != LACRE_OK ||
      lacre_validate(validator, signed_document, time, &report, &error) != LACRE_OK) {
    fprintf(stderr, "sign_hash_callback: error: %s\n", lacre_error_message(error).data);
    lacre_error_free(error);
    status = 5;
  } else {
    const lacre_signature *made = lacre_report_signature(report, 0);
    printf("the vault was asked %d time(s)\n", vault.asked);
    printf("%s by %s: %s %s\n", lacre_signature_level(made).data, lacre_signature_signer(made).data,
           lacre_indication_name(lacre_signature_indication(made)),
           lacre_sub_indication_name(lacre_signature_sub_indication(made)));
    if (argc > 1) {
      FILE *file = fopen(argv[1], "wb");
      if (file == NULL || fwrite(lacre_buffer_data(signature), 1, lacre_buffer_len(signature), file) !=
                              lacre_buffer_len(signature)) {
        perror(argv[1]);
        status = 5;
      }
      if (file != NULL) {
        fclose(file);
      }
    }
  }

  lacre_report_free(report);
  lacre_document_free(signed_document);
  lacre_document_free(document);
  lacre_validator_free(validator);
  lacre_signing_free(signing);
  lacre_buffer_free(signature);
  lacre_buffer_free(certificate);
  lacre_buffer_free(root);
  lacre_buffer_free(public_key);
  lacre_key_free(key);
  lacre_key_free(vault.key);
  lacre_key_free(authority_key);
  return status;
}
