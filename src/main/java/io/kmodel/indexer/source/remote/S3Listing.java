package io.kmodel.indexer.source.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The keys of a bucket with a prefix, by ListObjectsV2, a thousand at a time. */
final class S3Listing {
  private static final int MOST_PAGE_BYTES = 1 << 26;

  private final Web web;
  private final S3 s3;
  private final String bucket;
  private final String prefix;

  /** A key and its object. */
  record Entry(String key, RemoteObject object) {}

  /** A page of the list, and the token of the next one; empty after the last page. */
  private record Page(List<Entry> entries, String next) {}

  S3Listing(Web web, S3 s3, String bucket, String prefix) {
    this.web = web;
    this.s3 = s3;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  /** All keys in the order of the server. */
  List<Entry> all() throws IOException {
    List<Entry> all = new ArrayList<>();
    String next = "";
    do {
      Page page = page(s3.list(bucket, prefix, next));
      all.addAll(page.entries());
      if (page.next().equals(next) && !next.isEmpty()) {
        throw new IOException(
            "s3://%s/%s: the list of keys does not end".formatted(bucket, prefix));
      }
      next = page.next();
    } while (!next.isEmpty());
    return all;
  }

  private Page page(Address address) throws IOException {
    Retry retry = new Retry(web, address);
    while (true) {
      try (Answer answer = web.get(address, Map.of(), retry)) {
        if (answer.status() != 200) {
          throw web.refused(address, answer);
        }
        return parse(answer.readAll(MOST_PAGE_BYTES));
      } catch (BodyQueue.BrokenException e) {
        retry.again(e, Duration.ZERO);
      } catch (XMLStreamException | DateTimeException | IllegalArgumentException e) {
        throw new IOException(
            "s3://%s/%s: the server's list of keys cannot be read: %s"
                .formatted(bucket, prefix, e.getMessage()),
            e);
      }
    }
  }

  private Page parse(byte[] xml) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XMLStreamReader in = factory.createXMLStreamReader(new ByteArrayInputStream(xml));
    List<Entry> entries = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    boolean isTruncated = false;
    String next = "";
    StringBuilder text = new StringBuilder();
    while (in.hasNext()) {
      switch (in.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          text.setLength(0);
          if (in.getLocalName().equals("Contents")) {
            values.clear();
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(in.getText());
        case XMLStreamConstants.END_ELEMENT -> {
          switch (in.getLocalName()) {
            case "Contents" -> entries.add(entry(values));
            case "IsTruncated" -> isTruncated = text.toString().equals("true");
            case "NextContinuationToken" -> next = text.toString();
            default -> values.put(in.getLocalName(), text.toString());
          }
        }
        default -> {
          // Comments and the like.
        }
      }
    }
    if (isTruncated && next.isEmpty()) {
      throw new IllegalArgumentException("it is truncated, without a token for the rest");
    }
    return new Page(entries, isTruncated ? next : "");
  }

  private Entry entry(Map<String, String> values) {
    String key = URLDecoder.decode(values.getOrDefault("Key", ""), StandardCharsets.UTF_8);
    if (!key.startsWith(prefix)) {
      throw new IllegalArgumentException("'%s' does not start with the prefix".formatted(key));
    }
    long size = Long.parseLong(values.getOrDefault("Size", ""));
    Instant modified = Instant.parse(values.getOrDefault("LastModified", ""));
    return new Entry(
        key,
        new RemoteObject(
            s3.object(bucket, key), size, modified, values.getOrDefault("ETag", ""), true));
  }
}
