package dev.gavel.lifecycle.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples in the documentation are the garden's, word for word, and the garden's rules are sound. */
class DocumentationTest {
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyExampleStandsInTheGardensRules() throws IOException {
        String garden = Files.readString(Path.of("src/test/resources/garden.yaml"));
        List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/processes.md")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(examples)
                .hasSizeGreaterThan(8)
                .allSatisfy(example -> assertThat(garden).contains(example));
        assertThat(ProcessFile.read("garden.yaml", garden)).isInstanceOf(Reading.Sound.class);
    }
}
