#!/usr/bin/env bash
# Indexes made-up sparse vectors here and by Anserini 1.5.0, prints the times of both, and compares what Anserini finds
# in both indexes. Fetches Anserini (164 MB) through Maven. Anserini needs Java 21 or later: INDEXER_JAVA_HOME, JAVA_HOME
# or the default. INDEXER_WORK names a directory for vectors and indexes.
# 1,000,000 vectors take 2.4 GB there, twice that while they are split into files.
#   config/impacts.sh [DOCUMENTS [THREADS [LARGEST_WEIGHT]]]     (default: 5000 vectors of 200 terms, 2 threads, 255)
set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
documents=${1:-5000}
threads=${2:-2}
weight=${3:-255}
work=$(mktemp -d ${INDEXER_WORK:+-p "$INDEXER_WORK"})
trap 'rm -rf "$work"' EXIT

mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact=io.anserini:anserini:1.5.0:jar:fatjar \
  -DoutputDirectory="$work" -Dmdep.useBaseVersion=true
jdk=${INDEXER_JAVA_HOME:-${JAVA_HOME:-}}
run() { "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 3; }; }
anserini() { run "${jdk:+$jdk/bin/}java" -cp "$work/anserini-1.5.0-fatjar.jar" "$@"; }
indexer() { run "$root/bin/indexer" "$@" --threads "$threads" --quiet; }
timed() {
  local TIMEFORMAT="$1: %R s, %U s of processors for the program, %S s for the system"
  shift
  time "$@"
}

"$root/bin/indexer" experiment vectors --output "$work/made" --documents "$documents" --largest-weight "$weight"
mkdir "$work/vectors"
split -n l/8 -d --additional-suffix=.jsonl "$work/made/vectors.jsonl" "$work/vectors/part" # Anserini has a thread per file
rm "$work/made/vectors.jsonl"

echo "$documents vectors with weights of 1 to $weight, $threads threads"
timed "indexer to Lucene 10.6" indexer build "$work/vectors" --format vectors --store id --check none \
  --export "lucene:$work/fast"
timed "indexer to its own index" indexer build "$work/vectors" --format vectors --store id --output "$work/index"
timed "Anserini" anserini io.anserini.index.IndexCollection -collection JsonVectorCollection -input "$work/vectors" \
  -index "$work/theirs" -generator DefaultLuceneDocumentGenerator -threads "$threads" -impact -pretokenized

run "$root/bin/indexer" export lucene "$work/index" "$work/ours" --lucene-version 9.9 --quiet
for index in ours theirs; do
  anserini io.anserini.search.SearchCollection -index "$work/$index" -topics "$work/made/queries.tsv" \
    -topicReader TsvInt -output "$work/$index.run" -impact -pretokenized -hits 100
done
diff "$work/ours.run" "$work/theirs.run"
echo "$(wc -l <"$work/ours.run") lines of Anserini's runs over both indexes are equal"
[ -s "$work/ours.run" ]

# Among equal scores, the order here is that of documents, and Anserini's that of ids.
run "$root/bin/indexer" search "$work/index" --topics "$work/made/queries.tsv" --run "$work/own.run" --top 100
scores() { awk '{ print $1, $4, $5 + 0 }' "$1"; }
diff <(scores "$work/own.run") <(scores "$work/theirs.run")
echo "the scores of indexer search are equal, too"
