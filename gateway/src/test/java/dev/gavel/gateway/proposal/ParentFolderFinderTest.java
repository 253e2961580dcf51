package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParentFolderFinderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../../etc/shadow",
                "a/../b",
                "C:\\data\\..\\b",
                "cd ../../lib",
                "(/../../../../etc/shadow",
                "x'/../../../etc/shadow",
                ";/../../../../etc/shadow",
                "a\n/../../../../etc/shadow",
                "a\n../../../../etc/shadow\n",
                "a b'../../../../etc/shadow",
                "%2e%2e/%2e%2e/etc/shadow",
                "%252E%252e%252fetc",
                "file:///srv/../etc/shadow",
                "file:///srv/%2e%2e/etc/shadow",
            })
    void aPathThatLeavesItsFolderIsFound(String text) {
        assertThat(ParentFolderFinder.leavesFolder(text)).isTrue();
    }

    @Test
    void aLongPathIsFound() {
        assertThat(ParentFolderFinder.leavesFolder("./".repeat(100_000) + "../../../etc/shadow"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "notes/todo.txt",
                "a .. b",
                "go test ./...",
                "git log main..HEAD",
                "100%",
                "import a from '../../lib/a';",
                "[guide](../../docs/guide.md)",
                "{\"extends\": \"../../tsconfig.json\"}",
                "body { background: url(../../img/a.png) }",
                "cat ../../a.txt | grep \"x\"",
                "# Build\n\ncd ../../lib\nmake\n",
                "../../a.txt\n../../b.txt\nc.txt",
                "Wait ... and see, 1/2 or 3/4.",
            })
    void ordinaryTextsAreNotFound(String text) {
        assertThat(ParentFolderFinder.leavesFolder(text)).isFalse();
    }

    @Test
    void aHostileTextTakesLinearTime() {
        String text = "'" + "../".repeat(1_000_000) + "'";
        Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> assertThat(ParentFolderFinder.leavesFolder(text)).isFalse());
    }
}
