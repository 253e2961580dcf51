package dev.gavel.sep.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTemplateFileTest {
    @TempDir
    private Path directory;

    private Path processFile;
    private ProcessDefinition process;

    @BeforeEach
    void readProcess() {
        String yaml = BuiltInProcesses.yaml(BuiltInProcesses.DEFAULT_NAME).orElseThrow()
                + "\ndocument: {template: template.md}\n";
        processFile = directory.resolve("own.yaml");
        process = ((ProcessParseResult.Valid) ProcessFileParser.parse("own.yaml", yaml)).processDefinition();
    }

    @Test
    void theTemplateIsReadFromTheDirectoryOfTheProcessFile() throws IOException {
        Files.writeString(directory.resolve("template.md"), "# {title}\n");
        assertThat(DocumentTemplateFile.addTo(process, processFile)
                        .documentFormat()
                        .templateText())
                .contains("# {title}\n");
    }

    @Test
    void aProcessWithoutATemplateIsUnchanged() throws IOException {
        ProcessDefinition bare = BuiltInProcesses.defaultProcess();
        assertThat(DocumentTemplateFile.addTo(bare, processFile)).isSameAs(bare);
    }

    @Test
    void aMissingLongOrLinkedTemplateIsRefused() throws IOException {
        Path template = directory.resolve("template.md");
        assertThatThrownBy(() -> DocumentTemplateFile.addTo(process, processFile))
                .hasMessage("the template template.md is not a file in the directory of the process file");
        Files.writeString(template, "a".repeat(300_000));
        assertThatThrownBy(() -> DocumentTemplateFile.addTo(process, processFile))
                .hasMessage("the template template.md is longer than 262144 bytes");
        Files.delete(template);
        Files.writeString(directory.resolve("other.md"), "secret");
        Files.createSymbolicLink(template, directory.resolve("other.md"));
        assertThatThrownBy(() -> DocumentTemplateFile.addTo(process, processFile))
                .hasMessageContaining("is not a file");
    }
}
