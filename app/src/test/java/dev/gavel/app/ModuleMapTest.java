package dev.gavel.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the module map: arrows go one way, and the pure modules stay pure. */
class ModuleMapTest {
    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.gavel");
    }

    /** A module may use itself, the modules named, and nothing else of ours. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yaml      |
            lifecycle | yaml
            mcpx      |
            ledger    |
            gateway   | mcpx lifecycle ledger
            client    | mcpx
            mcp       | mcpx lifecycle gateway client
            sep       | yaml lifecycle mcpx ledger
            console   | mcpx gateway lifecycle sep
            app       | yaml lifecycle mcpx ledger gateway client mcp sep console
            """)
    void aModuleUsesOnlyThoseBelowIt(String module, String others) {
        List<String> allowed = Stream.concat(
                        Stream.of(module), others == null ? Stream.of() : Arrays.stream(others.split(" ")))
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
    void aPureModuleKnowsNoFilesSocketsThreadsClocksOrDatabases(String module) {
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
    void theLifecycleCoreKnowsNoJson() {
        noClasses()
                .that()
                .resideInAPackage("dev.gavel.lifecycle..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson..")
                .check(classes);
    }

    @Test
    void vertxIsKnownToTheEdgeAndTheWiringAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.gavel.app.edge..")
                .and()
                .resideOutsideOfPackage("dev.gavel.app.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.vertx..")
                .check(classes);
    }

    @Test
    void noTwoPackagesDependOnEachOtherWithinAModule() {
        slices().matching("dev.gavel.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void everyPackageSaysWhatLivesThereAndIsNullMarked() {
        List<JavaPackage> packages = classes.getDefaultPackage().getSubpackagesInTree().stream()
                .filter(each -> each.getName().startsWith("dev.gavel."))
                .filter(each -> !each.getClasses().isEmpty())
                .toList();
        assertThat(packages).hasSizeGreaterThan(8);
        assertThat(packages).allMatch(each -> each.isAnnotatedWith(NullMarked.class), "is @NullMarked");
    }

    @Test
    void noNameHidesThatItSaysNothing() {
        noClasses()
                .should()
                .haveNameMatching(".*(Utils?|Helper|Manager|Impl|Common)")
                .orShould()
                .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..")
                .check(classes);
    }
}
