#!/usr/bin/env bash
# Makes the PKCS#12 files of this folder: what OpenSSL before 3.0, Java and NSS (Firefox) write. Run in this folder; needs openssl with
# its legacy provider, keytool (a JDK) and pk12util (Debian package libnss3-tools). Certificates are valid for a century.
set -euo pipefail
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
days=36500
new() { # new NAME SUBJECT
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$1.key" 2>/dev/null
  openssl req -new -key "$work/$1.key" -subj "$2" -out "$work/$1.csr"
}
new root "/CN=Root"
openssl req -x509 -new -key "$work/root.key" -subj "/CN=Root" -days $days -out "$work/root.pem"
new ca "/CN=CA"
printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n' > "$work/ca.ext"
openssl x509 -req -in "$work/ca.csr" -CA "$work/root.pem" -CAkey "$work/root.key" -CAcreateserial -days $days -extfile "$work/ca.ext" -out "$work/ca.pem" 2>/dev/null
new user "/CN=User"
openssl x509 -req -in "$work/user.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days $days -out "$work/user.pem" 2>/dev/null
cat "$work/root.pem" "$work/ca.pem" > "$work/above.pem"
old() { # old FILE CERTPBE KEYPBE
  openssl pkcs12 -export -legacy -inkey "$work/user.key" -in "$work/user.pem" -certfile "$work/above.pem" -name user \
    -certpbe "$2" -keypbe "$3" -macalg sha1 -passout pass:secret -out "$1"
}
old rc2-40.p12 PBE-SHA1-RC2-40 PBE-SHA1-3DES
old rc2-128.p12 PBE-SHA1-RC2-128 PBE-SHA1-2DES
old rc4.p12 PBE-SHA1-RC4-128 PBE-SHA1-RC4-128
for alias in first second; do
  keytool -genkeypair -alias $alias -keyalg EC -groupname secp384r1 -dname "CN=$alias" -validity $days -storetype PKCS12 \
    -keystore java.p12 -storepass secret 2>/dev/null
done
mkdir "$work/nss"
certutil -N -d "$work/nss" --empty-password
pk12util -i rc2-40.p12 -d "$work/nss" -W secret >/dev/null
pk12util -o nss.p12 -n user -d "$work/nss" -W secret >/dev/null
openssl x509 -in "$work/user.pem" -outform DER -out user.der
