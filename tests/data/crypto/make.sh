#!/bin/sh
# Makes the keys and signature values of tests/crypto_door.rs anew, with OpenSSL 3. The private keys are thrown away.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
printf 'The message.' > "$work/message"
openssl dgst -sha256 -binary "$work/message" > "$work/digest"

public() { openssl pkey -in "$work/$1.pem" -pubout -outform DER -out "$1.spki"; }
sign() { # key, name of the value, options of pkeyutl
  key=$1 name=$2
  shift 2
  openssl pkeyutl -sign -inkey "$work/$key.pem" -in "$work/digest" -out "$name.value" "$@"
}

openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out "$work/rsa-1024.pem"
openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1025 -out "$work/rsa-1025.pem"
openssl genpkey -quiet -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:1024 -pkeyopt rsa_pss_keygen_md:sha256 \
  -pkeyopt rsa_pss_keygen_mgf1_md:sha256 -pkeyopt rsa_pss_keygen_saltlen:20 -out "$work/rsa-pss-1024.pem"
openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/p256.pem"
openssl genpkey -quiet -genparam -algorithm DSA -pkeyopt dsa_paramgen_bits:1024 -pkeyopt dsa_paramgen_q_bits:160 \
  -out "$work/dsa-parameters.pem"
openssl genpkey -quiet -paramfile "$work/dsa-parameters.pem" -out "$work/dsa-1024.pem"
openssl genpkey -quiet -algorithm ED25519 -out "$work/ed25519.pem"
for key in rsa-1024 rsa-1025 rsa-pss-1024 p256 dsa-1024 ed25519; do public "$key"; done
openssl pkey -in "$work/p256.pem" -pubout -outform DER -ec_conv_form compressed -out p256-compressed.spki
openssl pkey -in "$work/p256.pem" -pubout -outform DER -ec_param_enc explicit -out p256-explicit.spki

sign rsa-1024 rsa-1024-pkcs1 -pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:sha256
sign rsa-1024 rsa-1024-bare -pkeyopt rsa_padding_mode:pkcs1
sign rsa-1024 rsa-1024-pss -pkeyopt digest:sha256 -pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen:20 \
  -pkeyopt rsa_mgf1_md:sha1
sign rsa-1025 rsa-1025-pkcs1 -pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:sha256
sign rsa-1025 rsa-1025-pss -pkeyopt digest:sha256 -pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen:32
sign rsa-pss-1024 rsa-pss-1024-pss -pkeyopt digest:sha256 -pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen:20
sign p256 p256-ecdsa
sign dsa-1024 dsa-1024
openssl pkeyutl -sign -inkey "$work/ed25519.pem" -rawin -in "$work/message" -out ed25519.value
