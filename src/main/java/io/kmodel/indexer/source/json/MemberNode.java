package io.kmodel.indexer.source.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object by their names, and what each of their values is for. Names are found by
 * their bytes. Not thread-safe.
 */
final class MemberNode {
  /** The value of a member with a usual name. */
  static final class Usual {
    final JsonText text;
    final boolean isId;

    /** Rank of the name whose value was taken; the lowest one counts. */
    int rank;

    Usual(JsonText text, boolean isId) {
      this.text = text;
      this.isId = isId;
    }
  }

  /**
   * A text that is assembled from the members of one name.
   *
   * @param isJoined whether all values count, not only the first that is not empty
   */
  record Slot(JsonText text, boolean isJoined) {}

  private final byte[] name;

  /** Members of an object by the length of their names. */
  private @Nullable MemberNode[] inside = {};

  /** Another member whose name has the same length. */
  private @Nullable MemberNode next;

  @Nullable Usual usual;

  /** Rank of the usual name. */
  int rank;

  /** Whether a user has named it, or a member inside it. */
  boolean isNamed;

  /** Whether a user has named a member inside it. */
  boolean leadsToNamed;

  final List<Slot> slots = new ArrayList<>();

  /** Numbers of metadata values. */
  final List<Integer> values = new ArrayList<>();

  boolean isVector;

  MemberNode(String name) {
    this.name = name.getBytes(StandardCharsets.UTF_8);
  }

  /** The member of a name, added if it is missing. */
  MemberNode child(String of) {
    byte[] utf8 = of.getBytes(StandardCharsets.UTF_8);
    MemberNode found = find(utf8, 0, utf8.length);
    if (found == null) {
      found = new MemberNode(of);
      inside = Arrays.copyOf(inside, Math.max(inside.length, utf8.length + 1));
      found.next = inside[utf8.length];
      inside[utf8.length] = found;
    }
    return found;
  }

  /** The member whose name is between two offsets; null if nothing is wanted of it. */
  @Nullable MemberNode find(byte[] object, int from, int to) {
    int length = to - from;
    MemberNode node = length < inside.length ? inside[length] : null;
    while (node != null && !Arrays.equals(node.name, 0, length, object, from, to)) {
      node = node.next;
    }
    return node;
  }

  /** Whether members inside it are wanted. */
  boolean hasInside() {
    return inside.length > 0;
  }

  /** Marks the texts of this member, and of those inside it, as present. */
  void setPresent() {
    for (Slot slot : slots) {
      slot.text().setPresent();
    }
    for (@Nullable MemberNode first : inside) {
      for (MemberNode node = first; node != null; node = node.next) {
        node.setPresent();
      }
    }
  }
}
