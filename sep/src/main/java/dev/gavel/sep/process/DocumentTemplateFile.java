package dev.gavel.sep.process;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.ProcessDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Reads the template for new documents from the file that a process file names. Stateless. */
public final class DocumentTemplateFile {
    private static final int MAX_BYTES = 256 * 1024;

    private DocumentTemplateFile() {}

    /**
     * Returns the process with the content of its template; the process itself if it names no template.
     *
     * @throws IOException with the reason, if the template is missing, too long, or a link
     */
    public static ProcessDefinition addTo(ProcessDefinition processDefinition, Path processFile) throws IOException {
        DocumentFormat format = processDefinition.documentFormat();
        if (format.template().isEmpty()) {
            return processDefinition;
        }
        String name = format.template().get();
        Path file = processFile.resolveSibling(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the template " + name + " is not a file in the directory of the process file");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("the template " + name + " is longer than " + MAX_BYTES + " bytes");
        }
        return processDefinition.withDocumentFormat(
                format.templateText(Files.readString(file, StandardCharsets.UTF_8)));
    }
}
