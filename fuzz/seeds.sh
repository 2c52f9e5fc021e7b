#!/usr/bin/env bash
# Fills fuzz/corpus/TARGET with files of the public corpus, where it is unpacked (target/corpus): what each parser meets.
#
# At most SEEDS files of at most SEED_BYTES bytes for a target, the smallest first: a fuzzer learns little from long ones.
set -euo pipefail
cd "$(dirname "$0")/.."
corpus=target/corpus
[ -d "$corpus" ] || { echo "no seeds: $corpus is not there"; exit 0; }
count=${SEEDS:-150}
bytes=${SEED_BYTES:-65536}

# seeds TARGET PATTERN…: files whose names match (or paths, where the pattern has a slash), under names that say nothing.
seeds() {
  local target=fuzz/corpus/$1 names=() number=0
  shift
  for pattern in "$@"; do
    case $pattern in */*) names+=(-o -path "$pattern") ;; *) names+=(-o -name "$pattern") ;; esac
  done
  mkdir -p "$target"
  # All of the list is read, or sort would be told that nobody listens.
  while IFS= read -r file; do
    number=$((number + 1))
    [ "$number" -gt "$count" ] || cp "$file" "$target/seed-$number"
  done < <(find -L "$corpus" -type f -not -path '*/dss-facts/*' -size -"$((bytes / 1024 + 1))k" \( -false "${names[@]}" \) -printf '%s\t%p\n' | sort -n | cut -f2)
  echo "$target: $(find "$target" -name 'seed-*' | wc -l) seeds"
}

seeds asn1 '*.crt' '*.crl' '*.ors' '*.p7s' '*.p7m' '*.ers'
seeds certificate '*.crt' '*.cer' '*.der'
seeds cms '*.p7m' '*.p7s' '*.p7c' '*.pkcs7'
seeds container '*.asice' '*.asics' '*.bdoc' '*.sce' '*.scs' '*.edoc' '*.od[tpsg]'
seeds crl '*.crl'
seeds ers '*.ers' '*.er' '*/XMLER*/er/*.xml' '*evidence-record*.xml'
seeds facts '*diag*.xml' 'diag*.xml'
seeds jose '*/dss-jades/*.json' '*/dss-jws/*.json' '*jades*.json' '*.jws' '*.jose'
seeds lists '*[tT][sS][lL]*.xml' '*lotl*.xml' '*mra*.xml'
seeds ocsp '*.ors'
seeds pdf '*.pdf'
seeds sign_pdf '*.pdf'
seeds policy '*constraint*.xml' '*policy*.xml' '*crypto*suite*'
seeds tsp '*.tst' '*.ers' '*.er'
# Signed ones and those from which canonical forms were made.
seeds xml '*[sS]ign*.xml' '*[xX][aA][dD][eE][sS]*/*.xml' '*c14n*/*.xml' '*.ddoc'
seeds xpath '*.xpath'

# bundle: what the command makes of the examples, where it was built.
mkdir -p fuzz/corpus/bundle
for lacre in target/release/lacre target/debug/lacre; do
  [ -x "$lacre" ] || continue
  for document in examples/documents/{contract,revoked}.pdf examples/documents/letter.txt.p7s; do
    "$lacre" validate "$document" --at 2027-01-01 --bundle "fuzz/corpus/bundle/seed-$(basename "$document").zip" \
      --trust-anchor examples/documents/root.der -o /dev/null || true
  done
  break
done
echo "fuzz/corpus/bundle: $(find fuzz/corpus/bundle -name 'seed-*' | wc -l) seeds"

# spki: a key, an AlgorithmIdentifier (sha256WithRSAEncryption, ecdsa-with-SHA256) and a value, each after its length.
mkdir -p fuzz/corpus/spki
length() { printf '%b' "$(printf '\\x%02x\\x%02x' "$(($1 / 256))" "$(($1 % 256))")"; }
number=0
for certificate in $(find -L fuzz/corpus/certificate -name 'seed-*' | sort | head -n 40); do
  key=$(mktemp)
  if openssl x509 -inform DER -in "$certificate" -noout -pubkey 2>/dev/null | openssl pkey -pubin -outform DER -out "$key" 2>/dev/null; then
    number=$((number + 1))
    if [ "$(wc -c <"$key")" -gt 200 ]; then
      identifier='\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b\x05\x00' bytes=15
    else
      identifier='\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02' bytes=12
    fi
    { length "$(wc -c <"$key")"; cat "$key"; length "$bytes"; printf '%b' "$identifier"; head -c 256 "$certificate"; } \
      >"fuzz/corpus/spki/seed-$number"
  fi
  rm -f "$key"
done
echo "fuzz/corpus/spki: $number seeds"
