package io.kmodel.indexer;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Ends properties early in the quick tier, after a tenth of their tries but at least three. {@code
 * tries} of a {@link Property} is the number of the thorough tier. jqwik finds this class as a
 * service.
 */
public final class QuickTries implements AroundTryHook {
  private static final int SHARE = 10;
  private static final int LEAST = 3;

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor aTry, List<Object> parameters) {
    TryExecutionResult result = aTry.execute(parameters);
    if (Tier.isThorough() || !result.isSatisfied()) {
      return result;
    }
    Store<AtomicInteger> passed =
        Store.getOrCreate(QuickTries.class, Lifespan.PROPERTY, AtomicInteger::new);
    return passed.get().incrementAndGet() < enough(context)
        ? result
        : TryExecutionResult.satisfied(true);
  }

  private static int enough(TryLifecycleContext context) {
    Optional<Property> property =
        AnnotationSupport.findAnnotation(context.targetMethod(), Property.class);
    int tries = property.map(Property::tries).orElse(0);
    // Without a number of its own, a property has jqwik's default.
    return tries > 0 ? Math.max(LEAST, tries / SHARE) : 1000 / SHARE;
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }
}
