package dev.gavel.lifecycle.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that every process file shipped with the program is valid. */
class ShippedProcessesTest {
    @Test
    void everyShippedProcessIsSound() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../processes"))) {
            List<Path> processes = files.toList();
            assertThat(processes).isNotEmpty();
            for (Path file : processes) {
                assertThat(ProcessFileParser.parse(file.getFileName().toString(), Files.readString(file)))
                        .isInstanceOf(ProcessParseResult.Valid.class);
            }
        }
    }
}
