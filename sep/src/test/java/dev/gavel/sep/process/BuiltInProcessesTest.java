package dev.gavel.sep.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BuiltInProcessesTest {
    @Test
    void everyProcessThatComesWithTheProgramIsFoundByItsName() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../processes"))) {
            assertThat(BuiltInProcesses.names())
                    .isSorted()
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                                    .toList());
        }
        for (String name : BuiltInProcesses.names()) {
            assertThat(BuiltInProcesses.find(name))
                    .hasValueSatisfying(processDefinition ->
                            assertThat(processDefinition.name()).isEqualTo(name));
        }
    }

    @Test
    void otherNamesAreNone() {
        assertThat(BuiltInProcesses.find("../sep-1286")).isEmpty();
        assertThat(BuiltInProcesses.yaml("")).isEmpty();
    }
}
