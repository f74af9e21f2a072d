#!/usr/bin/env bash
# Makes packages of the program that Maven has built: they need neither Java nor Maven where they are installed.
#
#   config/release.sh PROGRAM VERSION FOLDER
#
# PROGRAM has indexer.jar and lib (usually target). FOLDER gets, for this machine's kind of processor:
#   indexer-VERSION-linux-x64.tar.gz    or -aarch64
#   indexer_VERSION_amd64.deb           or _arm64; only if there is a dpkg-deb
# Both come from one staged directory. The same sources and the same JDK give the same bytes.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
program=$(CDPATH='' cd -- "$1" && pwd -P)
version=$2
mkdir -p "$3"
folder=$(CDPATH='' cd -- "$3" && pwd -P)
# All files get the time of the last commit, or that of a fixed day where there is no Git.
time=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1767225600)

# Java's modules that the program and its libraries use. Charsets of old pages are in jdk.charsets.
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml
modules=$modules,jdk.charsets,jdk.httpserver,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.unsupported

case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x64 architecture=amd64 ;;
  Linux-aarch64) platform=linux-aarch64 architecture=arm64 ;;
  *) echo "packages are made on Linux for x86-64 and aarch64" >&2 && exit 1 ;;
esac

work=$(mktemp -d "$folder/staging-XXXXXX")
trap 'rm -rf "$work"' EXIT
name=indexer-$version
stage=$work/$name

# The program itself says which JDK its launcher finds.
for variable in ${!INDEXER_@} JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS; do unset "$variable"; done
[ -z "${JAVA_INDEXER_HOME:-}" ] || export INDEXER_JAVA_HOME=$JAVA_INDEXER_HOME
indexer() { INDEXER_PROGRAM=$program "$root/bin/indexer" "$@"; }
jdk=$(INDEXER_JAVA_OPTIONS=-XshowSettings:properties indexer --version 2>&1 | sed -n 's/^ *java\.home = //p')
[ -x "$jdk/bin/jlink" ] || { echo "no jlink in $jdk" >&2 && exit 1; }

# licences: the notices of all libraries, by library.
licences() {
  local jar to
  mkdir -p "$stage/licences"
  cp "$root/THIRD-PARTY.md" "$stage/licences"
  for jar in "$stage"/program/lib/*.jar; do
    to=$stage/licences/$(basename "$jar" .jar)
    mkdir "$to"
    (cd "$to" && "$jdk/bin/jar" -xf "$jar" $("$jdk/bin/jar" -tf "$jar" |
      grep -iE '^(META-INF/)?((un)?licen[cs]e|notice|copying)[^/]*$' || echo META-INF/MANIFEST.MF))
    rm -f "$to/META-INF/MANIFEST.MF"
  done
  find "$stage/licences" -type d -empty -delete
}

stage_program() {
  mkdir -p "$stage"/{bin,config,program,share/man/man1,share/bash-completion/completions}
  cp "$root/bin/indexer" "$stage/bin"
  cp "$root/config/indexer.properties" "$stage/config"
  cp "$root/README.md" "$root/CHANGELOG.md" "$stage"
  cp -r "$root/docs" "$stage/docs"
  cp -r "$program/lib" "$program/indexer.jar" "$stage/program"
  indexer manual >"$stage/share/man/man1/indexer.1"
  indexer completion >"$stage/share/bash-completion/completions/indexer"
  "$jdk/bin/jlink" --output "$stage/runtime" --add-modules "$modules" \
    --strip-debug --no-header-files --no-man-pages --compress zip-9
  licences
}

# dated DIRECTORY: gives everything in it the same time and plain permissions
dated() {
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch -h -d "@$time" {} +
}

archive() {
  dated "$stage"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" |
    gzip -9n >"$work/archive"
  mv "$work/archive" "$folder/$name-$platform.tar.gz"
}

# Installs under /usr/lib/indexer; the settings are in /etc, where an administrator changes them.
debian_package() {
  local tree=$work/deb of
  mkdir -p "$tree"/{DEBIAN,etc/indexer,usr/bin,usr/lib,usr/share/man/man1,usr/share/bash-completion/completions}
  mkdir -p "$tree/usr/share/doc/indexer"
  cp -r "$stage" "$tree/usr/lib/indexer"
  of=$tree/usr/lib/indexer
  mv "$of/config/indexer.properties" "$tree/etc/indexer"
  ln -s /etc/indexer/indexer.properties "$of/config/indexer.properties"
  ln -s ../lib/indexer/bin/indexer "$tree/usr/bin/indexer"
  gzip -9n <"$of/share/man/man1/indexer.1" >"$tree/usr/share/man/man1/indexer.1.gz"
  mv "$of/share/bash-completion/completions/indexer" "$tree/usr/share/bash-completion/completions"
  rm -r "$of/share"
  mv "$of"/{README.md,CHANGELOG.md,docs,licences} "$tree/usr/share/doc/indexer"
  echo /etc/indexer/indexer.properties >"$tree/DEBIAN/conffiles"
  cat >"$tree/DEBIAN/control" <<END
Package: indexer
Version: ${version/-SNAPSHOT/\~snapshot}
Architecture: $architecture
Maintainer: the authors of indexer <indexer@kmodel.invalid>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: bash, libc6 (>= 2.28), mawk | awk
Section: text
Priority: optional
Description: builds inverted indexes by sorting
 Turns a web crawl or a text collection into a Lucene index or a CIFF file,
 several times as fast as Lucene's IndexWriter. Brings its own Java.
END
  dated "$tree"
  SOURCE_DATE_EPOCH=$time dpkg-deb --root-owner-group -Zxz --build "$tree" "$work/package.deb" >/dev/null
  mv "$work/package.deb" "$folder/indexer_${version/-SNAPSHOT/\~snapshot}_$architecture.deb"
}

stage_program
archive
! command -v dpkg-deb >/dev/null || debian_package
