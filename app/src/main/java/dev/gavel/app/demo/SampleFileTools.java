package dev.gavel.app.demo;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** The tools of the demo's sample MCP server: list, read, write and delete files in one directory. Not thread-safe. */
final class SampleFileTools {
    private static final String FILE = "/sample-tools.json";
    private static final Json TOOLS = read();

    private final FileSandbox sandbox;

    SampleFileTools(FileSandbox sandbox) {
        this.sandbox = sandbox;
    }

    private static Json read() {
        try (InputStream in = SampleFileTools.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IOException(FILE + " is not on the class path");
            }
            Json tools = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .orElseThrow(() -> new IOException(FILE + " is not JSON"));
            // Over standard output, a message is one line.
            return Json.parse(tools.compact()).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tools in the format of {@code tools/list}. */
    static Json list() {
        return TOOLS;
    }

    static boolean has(String tool) {
        return definition(tool).isPresent();
    }

    private static Optional<Json> definition(String tool) {
        return TOOLS.elements().stream()
                .filter(each -> each.at("name").text().equals(tool))
                .findFirst();
    }

    /**
     * Runs a tool and returns its result, which may be an error.
     *
     * @param continueAfter receives the progress and returns whether the client still waits
     */
    Json call(String tool, Json arguments, IntPredicate continueAfter) {
        try {
            Optional<String> trouble = validate(definition(tool).orElseThrow().at("inputSchema"), arguments);
            if (trouble.isPresent()) {
                return textResult(trouble.get(), true);
            }
            String path = arguments.at("path").text();
            return switch (tool) {
                case "list_files" -> listResult(sandbox.list(continueAfter));
                case "read_file" -> textResult(sandbox.read(path), false);
                case "write_file" -> {
                    boolean replaced = sandbox.write(path, arguments.at("text").text());
                    yield textResult((replaced ? "replaced the text of '" : "created '") + path + "'.", false);
                }
                default -> textResult("deleted '" + path + "'; moved it to '" + sandbox.delete(path) + "'.", false);
            };
        } catch (FileSandbox.SandboxException e) {
            return textResult(String.valueOf(e.getMessage()), true);
        } catch (IOException e) {
            return textResult("file system error: " + e, true);
        }
    }

    private static Optional<String> validate(Json schema, Json arguments) {
        if (arguments.isPresent() && arguments.type() != Json.Type.OBJECT) {
            return Optional.of("'arguments' must be an object.");
        }
        Map<String, Json> properties = schema.at("properties").members();
        for (Map.Entry<String, Json> argument : arguments.members().entrySet()) {
            if (!properties.containsKey(argument.getKey())) {
                return Optional.of("unknown argument '" + argument.getKey() + "'.");
            }
            if (argument.getValue().type() != Json.Type.TEXT) {
                return Optional.of("'" + argument.getKey() + "' must be a string.");
            }
        }
        return schema.at("required").texts().stream()
                .filter(name -> !arguments.at(name).isPresent())
                .findFirst()
                .map(name -> "the argument '" + name + "' is missing.");
    }

    private static Json listResult(List<FileSandbox.Entry> files) {
        Json structured = Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("files");
            for (FileSandbox.Entry file : files) {
                json.writeStartObject();
                json.writeStringProperty("path", file.path());
                json.writeNumberProperty("size", file.size());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
        String lines = files.stream()
                .map(file -> file.path() + " (" + file.size() + " bytes)")
                .collect(Collectors.joining("\n"));
        return textResult(files.isEmpty() ? "there are no files." : lines, false)
                .with("structuredContent", structured);
    }

    private static Json textResult(String text, boolean error) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("content");
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", text);
            json.writeEndObject();
            json.writeEndArray();
            json.writeBooleanProperty("isError", error);
            json.writeEndObject();
        });
    }
}
