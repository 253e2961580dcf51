package dev.gavel.app.demo;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Creates the files that the demo's sample MCP server offers at the start. Stateless. */
final class SampleFiles {
    static final String TODO = "notes/todo.txt";
    static final String OLD_DRAFT = "drafts/plan-2019.txt";
    static final String PAYROLL = "payroll.csv";

    private static final Map<String, String> FILES = Map.of(
            TODO,
            "Clean up: old drafts can be deleted.\n",
            "drafts/plan.txt",
            "The current plan.\n",
            OLD_DRAFT,
            "The plan of 2019.\n",
            PAYROLL,
            "name,amount\nAda,1000\nGrace,1000\n");

    private SampleFiles() {}

    /** Creates the directory and those files in it that are missing. */
    static void createIn(Path directory) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Path folder = path.getParent();
            if (!Files.exists(path) && folder != null) {
                Files.createDirectories(folder);
                Files.writeString(path, file.getValue());
            }
        }
    }

    /** Builds the arguments of a tool from alternating names and texts. */
    static Json arguments(String... namesAndTexts) {
        Json arguments = Json.object();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            arguments = arguments.with(namesAndTexts[i], Json.ofText(namesAndTexts[i + 1]));
        }
        return arguments;
    }
}
