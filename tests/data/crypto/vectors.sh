#!/bin/sh
# Makes openssl.tsv anew, with OpenSSL 3: for every curve, and DSA of every size, a key and a value by each digest function.
# Columns: what the key is, the digest function, the SubjectPublicKeyInfo, the value; the last two in hexadecimal. The message
# is the two first columns with a space between them. The private keys are thrown away.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

hex() { od -An -v -tx1 | tr -d ' \n'; }

rows() { # name; the private key is in key.pem
  spki=$(openssl pkey -in "$work/key.pem" -pubout -outform DER | hex)
  for function in SHA1 SHA224 SHA256 SHA384 SHA512; do
    printf '%s %s' "$1" "$function" > "$work/message"
    value=$(openssl dgst "-$(echo "$function" | tr A-Z a-z)" -sign "$work/key.pem" "$work/message" | hex)
    printf '%s\t%s\t%s\t%s\n' "$1" "$function" "$spki" "$value"
  done
}

{
  for curve in secp160k1 secp160r1 secp160r2 secp192k1 secp192r1=prime192v1 secp224k1 secp224r1 prime239v1 \
    secp256r1=prime256v1 secp256k1 secp384r1 secp521r1 brainpoolP160r1 brainpoolP160t1 brainpoolP192r1 brainpoolP192t1 \
    brainpoolP224r1 brainpoolP224t1 brainpoolP256r1 brainpoolP256t1 brainpoolP320r1 brainpoolP320t1 brainpoolP384r1 \
    brainpoolP384t1 brainpoolP512r1 brainpoolP512t1; do
    openssl ecparam -name "${curve#*=}" -genkey -noout -out "$work/key.pem"
    rows "${curve%=*}"
  done
  for sizes in 1024-160 2048-224 2048-256 3072-256; do
    openssl genpkey -quiet -genparam -algorithm DSA -pkeyopt "dsa_paramgen_bits:${sizes%-*}" \
      -pkeyopt "dsa_paramgen_q_bits:${sizes#*-}" -out "$work/parameters.pem"
    openssl genpkey -quiet -paramfile "$work/parameters.pem" -out "$work/key.pem"
    rows "DSA-$sizes"
  done
} > openssl.tsv
