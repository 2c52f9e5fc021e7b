#!/usr/bin/env bash
# Makes lacre.wasm, which the package embeds: lacre as WebAssembly, with a stable compiler. It is not kept in source.
#
#   bindings/go/build.sh [PROFILE]    PROFILE: of Cargo; default `dist`, optimised for speed; `dev` is quick to build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
profile=${1:-dist}
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
target=wasm32-unknown-unknown
build=$PWD/target/wasm
tools=$PWD/target/tools
mkdir -p "$build" "$tools"

# The compiler: as bindings/wasm/build.sh chooses it.
if [ ! -d "$("${RUSTC:-rustc}" --print sysroot 2>/dev/null)/lib/rustlib/$target" ]; then
  if ! grep -qs '^ID=debian$' /etc/os-release; then
    echo "build.sh: ${RUSTC:-rustc} has no standard library for WebAssembly: rustup target add $target, or set RUSTC" >&2
    exit 1
  fi
  if ! command -v wasm-ld-22 >/dev/null && ! { apt-get update -qq && apt-get install -y -qq lld-22; } >&2; then
    echo "build.sh: found no wasm-ld-22, which is in Debian's package lld-22" >&2
    exit 1
  fi
  RUSTC=$(bindings/wasm/debian.sh "$tools/debian")
  export RUSTC CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
fi

# A panic is a trap in any case: nothing is unwound in a module.
upper=$(printf %s "$profile" | tr 'a-z-' 'A-Z_')
export "CARGO_PROFILE_${upper}_DEBUG=false" "CARGO_PROFILE_${upper}_PANIC=abort" "CARGO_PROFILE_${upper}_STRIP=debuginfo"
RUSTFLAGS="-Ctarget-feature=+simd128${RUSTFLAGS:+ $RUSTFLAGS}" cargo rustc --quiet --locked --target-dir "$build" --target "$target" \
  --profile "$profile" --package lacre-go-module --lib --crate-type cdylib
folder=$profile
[ "$profile" != dev ] || folder=debug
cp "$build/$target/$folder/lacre_go_module.wasm" "$here/lacre.wasm"
printf 'bindings/go/lacre.wasm: %s bytes\n' "$(stat -c %s "$here/lacre.wasm")"
