package io.kmodel.indexer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A parameterized test of which the quick tier runs the first row of parameters and every nth after
 * it. It skips the others and says so; the thorough tier runs all.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(QuickEvery.Condition.class)
public @interface QuickEvery {
  /** Of how many rows one is run. */
  int value();

  /** Enables one of so many rows in the quick tier. */
  final class Condition implements ExecutionCondition {
    private static final Pattern ROW = Pattern.compile("test-template-invocation:#(\\d+)]$");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Matcher row = ROW.matcher(context.getUniqueId());
      int every = context.getRequiredTestMethod().getAnnotation(QuickEvery.class).value();
      return Tier.isThorough() || !row.find() || (Integer.parseInt(row.group(1)) - 1) % every == 0
          ? ConditionEvaluationResult.enabled("of this tier")
          : ConditionEvaluationResult.disabled(Thorough.REASON);
    }
  }
}
