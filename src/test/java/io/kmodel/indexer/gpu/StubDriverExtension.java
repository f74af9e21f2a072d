package io.kmodel.indexer.gpu;

import java.io.IOException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes the {@link StubDriver} to the constructor of a test class, for each test with one device
 * of 512 MiB and without faults, and resets it afterwards. If there can be no driver, the class is
 * skipped, or fails if INDEXER_REQUIRE_GPU=1.
 */
public final class StubDriverExtension
    implements BeforeAllCallback, ParameterResolver, AfterEachCallback {
  /** Done here, because a parameter resolver cannot skip a test. */
  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    StubDriver.load();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == StubDriver.class;
  }

  @Override
  public StubDriver resolveParameter(ParameterContext parameter, ExtensionContext context) {
    try {
      return StubDriver.load();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("the driver was there before", e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    StubDriver.load();
  }
}
