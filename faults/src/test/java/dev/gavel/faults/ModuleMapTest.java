package dev.gavel.faults;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the modules and packages of the whole product against the map in {@code CONTRIBUTING.md}, and the names of its
 * classes. It is in the last module of the build, so that the classes of all modules exist.
 */
class ModuleMapTest {
    private static final Path PROJECT = Path.of("..");

    /** A line of the map: the folder, its description, and the modules that it may use. */
    private static final Pattern MAP_LINE = Pattern.compile("(\\w+)/ {2,}\\S.*? {2,}(-|[a-z ]+)");

    private static final Pattern POM_MODULE = Pattern.compile("<module>(\\w+)</module>");

    /** {@code Pending} is part of the client library's API, although it is an adjective. */
    private static final Set<String> ALLOWED_NAMES = Set.of("Pending");

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() {
        List<Path> folders = moduleMap().keySet().stream()
                .map(module -> PROJECT.resolve(module).resolve("target/classes"))
                .toList();
        assertThat(folders).allMatch(Files::isDirectory, "is built");
        classes = new ClassFileImporter().importPaths(folders);
    }

    private static Map<String, List<String>> moduleMap() {
        Map<String, List<String>> map = new LinkedHashMap<>();
        lines("CONTRIBUTING.md").map(MAP_LINE::matcher).forEach(line -> {
            if (line.matches()) {
                map.put(
                        line.group(1),
                        line.group(2).equals("-")
                                ? List.of()
                                : List.of(line.group(2).split(" ")));
            }
        });
        return map;
    }

    private static Stream<String> lines(String file) {
        try {
            return Files.readAllLines(PROJECT.resolve(file)).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<String> modules() {
        return moduleMap().keySet();
    }

    @Test
    void theMapHasTheModulesOfThePomInTheirOrder() {
        List<String> pom = lines("pom.xml")
                .map(POM_MODULE::matcher)
                .filter(Matcher::find)
                .map(module -> module.group(1))
                .toList();
        assertThat(modules()).hasSizeGreaterThan(10).containsExactlyElementsOf(pom);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleUsesOnlyTheModulesThatTheMapAllows(String module) {
        List<String> allowed = Stream.concat(Stream.of(module), moduleMap().get(module).stream())
                .map(name -> "dev.gavel." + name + "..")
                .toList();
        noClasses()
                .that()
                .resideInAPackage("dev.gavel." + module + "..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.gavel..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(allowed.toArray(String[]::new))))
                .check(classes);
    }

    @ParameterizedTest
    @CsvSource({"yaml", "lifecycle", "mcpx"})
    void aPureModuleUsesNoFilesSocketsThreadsClocksOrDatabases(String module) {
        noClasses()
                .that()
                .resideInAPackage("dev.gavel." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net.http..",
                        "java.sql..",
                        "java.util.concurrent",
                        "io.netty..",
                        "io.vertx..",
                        "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.(io\\.(File|FileInputStream|FileOutputStream|RandomAccessFile)|net\\.\\w*(Socket|Address|URL)\\w*)")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(java.time.LocalDate.class, "now")
                .check(classes);
    }

    @Test
    void theLifecycleEngineUsesNoJson() {
        noClasses()
                .that()
                .resideInAPackage("dev.gavel.lifecycle..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson..")
                .check(classes);
    }

    @Test
    void onlyTheWebModuleAndTheWiringUseVertx() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.gavel.web..")
                .and()
                .resideOutsideOfPackage("dev.gavel.app.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.vertx..")
                .check(classes);
    }

    @Test
    void noTwoPackagesDependOnEachOther() {
        slices().matching("dev.gavel.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void everyPackageHasADescriptionAndIsNullMarked() {
        List<JavaPackage> packages = classes.getDefaultPackage().getSubpackagesInTree().stream()
                .filter(each -> each.getName().startsWith("dev.gavel."))
                .filter(each -> !each.getName().contains(".jmh_generated"))
                .filter(each -> !each.getClasses().isEmpty())
                .toList();
        assertThat(packages).hasSizeGreaterThan(50);
        assertThat(packages).allMatch(each -> each.isAnnotatedWith(NullMarked.class), "is @NullMarked");
    }

    @Test
    void everyTopLevelClassHasASimpleNameOfItsOwn() {
        Map<String, List<String>> places =
                topLevelClasses().collect(groupingBy(JavaClass::getSimpleName, mapping(JavaClass::getName, toList())));
        places.values().removeIf(sameName -> sameName.size() == 1);
        assertThat(places).isEmpty();
    }

    @Test
    void noTopLevelClassIsNamedWithABareGerund() {
        Predicate<String> gerund = Pattern.compile("[A-Z][a-z]+ing").asMatchPredicate();
        assertThat(topLevelClasses()
                        .map(JavaClass::getSimpleName)
                        .filter(gerund)
                        .collect(toSet()))
                .isSubsetOf(ALLOWED_NAMES);
    }

    /** All top-level classes, except those generated from templates. */
    private static Stream<JavaClass> topLevelClasses() {
        return classes.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(each -> each.getPackageName().startsWith("dev.gavel."))
                .filter(each -> !each.getPackageName().contains(".templates"))
                .filter(each -> !each.getPackageName().contains(".jmh_generated"))
                .filter(each -> !each.getSimpleName().equals("package-info"));
    }

    @Test
    void noNameIsEmptyOfMeaning() {
        noClasses()
                .that()
                .resideInAPackage("dev.gavel..")
                .should()
                .haveNameMatching(".*(Utils?|Helper|Manager|Impl|Common)")
                .orShould()
                .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..")
                .check(classes);
    }
}
