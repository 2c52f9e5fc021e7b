#!/usr/bin/env bash
# Builds the C library and installs it: headers, shared and static library, lacre.pc, a CMake package.
#
# usage: bindings/c/install.sh --prefix DIR [--libdir NAME] [--only shared|static] [--from DIR]
#   --prefix   where to install, such as /usr/local; DESTDIR stands before it where it is set
#   --libdir   the folder for libraries below the prefix (default: lib)
#   --only     installs one kind of library
#   --from     takes libraries that are built already from that folder (default: builds them, --profile dist)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

prefix="" libdir=lib only="" from=""
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix | --libdir | --only | --from)
      [ $# -ge 2 ] || { echo "install.sh: error: $1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
[ -n "$prefix" ] || { echo "install.sh: error: --prefix is missing" >&2; exit 2; }
case "$only" in "" | shared | static) ;; *) echo "install.sh: error: --only is shared or static, not $only" >&2; exit 2 ;; esac

if [ -z "$from" ]; then
  # Asked for the rlib too, as tests do, cargo would not optimise across crates.
  case "$only" in shared) kinds=cdylib ;; static) kinds=staticlib ;; *) kinds=cdylib,staticlib ;; esac
  (cd "$root" && cargo rustc --profile dist --package lacre-c --lib --crate-type "$kinds")
  from=${CARGO_TARGET_DIR:-$root/target}/dist
fi

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$root/Cargo.toml")
IFS=. read -r major minor _ <<<"$version"
# The same rule as in build.rs.
if [ "$major" = 0 ]; then abi=0.$minor; else abi=$major; fi
case "$(uname -s)" in
  Darwin) built=liblacre_c.dylib shared=liblacre.$version.dylib soname=liblacre.$abi.dylib plain=liblacre.dylib ;;
  *) built=liblacre_c.so shared=liblacre.so.$version soname=liblacre.so.$abi plain=liblacre.so ;;
esac
# What a static library of this rustc needs besides itself: `rustc --print native-static-libs`, which a test compares.
case "$(uname -s)" in
  Darwin) private="-liconv -lSystem -lc -lm" ;;
  *) private="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc" ;;
esac

to=${DESTDIR:-}$prefix
install -d "$to/include" "$to/$libdir/pkgconfig" "$to/$libdir/cmake/lacre"
install -m 644 "$root/include/lacre.h" "$root/include/lacre.hpp" "$to/include/"
if [ "$only" != static ]; then
  install -m 755 "$from/$built" "$to/$libdir/$shared"
  ln -sf "$shared" "$to/$libdir/$soname"
  ln -sf "$soname" "$to/$libdir/$plain"
fi
if [ "$only" != shared ]; then
  install -m 644 "$from/liblacre_c.a" "$to/$libdir/liblacre.a"
fi

# From a folder below the prefix back to it.
back() { printf '%s' "$1" | sed 's|[^/][^/]*|..|g'; }
fill() {
  sed -e "s|@VERSION@|$version|g" -e "s|@MAJOR@|$major|g" -e "s|@MINOR@|$minor|g" -e "s|@LIBDIR@|$libdir|g" \
    -e "s|@SONAME@|$soname|g" -e "s|@SHARED_FILE@|$shared|g" -e "s|@PRIVATE_LIBRARIES@|$private|g" \
    -e "s|@PRIVATE_CMAKE@|$(printf '%s' "$private" | sed 's/-l//g; s/ /;/g')|g" \
    -e "s|@PREFIX_FROM_PC@|$(back "$libdir/pkgconfig")|g" -e "s|@PREFIX_FROM_CMAKE@|$(back "$libdir/cmake/lacre")|g" \
    "$here/install/$1.in" >"$2/$1"
}
fill lacre.pc "$to/$libdir/pkgconfig"
fill lacre-config.cmake "$to/$libdir/cmake/lacre"
fill lacre-config-version.cmake "$to/$libdir/cmake/lacre"
echo "lacre $version installed in $to"
