/* A system that gives no randomness: whoever needs some is told, and the caller's own does as well. Linked with -rdynamic,
 * so that the library finds the function below in place of the system's.
 */
#include <errno.h>
#include <lacre.h>
#include <stdio.h>

ptrdiff_t getrandom(void *bytes, size_t len, unsigned flags);
ptrdiff_t getrandom(void *bytes, size_t len, unsigned flags) {
  (void)bytes, (void)len, (void)flags;
  errno = EIO;
  return -1;
}

static int32_t counting(void *user_data, uint8_t *bytes, size_t len) {
  size_t at;
  (void)user_data;
  for (at = 0; at < len; at++) {
    bytes[at] = (uint8_t)at;
  }
  return 0;
}

int main(void) {
  lacre_key *key = NULL;
  lacre_error *error = NULL;
  lacre_status status = lacre_key_generate(LACRE_KEY_ECDSA_P256, NULL, NULL, &key, &error);
  int done = status == LACRE_ERROR_RANDOM && key == NULL && lacre_error_code(error) == status;
  printf("%s: %s\n", lacre_status_name(status), lacre_error_message(error).data);
  lacre_error_free(error);
  done = lacre_key_generate(LACRE_KEY_ECDSA_P256, counting, NULL, &key, NULL) == LACRE_OK && done;
  lacre_key_free(key);
  return done ? 0 : 1;
}
