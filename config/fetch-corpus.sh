#!/usr/bin/env bash
# Fetches documentation packages of Debian and unpacks their HTML, as a corpus to build indexes of.
#
#   config/fetch-corpus.sh [-o FOLDER] small|medium|full|PACKAGE...
#
# The pages of a package come to FOLDER/html/PACKAGE (default FOLDER: corpus, which git ignores).
# Needs apt-get and dpkg-deb; takes the versions that this machine's apt knows. A package that is
# there already is left alone, so a run that was broken off can be run again.
set -euo pipefail

# 550 pages, 54 MB.
small=(python3.11-doc debian-reference-en)

# 65,000 pages, 1.5 GB.
medium=(
  "${small[@]}"
  openjdk-17-doc postgresql-doc-15 linux-doc-6.1 libboost1.74-doc
  sqlite3-doc erlang-doc debian-handbook r-doc-html
  cppreference-doc-en-html rust-doc qtbase5-doc-html libreoffice-help-en-us
)

# About 127,000 pages, 3.7 GB.
full=(
  "${medium[@]}"
  octave-doc python-scipy-doc python-django-doc
  python-pandas-doc python-sklearn-doc python-statsmodels-doc python-sympy-doc libstdc++-12-doc
  llvm-14-doc libgtk-4-doc libgtk-3-doc libglib2.0-doc
  libeigen3-doc opencv-doc scala-doc gnucash-docs racket-doc lilypond-doc-html libace-doc dpdk-doc
  ghc-doc
)

usage() {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

need() {
  if ! command -v "$1" > /dev/null; then
    echo "$1 is not here: this script takes the corpus from Debian's packages and runs on" \
      "Debian or Ubuntu only" >&2
    exit 1
  fi
}

# Prints "FILES BYTES" of a folder.
measure() {
  find "$1" -type f -printf '%s\n' | awk '{ n++; sum += $1 } END { printf "%d %.0f\n", n, sum }'
}

# A package's HTML, packed or not. Links are left out: the page they lead to is there by itself.
copy_pages() {
  local from=$1 to=$2
  (
    cd "$from" \
      && find . -type f \( -iname '*.html' -o -iname '*.htm' -o -iname '*.xhtml' \
        -o -iname '*.html.gz' -o -iname '*.htm.gz' \) -print0
  ) | tar -C "$from" --null --files-from=- -cf - | tar -C "$to" -xf -
}

# No `set -e` within, because its caller tests it: every step is chained.
fetch() {
  local package=$1
  if [[ -d $target/html/$package ]]; then
    return
  fi
  work=$(mktemp -d "$target/fetch.XXXXXX") \
    && mkdir "$work/deb" "$work/root" "$work/html" \
    && (cd "$work/deb" && apt-get -qq download "$package") > "$work/log" 2>&1 \
    && dpkg-deb -x "$work"/deb/*.deb "$work/root" \
    && copy_pages "$work/root" "$work/html" \
    && mv "$work/html" "$target/html/$package"
  local status=$?
  if ((status != 0)); then
    echo "$package: not fetched: $(tail -n 1 "$work/log")" >&2
  fi
  rm -rf "$work"
  return "$status"
}

work=
trap '[[ -z $work ]] || rm -rf "$work"' EXIT

target=corpus
while getopts o:h option; do
  case $option in
    o) target=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[[ $# -gt 0 ]] || usage
need apt-get
need dpkg-deb

case $1 in
  small) packages=("${small[@]}") ;;
  medium) packages=("${medium[@]}") ;;
  full) packages=("${full[@]}") ;;
  *) packages=("$@") ;;
esac

mkdir -p "$target/html"
target=$(cd "$target" && pwd)
failed=0
for package in "${packages[@]}"; do
  if fetch "$package"; then
    read -r files bytes < <(measure "$target/html/$package")
    printf '%-28s %7d files %12d bytes\n' "$package" "$files" "$bytes"
  else
    failed=$((failed + 1))
  fi
done
read -r files bytes < <(measure "$target/html")
printf '%-28s %7d files %12d bytes in %s\n' "in all" "$files" "$bytes" "$target/html"
if ((failed > 0)); then
  echo "$failed of ${#packages[@]} packages are missing" >&2
  exit 1
fi
