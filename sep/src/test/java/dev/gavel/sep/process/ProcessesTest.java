package dev.gavel.sep.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessesTest {
    @Test
    void everyProcessThatComesWithTheProgramIsFoundByItsName() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../processes"))) {
            assertThat(Processes.names())
                    .isSorted()
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                                    .toList());
        }
        for (String name : Processes.names()) {
            assertThat(Processes.builtIn(name))
                    .hasValueSatisfying(process -> assertThat(process.name()).isEqualTo(name));
        }
    }

    @Test
    void otherNamesAreNone() {
        assertThat(Processes.builtIn("../sep-1286")).isEmpty();
        assertThat(Processes.text("")).isEmpty();
    }
}
