#!/usr/bin/env bash
# Prints the path of a stable rustc that has the standard library for WebAssembly, on a machine of Debian that cannot ask
# rustup for it: the packages of Debian testing, unpacked into the folder that is named, run by their own loader. Nothing
# is installed, and the packages of the machine stay as they are.
#
#   bindings/wasm/debian.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
rustc=$folder/rustc
if [ ! -x "$rustc" ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | grep -m 1 '/debian/\?$')
  mkdir -p "$folder"/{lists/partial,cache/archives/partial,parts,packages,root}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror testing main" >"$folder/sources.list"
  : >"$folder/status"
  options=(-qq -o APT::Sandbox::User=root -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status"
    -o "Dir::Cache=$folder/cache" -o "Dir::Etc::sourcelist=$folder/sources.list" -o "Dir::Etc::sourceparts=$folder/parts")
  apt-get "${options[@]}" update
  # The compiler's libraries, down to the C library; its linker and those of C are the machine's.
  needed=$(apt-cache "${options[@]}" depends --recurse --important libstd-rust-dev libstd-rust-dev-wasm32 | grep '^[a-z0-9]')
  # shellcheck disable=SC2086
  (cd "$folder/packages" && apt-get "${options[@]}" download rustc $needed)
  for package in "$folder"/packages/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done
  libraries=$(dirname "$(find "$folder/root/usr/lib" -path '*-linux-gnu/ld-linux*' -name '*.so.*' | head -n 1)")
  printf '#!/bin/sh\nexec %s/%s --library-path %s %s "$@"\n' "$libraries" "$(basename "$libraries"/ld-linux*)" \
    "$libraries" "$folder/root/usr/bin/rustc" >"$rustc"
  chmod +x "$rustc"
  rm -r "$folder/packages" "$folder/cache" "$folder/lists"
fi
echo "$rustc"
