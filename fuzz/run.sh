#!/usr/bin/env bash
# Fuzzes the parsers: fuzz/run.sh SECONDS [TARGET…] (all targets where none is named). Exit status 1 where one fails; the bytes
# that it fails on, and what it said, lie in fuzz/artifacts.
#
# The stable compiler will do: these flags are those that cargo-fuzz gives a nightly one, but for the sanitizers, which look for
# what safe Rust does not do. Arithmetic that overflows and assertions of debug builds count. A C++ compiler builds libFuzzer.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:?seconds for each target}
shift
if [ $# -eq 0 ]; then
  set -- fuzz_targets/*.rs
  set -- "${@##*/}"
  set -- "${@%.rs}"
fi

host=$(rustc -vV | sed -n 's/^host: //p')
flags="--cfg fuzzing -Cpasses=sancov-module -Cdebug-assertions -Ccodegen-units=1"
for coverage in level=4 inline-8bit-counters pc-table trace-compares; do
  flags+=" -Cllvm-args=-sanitizer-coverage-$coverage"
done
# For a target that is named the flags are not those of build scripts.
RUSTFLAGS=$flags cargo build --release --quiet --target "$host" --bins

bash seeds.sh
failed=0
for target in "$@"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  echo "== $target"
  "target/$host/release/$target" "corpus/$target" -artifact_prefix="artifacts/$target/" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=2048 -max_len=65536 >"artifacts/$target.log" 2>&1 || failed=1
  grep -E 'DONE|ERROR|panicked|SUMMARY' "artifacts/$target.log" || tail -3 "artifacts/$target.log"
done
exit $failed
