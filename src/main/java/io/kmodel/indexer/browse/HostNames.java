package io.kmodel.indexer.browse;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the server that it answers to. A page of another site can give its own name this
 * machine's address (DNS rebinding), but its requests then carry that name; numeric addresses and
 * localhost mean this machine for every name server.
 *
 * @param given the name or address that the server was told to listen on
 */
record HostNames(String given) {
  private static final String LOCALHOST = "localhost";
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|\\[[0-9A-Fa-f:.]+\\]");

  /** Whether the Host header of a request, which may end with a port, has such a name. */
  boolean include(@Nullable String host) {
    if (host == null) {
      return false;
    }
    int port = host.lastIndexOf(':');
    String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
    return NUMERIC.matcher(name).matches()
        || name.toLowerCase(Locale.ROOT).equals(LOCALHOST)
        || name.equalsIgnoreCase(given);
  }
}
