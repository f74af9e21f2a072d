package io.kmodel.indexer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that no smaller parameter makes quick: the quick tier skips it and says so. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Thorough.Condition.class)
public @interface Thorough {
  /** Why a test is skipped in the quick tier. */
  String REASON = "thorough tier: mvn verify -Pthorough";

  /** Enables the test in the thorough tier. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return Tier.isThorough()
          ? ConditionEvaluationResult.enabled("thorough tier")
          : ConditionEvaluationResult.disabled(REASON);
    }
  }
}
