package dev.gavel.lifecycle.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the process examples in the documentation match the tested process files and are valid. */
class DocumentedProcessTest {
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyExampleStandsInRulesThatAreSound() throws IOException {
        String garden = Files.readString(Path.of("src/test/resources/garden.yaml"));
        String harbour = Files.readString(Path.of("../docs/examples/harbour.yaml"));
        String kep = Files.readString(Path.of("../processes/kep.yaml"));
        List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/processes.md")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(examples)
                .hasSizeGreaterThan(14)
                .allSatisfy(example -> assertThat(garden + harbour + kep).contains(example));
        assertThat(ProcessFileParser.parse("garden.yaml", garden)).isInstanceOf(ProcessParseResult.Valid.class);
        assertThat(ProcessFileParser.parse("harbour.yaml", harbour)).isInstanceOf(ProcessParseResult.Valid.class);
    }
}
