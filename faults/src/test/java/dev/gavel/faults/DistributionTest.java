package dev.gavel.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what the built program contains besides its code: the list of its libraries, their licenses and notices. */
class DistributionTest {
    private static final Path PROGRAM = Path.of("../app/target/gavel");

    private static List<Json> components() throws IOException {
        return Json.parse(Files.readString(PROGRAM.resolve("sbom.cdx.json")))
                .orElseThrow()
                .at("components")
                .elements();
    }

    private static String jarName(Json component) {
        return component.at("name").text() + "-" + component.at("version").text() + ".jar";
    }

    @Test
    void theSbomListsExactlyTheLibrariesOfTheProgram() throws IOException {
        Set<String> jars;
        try (Stream<Path> files = Files.list(PROGRAM.resolve("lib"))) {
            jars = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }

        assertThat(components().stream().map(DistributionTest::jarName)).containsExactlyInAnyOrderElementsOf(jars);
    }

    @Test
    void everyLibraryHasALicenseAndAHash() throws IOException {
        assertThat(components()).allSatisfy(component -> {
            assertThat(component.at("licenses").elements())
                    .as(jarName(component))
                    .isNotEmpty();
            assertThat(component.at("hashes").elements()).as(jarName(component)).isNotEmpty();
        });
    }

    @Test
    void theCryptographyLibraryIsRecent() throws IOException {
        assertThat(components())
                .filteredOn(component -> component.at("name").text().equals("bcprov-lts8on"))
                .singleElement()
                .satisfies(component -> assertThat(
                                Runtime.Version.parse(component.at("version").text()))
                        .isGreaterThanOrEqualTo(Runtime.Version.parse("2.73.12")));
    }

    @Test
    void theNoticesNameEveryThirdPartyLibrary() throws IOException {
        String notices = Files.readString(PROGRAM.resolve("THIRD-PARTY-NOTICES.txt"));

        assertThat(components())
                .filteredOn(component -> !component.at("group").text().equals("dev.gavel"))
                .isNotEmpty()
                .allSatisfy(component -> assertThat(notices)
                        .contains(component.at("name").text() + " "
                                + component.at("version").text() + "\n"));
        assertThat(PROGRAM.resolve("LICENSE")).content().contains("Apache License");
    }
}
