package dev.gavel.cli.mcp;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.credential.CredentialStore;
import dev.gavel.client.http.LocalServerDefaults;
import dev.gavel.mcp.client.ServerIsolation;
import dev.gavel.mcpx.text.SafeText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code gavel bridge} that run the program as another user or in a sandbox. */
final class BridgeIsolationOptions {
    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "The operating-system user that runs the program. Only root can use this option.")
    private @Nullable String user;

    @Option(
            names = "--sandbox",
            paramLabel = ServerIsolation.BUBBLEWRAP,
            description = "Run the program in a sandbox that '" + ServerIsolation.BUBBLEWRAP
                    + "' creates (Linux, package bubblewrap).")
    private @Nullable String sandbox;

    @Option(
            names = "--readable",
            paramLabel = "PATH",
            description = "A file or directory that the program can read in the sandbox.")
    private List<Path> readable = new ArrayList<>();

    @Option(
            names = "--writable",
            paramLabel = "PATH",
            description = "A file or directory that the program can read and write in the sandbox.")
    private List<Path> writable = new ArrayList<>();

    boolean isSet() {
        return user != null || sandbox != null || !readable.isEmpty() || !writable.isEmpty();
    }

    /** Checks the options. The sandbox hides the file with the bridge's token, and the files of a local server. */
    ServerIsolation isolation(Optional<Path> tokenFile, CommandEnvironment environment) {
        if (user != null && !ServerIsolation.isUserName(user)) {
            throw usage("--user must be the name of a user account, such as tools");
        }
        if (sandbox == null) {
            if (!readable.isEmpty() || !writable.isEmpty()) {
                throw usage("--readable and --writable can only be used with --sandbox");
            }
            return new ServerIsolation(Optional.ofNullable(user), false, List.of(), List.of(), List.of());
        }
        if (!sandbox.equals(ServerIsolation.BUBBLEWRAP)) {
            throw usage("--sandbox must be " + ServerIsolation.BUBBLEWRAP + ", the program that creates the sandbox");
        }
        requireExisting("--readable", readable);
        requireExisting("--writable", writable);
        List<Path> hidden = new ArrayList<>(List.of(
                ServerIsolation.SYSTEM_CONFIG,
                environment.variable("GAVEL_DATA").map(Path::of).orElse(LocalServerDefaults.DATA)));
        tokenFile.ifPresent(hidden::add);
        CredentialStore.of(environment.variables()).ifPresent(store -> hidden.add(store.directory()));
        return new ServerIsolation(Optional.ofNullable(user), true, readable, writable, hidden);
    }

    private static void requireExisting(String option, List<Path> paths) {
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw usage(option + ": " + SafeText.line(path.toString()) + " does not exist");
            }
        }
    }

    private static CommandException usage(String problem) {
        return new CommandException(ExitCode.USAGE, problem);
    }
}
