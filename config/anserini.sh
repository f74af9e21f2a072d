#!/usr/bin/env bash
# Searches an export for Lucene 9.9 by Anserini 1.5.0, and compares the run with that of Anserini's own index of the same
# documents. Compares runs of 'indexer search' with Anserini's, too, with and without RM3. Fetches Anserini (164 MB) through
# Maven.
#   config/anserini.sh [JSONL_DIRECTORY TREC_TOPICS]
set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/samples"
for file in "$root"/corpus-samples/trec/docs/*.txt; do
  printf '{"id": "%s", "contents": "%s"}\n' "$(basename "$file")" "$(tr '\n\t"\\' '    ' <"$file")"
done >"$work/samples/texts.jsonl"
collection=${1:-$work/samples}
topics=${2:-$root/corpus-samples/trec/topics.txt}

mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact=io.anserini:anserini:1.5.0:jar:fatjar \
  -DoutputDirectory="$work" -Dmdep.useBaseVersion=true
jdk=${INDEXER_JAVA_HOME:-${JAVA_HOME:-}}
anserini() { "${jdk:+$jdk/bin/}java" -cp "$work/anserini-1.5.0-fatjar.jar" "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 3; }; }

"$root/bin/indexer" build "$collection" --output "$work/index" --export "lucene:$work/ours" --lucene-version 9.9 \
  --analyzer english --quiet
anserini io.anserini.index.IndexCollection -collection JsonCollection -input "$collection" -index "$work/theirs" \
  -threads 1 -storePositions -storeRaw -storeDocvectors
for index in ours theirs; do
  anserini io.anserini.search.SearchCollection -index "$work/$index" -topics "$topics" -topicReader Trec \
    -output "$work/$index.run" -bm25 -hits 100
done
diff "$work/ours.run" "$work/theirs.run"
echo "$(wc -l <"$work/ours.run") lines of both runs are equal"
[ -s "$work/ours.run" ]

# Topics, documents and ranks are equal; Anserini rounds scores to four digits and moves equal ones apart.
for expand in '' rm3; do
  anserini io.anserini.search.SearchCollection -index "$work/theirs" -topics "$topics" -topicReader Trec \
    -output "$work/theirs.run" -bm25 ${expand:+-rm3} -hits 100
  "$root/bin/indexer" search "$work/index" --topics "$topics" --run "$work/ours.run" --top 100 --k1 0.9 --b 0.4 \
    --ties id ${expand:+--expand "$expand"}
  for run in ours theirs; do
    sort -k1,1n -k4,4n "$work/$run.run" >"$work/$run.sorted"
  done
  diff <(cut -d ' ' -f 1,3,4 "$work/ours.sorted") <(cut -d ' ' -f 1,3,4 "$work/theirs.sorted")
  paste -d ' ' "$work/ours.sorted" "$work/theirs.sorted" |
    awk '($5 - $11) ^ 2 > 4e-8 { print; different = 1 } END { exit different }'
  echo "$(wc -l <"$work/ours.sorted") lines of 'indexer search' ${expand:+with $expand }are equal"
done
