package dev.gavel.app.client.examples;

import dev.gavel.client.*;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs a tool for the other participants of a topic. */
public final class ToolServer {
    public static void main(String[] args) {
        Path root = Path.of("files");
        try (Participant files =
                Gavel.at(args[0]).token(Token.env("FILES_TOKEN")).topic("main").connect()) {
            files.serve(new Tools().tool("delete_file", request -> {
                Path file = root.resolve(request.argument("path")).normalize();
                if (!file.startsWith(root)) {
                    return Answer.failed("only files below " + root + " can be deleted");
                }
                return Files.deleteIfExists(file)
                        ? Answer.text("deleted " + file)
                        : Answer.failed("there is no " + file);
            }));
            System.out.println(files.awaitOver().getMessage());
        }
    }
}
