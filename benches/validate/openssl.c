/* Does digests and signature checks with libcrypto, again and again, and prints the median in milliseconds and how many of the
 * checks were good.
 *
 * Reads lines from standard input, bytes in hexadecimal, `-` for what is not there:
 *   digest FUNCTION LENGTH
 *   check SPKI FUNCTION MASK SALT MESSAGE DIGEST VALUE
 * Keys are read and functions looked up before: what is measured is digests and arithmetic.
 */
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 65536, RUNS = 4000, LEAST_RUNS = 7 };

struct bytes {
  unsigned char *at;
  size_t length;
};

struct piece {
  EVP_MD *function;
  size_t length; /* of a digest alone */
  EVP_PKEY *key; /* of a check, else NULL */
  EVP_PKEY_CTX *prepared;
  struct bytes message, digest, value;
};

static struct piece pieces[MOST];
static size_t count;
static unsigned char *input;
static EVP_MD_CTX *context;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static unsigned digit(char text) {
  if (text >= '0' && text <= '9') {
    return (unsigned)(text - '0');
  }
  if (text < 'a' || text > 'f') {
    fail("not hexadecimal");
  }
  return (unsigned)(text - 'a') + 10;
}

static struct bytes from_hex(const char *text) {
  struct bytes bytes = {NULL, 0};
  size_t at, length = strlen(text) / 2;
  if (strcmp(text, "-") == 0) {
    return bytes;
  }
  bytes.at = malloc(length + 1);
  bytes.length = length;
  for (at = 0; at < length; at++) {
    bytes.at[at] = (unsigned char)(digit(text[2 * at]) << 4 | digit(text[2 * at + 1]));
  }
  return bytes;
}

static EVP_MD *function_named(const char *name) {
  EVP_MD *function = strcmp(name, "-") == 0 ? NULL : EVP_MD_fetch(NULL, name, NULL);
  if (function == NULL && strcmp(name, "-") != 0) {
    fail("a digest function that this OpenSSL does not have");
  }
  return function;
}

/* Prepares a check; of a message is digested first, but for EdDSA, which is verified over the message. */
static void prepare(struct piece *piece, char **fields) {
  struct bytes spki = from_hex(fields[1]);
  const unsigned char *at = spki.at;
  EVP_MD *mask = function_named(fields[3]);
  piece->key = d2i_PUBKEY(NULL, &at, (long)spki.length);
  piece->function = function_named(fields[2]);
  piece->message = from_hex(fields[5]);
  piece->digest = from_hex(fields[6]);
  piece->value = from_hex(fields[7]);
  if (piece->key == NULL) {
    fail("a key that this OpenSSL does not read");
  }
  if (piece->function == NULL) {
    return;
  }
  piece->prepared = EVP_PKEY_CTX_new(piece->key, NULL);
  if (piece->prepared == NULL || EVP_PKEY_verify_init(piece->prepared) <= 0) {
    fail("a key of which this OpenSSL verifies nothing");
  }
  if (mask != NULL) {
    int salt = strcmp(fields[4], "-") == 0 ? RSA_PSS_SALTLEN_AUTO : atoi(fields[4]);
    if (EVP_PKEY_CTX_set_rsa_padding(piece->prepared, RSA_PKCS1_PSS_PADDING) <= 0 ||
        EVP_PKEY_CTX_set_rsa_pss_saltlen(piece->prepared, salt) <= 0 ||
        EVP_PKEY_CTX_set_rsa_mgf1_md(piece->prepared, mask) <= 0) {
      fail("parameters of RSASSA-PSS that this OpenSSL does not take");
    }
  }
  if (EVP_PKEY_CTX_set_signature_md(piece->prepared, piece->function) <= 0) {
    fail("a digest function that does not go with the key");
  }
}

static unsigned digested(const EVP_MD *function, const unsigned char *bytes, size_t length, unsigned char *to) {
  unsigned made = 0;
  if (!EVP_DigestInit_ex(context, function, NULL) || !EVP_DigestUpdate(context, bytes, length) ||
      !EVP_DigestFinal_ex(context, to, &made)) {
    fail("a digest cannot be made");
  }
  return made;
}

/* Does one piece of work; 1 for a value that is good. */
static int work(const struct piece *piece) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  const unsigned char *made = piece->digest.at;
  size_t length = piece->digest.length;
  if (piece->key == NULL) {
    digested(piece->function, input, piece->length, digest);
    return 0;
  }
  if (piece->prepared == NULL) {
    return EVP_MD_CTX_reset(context) && EVP_DigestVerifyInit(context, NULL, NULL, NULL, piece->key) > 0 &&
           EVP_DigestVerify(context, piece->value.at, piece->value.length, piece->message.at, piece->message.length) == 1;
  }
  if (piece->message.at != NULL) {
    length = digested(piece->function, piece->message.at, piece->message.length, digest);
    made = digest;
  }
  return EVP_PKEY_verify(piece->prepared, piece->value.at, piece->value.length, made, length) == 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int by_size(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(void) {
  static double times[RUNS];
  char *line = NULL;
  size_t room = 0, longest = 1, at, runs = 0, good = 0;
  double begun;

  while (getline(&line, &room, stdin) > 0) {
    char *fields[8];
    struct piece *piece = &pieces[count];
    size_t found = 0;
    char *field = strtok(line, " \n");
    for (; field != NULL && found < 8; field = strtok(NULL, " \n")) {
      fields[found++] = field;
    }
    if (++count == MOST) {
      fail("too much work");
    }
    if (found == 3) {
      piece->function = function_named(fields[1]);
      piece->length = strtoul(fields[2], NULL, 10);
      longest = piece->length > longest ? piece->length : longest;
    } else if (found == 8) {
      prepare(piece, fields);
    } else {
      fail("neither a digest nor a check");
    }
  }
  input = malloc(longest);
  context = EVP_MD_CTX_new();
  if (input == NULL || context == NULL) {
    fail("no memory");
  }
  memset(input, 0xa5, longest);
  for (at = 0; at < count; at++) {
    good += (size_t)work(&pieces[at]);
  }
  begun = now();
  while (runs < LEAST_RUNS || (runs < RUNS && now() - begun < 500)) {
    double start = now();
    for (at = 0; at < count; at++) {
      work(&pieces[at]);
    }
    times[runs++] = now() - start;
  }
  qsort(times, runs, sizeof *times, by_size);
  printf("%.6f %zu\n", times[runs / 2], good);
  return 0;
}
