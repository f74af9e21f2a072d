package io.kmodel.indexer.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What other programs see are types of this package and of the JDK, and nothing else. */
class PublicApiTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.kmodel.indexer");

  @Test
  void visibleMembersNameVisibleTypes() {
    List<String> foreign = new ArrayList<>();
    int members = 0;
    for (JavaClass c : CLASSES) {
      if (isVisible(c)) {
        for (JavaCodeUnit member : c.getCodeUnits()) {
          if (isVisible(member)) {
            members++;
            types(member).stream()
                .filter(type -> !isKnown(type))
                .forEach(type -> foreign.add(member.getFullName() + ": " + type.getName()));
          }
        }
        Stream.concat(c.getAllRawSuperclasses().stream(), c.getAllRawInterfaces().stream())
            .filter(type -> !isKnown(type))
            .forEach(type -> foreign.add(c.getName() + ": " + type.getName()));
        c.getFields().stream()
            .filter(
                field ->
                    field.getModifiers().contains(JavaModifier.PUBLIC)
                        || field.getModifiers().contains(JavaModifier.PROTECTED))
            .filter(field -> !isKnown(field.getRawType()))
            .forEach(field -> foreign.add(field.getFullName()));
      }
    }
    assertThat(foreign).isEmpty();
    assertThat(members).isGreaterThan(50);
  }

  private static List<JavaClass> types(JavaCodeUnit member) {
    List<JavaClass> types = new ArrayList<>(member.getReturnType().getAllInvolvedRawTypes());
    member.getParameterTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
    types.addAll(member.getExceptionTypes());
    return types;
  }

  private static boolean isVisible(JavaClass c) {
    return c.getPackageName().equals("io.kmodel.indexer.api")
        && c.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isVisible(JavaCodeUnit member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static boolean isKnown(JavaClass type) {
    return type.isPrimitive()
        || type.getPackageName().startsWith("java.")
        || isVisible(type)
        || (type.isArray() && isKnown(type.getBaseComponentType()));
  }

  /** A library brings neither a command line nor a logger's configuration. */
  @Test
  void theLibraryNeedsNoneOfTheLaunchersLibraries() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.kmodel.indexer.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "ch.qos.logback..")
        .check(CLASSES);
  }
}
