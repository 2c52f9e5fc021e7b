#!/usr/bin/env bash
# Builds what pkg/ does not hold in source: the WebAssembly modules and their glue, with a stable compiler, one call of
# Cargo a module. Prints the sizes of the npm package and fails where one has grown by more than 5 % over
# bindings/wasm/sizes.tsv.
#
#   bindings/wasm/build.sh            the package
#   bindings/wasm/build.sh --record   also writes the sizes down as the ones to hold
#   bindings/wasm/build.sh --bench    only the module that tests/js/bench.mjs measures, into target/wasm/bench
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

target=wasm32-unknown-unknown
build=$PWD/target/wasm
tools=$PWD/target/tools
mkdir -p "$build" "$tools"

for tool in cargo node npm; do
  command -v "$tool" >/dev/null || { echo "build.sh: found no $tool, which it needs" >&2; exit 1; }
done

# The compiler: the one at hand, where it has the target's standard library; else, on Debian, that of Debian testing.
has_target() { [ -d "$("$1" --print sysroot 2>/dev/null)/lib/rustlib/$target" ]; }
if ! has_target "${RUSTC:-rustc}"; then
  if ! grep -qs '^ID=debian$' /etc/os-release; then
    echo "build.sh: ${RUSTC:-rustc} has no standard library for WebAssembly. Where rustup manages it:" >&2
    echo "  rustup target add $target" >&2
    echo "Otherwise set RUSTC to a compiler that has one." >&2
    exit 1
  fi
  echo "build.sh: ${RUSTC:-rustc} has no standard library for WebAssembly (rustup target add $target)," \
    "so Debian testing's compiler is taken, in $tools/debian" >&2
  if ! command -v wasm-ld-22 >/dev/null && ! { apt-get update -qq && apt-get install -y -qq lld-22; } >&2; then
    echo "build.sh: found no wasm-ld-22, which is in Debian's package lld-22" >&2
    exit 1
  fi
  RUSTC=$(bindings/wasm/debian.sh "$tools/debian")
  export RUSTC CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
fi

# wasm-bindgen, of the very version that the lock file has; wasm-opt, from npm.
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
bindgen=$tools/wasm-bindgen/bin/wasm-bindgen
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
  env -u RUSTC cargo install wasm-bindgen-cli --version "$version" --root "$tools/wasm-bindgen" --target-dir "$tools/build" --debug --quiet
fi
binaryen=132.0.0
wasm_opt=$tools/npm/node_modules/binaryen/bin/wasm-opt
[ -f "$wasm_opt" ] || npm install --prefix "$tools/npm" --no-audit --no-fund --silent "binaryen@$binaryen"

# Makes one module: its name, its features, its folder, flags of the compiler, how long inlined functions may be, options of
# Cargo. Vectors of 128 bits are for searching bytes and for digests. All crates are optimised as one (`lto` of the profile) only
# where nothing but the module is made: with the rlib, which bindings/wasm/Cargo.toml also asks for, Cargo leaves that out. Then
# functions are inlined up to five times the length that `opt-level = "z"` allows, which makes the module smaller and quicker.
# wasm-opt begins with flat code, whose loops and branches it finds anew: a half per cent less. It leaves large functions apart that
# are called in one place: what is alike in them stays near, and brotli finds it, which is one per cent. The first KiB of memory is the
# far end of the stack (`--stack-first`), which nothing but an overflow reaches: wasm-opt may reckon with that, so that an address and
# what is added to it become one instruction.
module() {
  RUSTFLAGS="-Ctarget-feature=+simd128${4:+ $4}${RUSTFLAGS:+ $RUSTFLAGS}" cargo rustc --quiet --target-dir "$build" --target "$target" --profile wasm \
    --package lacre-wasm --lib --crate-type cdylib --no-default-features --features "$2" \
    "${@:6}" -- -Cllvm-args=-inline-threshold="${5:-25}"
  "$bindgen" --target web --omit-default-module-path --experimental-reset-state-function --no-typescript \
    --remove-producers-section --out-dir "$3" --out-name "$1" "$build/$target/wasm/lacre_wasm.wasm"
  node "$wasm_opt" --flatten --rereloop -Oz --gufa -Oz --converge --always-inline-max-function-size=1 \
    --one-caller-inline-max-function-size=20 --low-memory-unused --strip-debug --strip-target-features \
    --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-multivalue \
    --enable-reference-types --enable-simd "$3/$1_bg.wasm" -o "$3/$1_bg.small"
  mv "$3/$1_bg.small" "$3/$1_bg.wasm"
}

if [[ " $* " == *" --bench "* ]]; then
  module lacre bench target/wasm/bench
  exit
fi
module lacre every-format pkg
# This one is to be small before it is quick: so are the crates of maps, of reports, of names, of searches and
# of compressed streams in it.
small=()
for crate in const-oid der fdeflate flate2 foldhash hashbrown memchr serde_core serde_json spki; do
  small+=(--config "profile.wasm.package.$crate.opt-level=\"z\"")
done
module lacre_slim validate pkg '' 12 "${small[@]}"
module lacre_report render pkg
# Crates of private keys ask for random numbers where somebody makes keys; nobody does here, and none are there.
module lacre_sign sign pkg '--cfg getrandom_backend="unsupported"'
node bindings/wasm/sizes.mjs "$@"
