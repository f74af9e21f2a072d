package io.kmodel.indexer.source.remote;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A file of a server as it was listed. Every later answer must be about the same version of it: its
 * ETag, or without one its time, and its size.
 *
 * @param size bytes on the server
 * @param modified the epoch if the server does not say
 * @param tag the ETag; may be empty
 * @param ranges whether the server sends parts of files
 */
record RemoteObject(Address address, long size, Instant modified, String tag, boolean ranges) {
  private static final String WEAK = "W/";

  /** Asks a server for one byte, which tells all that is needed, also of presigned URLs. */
  static RemoteObject of(Address address, Web web) throws IOException {
    try (Answer answer = web.get(address, Map.of("Range", "bytes=0-0"), new Retry(web, address))) {
      if (answer.status() != 416 || answer.range() != null) {
        return of(address, web, answer);
      }
    }
    // An empty file has no such byte, and not every server tells its size then.
    try (Answer answer = web.get(address, Map.of(), new Retry(web, address))) {
      return of(address, web, answer);
    }
  }

  private static RemoteObject of(Address address, Web web, Answer answer) throws IOException {
    long size;
    boolean ranges = answer.status() != 200;
    Answer.Range range = answer.range();
    switch (answer.status()) {
      case 200 -> size = answer.length();
      case 206 -> size = range == null ? -1 : range.size();
      case 416 -> size = range != null && range.size() == 0 ? 0 : -1;
      default -> throw web.refused(address, answer);
    }
    if (size < 0) {
      throw new RemoteFileException(
          address, "the server does not tell the file's size; download it and name its path");
    }
    String encoding = answer.unknownEncoding();
    if (!encoding.isEmpty()) {
      throw new RemoteFileException(
          address, "the server sends it with Content-Encoding %s, unasked".formatted(encoding));
    }
    RemoteObject object =
        new RemoteObject(address, size, answer.modified(), answer.header("etag"), ranges);
    if (size > 0 && object.tag().isEmpty() && object.modified().equals(Instant.EPOCH)) {
      throw new RemoteFileException(
          address,
          "the server sends no ETag and no Last-Modified, so a change of the file would go"
              + " unnoticed; download it and name its path");
    }
    answer.drop();
    return object;
  }

  /** Asks for the bytes from one offset to another. */
  Answer get(Web web, Retry retry, long from, long to) throws IOException {
    Map<String, String> headers = new HashMap<>();
    if (ranges) {
      headers.put("Range", "bytes=%d-%d".formatted(from, to - 1));
    }
    if (!tag.isEmpty() && !tag.startsWith(WEAK)) {
      headers.put("If-Match", tag);
    }
    Answer answer = web.get(address, headers, retry);
    boolean isAccepted = false;
    try {
      require(answer, web);
      isAccepted = true;
      return answer;
    } finally {
      if (!isAccepted) {
        answer.close();
      }
    }
  }

  /** Requires an answer with bytes of the listed version. */
  private void require(Answer answer, Web web) throws IOException {
    long now = size;
    switch (answer.status()) {
      case 200 -> now = answer.length();
      case 206 -> {
        Answer.Range range = answer.range();
        now = range == null ? -1 : range.size();
      }
      case 412 -> throw changed("its ETag was " + tag);
      case 416 -> {
        Answer.Range range = answer.range();
        throw changed(
            "it had %,d bytes, and now has %s"
                .formatted(size, range == null ? "fewer" : "%,d".formatted(range.size())));
      }
      default -> throw web.refused(address, answer);
    }
    if (now >= 0 && now != size) {
      throw changed("it had %,d bytes, and now has %,d".formatted(size, now));
    }
    String tagNow = answer.header("etag");
    if (!tag.equals(tagNow)) {
      throw changed("its ETag was %s, and is %s".formatted(tag, tagNow));
    }
    if (tag.isEmpty() && !modified.equals(answer.modified())) {
      throw changed(
          "it was modified on %s, and before that on %s".formatted(answer.modified(), modified));
    }
  }

  private RemoteFileException changed(String how) {
    return new RemoteFileException(address, "the file has changed while it was read: " + how);
  }
}
