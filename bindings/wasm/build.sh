#!/usr/bin/env bash
# Builds what pkg/ does not hold in source: the WebAssembly modules and their glue. Prints the sizes of the npm
# package and fails where one has grown by more than 5 % over bindings/wasm/sizes.tsv.
#
#   bindings/wasm/build.sh --system   with Debian's toolchain, which builds the standard library too, for size: modules
#                                     are 12 % smaller; lost are the message of a panic, and in the cause of an error what
#                                     other crates write for debugging. What is published is built so.
#   bindings/wasm/build.sh --rustup   with rustup's wasm32-unknown-unknown
#   bindings/wasm/build.sh            with Debian's where it is installed, else with rustup's, else installs Debian's
#   bindings/wasm/build.sh --record   also writes the sizes down as the ones to hold
#   bindings/wasm/build.sh --bench    only the module that tests/js/bench.mjs measures, into target/wasm/bench
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

build=$PWD/target/wasm
tools=$PWD/target/tools
mkdir -p "$build" "$tools"

options=" $* "
asked() { [[ $options == *" --$1 "* ]]; }

# The compiler. Vectors of 128 bits are for searching octets and for digests (docs/decisions.md).
simd=-Ctarget-feature=+simd128
installed() { [ -x /usr/bin/cargo ] && [ -d /usr/lib/rustlib/src/rust/library ] && command -v wasm-ld-22 >/dev/null; }
targeted() { [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/wasm32-unknown-unknown" ]; }
if asked rustup || { ! asked system && ! installed && targeted; }; then
  toolchain=rustup
  compile() { RUSTFLAGS=$simd cargo build --target-dir "$build" "$@"; }
else
  toolchain=system build=$build/system
  if ! installed; then
    apt-get update -qq && apt-get install -y -qq rustc-web cargo-web rust-web-src lld-22
  fi
  # How large a function may be that is inlined: five times what "z" says, which makes the module smaller and quicker; what
  # Cargo.toml builds for speed keeps what compilers use there.
  inlined() { echo --config "profile.wasm$1.rustflags=['-Cllvm-args=-inline-threshold=$2']"; }
  fast=$(sed -n '/^\[profile.wasm.package\]/,$s/^\([a-z0-9-]*\) = { opt-level = 3 }/\1/p' Cargo.toml | grep -v '^lacre-wasm$')
  inlining=(-Z profile-rustflags $(inlined "" 25) $(for package in $fast; do inlined ".package.$package" 225; done))
  levels=($(for package in core alloc std dlmalloc; do echo --config "profile.wasm.package.$package.opt-level=3"; done))
  compile() {
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22 \
      RUSTFLAGS="-Zlocation-detail=none -Zfmt-debug=none --cfg small $simd" CARGO_PROFILE_WASM_PANIC=immediate-abort \
      /usr/bin/cargo build -Z panic-immediate-abort -Z build-std=std,panic_abort \
      -Z build-std-features=optimize_for_size "${levels[@]}" "${inlining[@]}" --target-dir "$build" "$@"
  }
fi

# wasm-bindgen, of the very version that the lock file has; wasm-opt, from npm.
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
bindgen=$tools/wasm-bindgen/bin/wasm-bindgen
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
  cargo install wasm-bindgen-cli --version "$version" --root "$tools/wasm-bindgen" --target-dir "$tools/build" --debug --quiet
fi
binaryen=132.0.0
wasm_opt=$tools/npm/node_modules/binaryen/bin/wasm-opt
[ -f "$wasm_opt" ] || npm install --prefix "$tools/npm" --no-audit --no-fund --silent "binaryen@$binaryen"

# One module: its features, its name, its folder, and where the functions go that most documents do not need.
module() {
  compile --profile wasm --package lacre-wasm --lib --no-default-features --features "$1" \
    --target wasm32-unknown-unknown --quiet
  "$bindgen" --target web --omit-default-module-path --experimental-reset-state-function --no-typescript \
    --remove-producers-section --out-dir "$3" --out-name "$2" \
    "$build/wasm32-unknown-unknown/wasm/lacre_wasm.wasm"
  if [ -n "${4-}" ]; then
    node bindings/wasm/split.mjs "$3/$2_bg.wasm" "$3/$4"
    shrink "$3/$4"
  fi
  shrink "$3/$2_bg.wasm"
}

shrink() {
  node "$wasm_opt" -Oz --strip-debug --strip-target-features --enable-bulk-memory --enable-nontrapping-float-to-int \
    --enable-sign-ext --enable-mutable-globals --enable-multivalue --enable-reference-types --enable-simd "$1" -o "$1.small"
  mv "$1.small" "$1"
}

if asked bench; then
  module bench lacre target/wasm/bench
  exit
fi
module validate lacre pkg lacre_rest.wasm
module render lacre_report pkg
node bindings/wasm/sizes.mjs "$toolchain" "$@"
