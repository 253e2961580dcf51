package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the format of documents is data: the code that reads and checks them does not contain it. */
class FormatLiteralsTest {
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");
    private static final Pattern FORMAT = Pattern.compile(
            "\\bSEPs?\\b|\\b(?:Abstract|Motivation|Rationale|Reference Implementation|Backward Compatibility)\\b"
                    + "|Security Implications|^\"(?:abstract|motivation|specification|rationale)\"$"
                    + "|\\.(?:md|rst|txt|markdown)\\b");

    @Test
    void noLiteralNamesThePrefixASectionOrAFileExtension() throws IOException {
        List<String> found = new ArrayList<>();
        for (String folder : List.of("document", "lint")) {
            try (Stream<Path> files =
                    Files.list(Path.of("src/main/java/dev/gavel/sep").resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    LITERAL.matcher(Files.readString(file))
                            .results()
                            .map(MatchResult::group)
                            .filter(literal -> FORMAT.matcher(literal).find())
                            .forEach(literal -> found.add(file.getFileName() + ": " + literal));
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(FORMAT.matcher("\"give each SEP its own number\"").find()).isTrue();
    }
}
