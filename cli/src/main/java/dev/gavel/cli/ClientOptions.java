package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.client.http.LocalServer;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options of every command that talks to a server: {@code --url}, {@code --token}, {@code --json} and {@code
 * --no-color}.
 */
public final class ClientOptions {
    public static final String HOW_TO_GIVE_A_TOKEN =
            "with --token env:NAME or --token file:PATH, or in the variable GAVEL_TOKEN";

    private static final Pattern TOKEN_FORM = Pattern.compile("[\\x21-\\x7e]+");
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::");

    @ArgGroup(validate = false, heading = "%nTalking to the server:%n")
    private Given given = new Given();

    /** The options as given on the command line. */
    static final class Given {
        @Option(
                names = "--url",
                paramLabel = "URL",
                description = {
                    "Where the server is (or GAVEL_URL); several with commas,",
                    "tried in turn. Default: http://127.0.0.1:4285."
                })
        private @Nullable String url;

        @Option(
                names = "--token",
                paramLabel = "TOKEN",
                description = "Who you are: env:NAME or file:PATH (or GAVEL_TOKEN). Beside a local server that made"
                        + " its own tokens none is needed.")
        private @Nullable String token;

        @Option(names = "--json", description = "Print JSON for programs, and nothing else.")
        private boolean json;

        @Option(names = "--no-color", description = "Print without colours (or NO_COLOR).")
        private boolean colourless;
    }

    /** Options with values that a command parsed from its own options. */
    public static ClientOptions of(@Nullable String url, @Nullable String token, boolean json) {
        ClientOptions options = new ClientOptions();
        options.given.url = url;
        options.given.token = token;
        options.given.json = json;
        return options;
    }

    /**
     * Merges these options with those given before the command's name; an option missing here takes the value from
     * there.
     */
    public ClientOptions orElse(ClientOptions before) {
        ClientOptions both = new ClientOptions();
        both.given.url = given.url == null ? before.given.url : given.url;
        both.given.token = given.token == null ? before.given.token : given.token;
        both.given.json = given.json || before.given.json;
        both.given.colourless = given.colourless || before.given.colourless;
        return both;
    }

    public boolean json() {
        return given.json;
    }

    boolean noColor() {
        return given.colourless;
    }

    /** Resolves the server's URLs and the token from options, environment variables and files, in this order. */
    public GatewayEndpoint access(CommandEnvironment here, Consumer<String> warnings) {
        List<URI> urls = urls(here);
        return GatewayEndpoint.of(urls, token(here, urls, warnings));
    }

    private List<URI> urls(CommandEnvironment here) {
        Optional<String> text = Optional.ofNullable(given.url).or(() -> here.variable("GAVEL_URL"));
        if (text.isPresent()) {
            return GatewayEndpoint.urls(text.get())
                    .orElseThrow(() -> new CommandException(
                            ExitCode.USAGE,
                            // Removes everything before the @, so that a password in the URL is not printed.
                            "'" + SafeText.line(text.get().replaceFirst("(?s)^.*@", "…@"))
                                    + "' is not the address of a server: use http://HOST:PORT or https://HOST"));
        }
        ListenAddress listenAddress =
                here.variable("GAVEL_LISTEN").flatMap(ListenAddress::parse).orElse(ListenAddress.DEFAULT);
        String host =
                EVERY_ADDRESS.contains(listenAddress.host()) ? ListenAddress.DEFAULT.host() : listenAddress.host();
        return List.of(URI.create("http://" + new ListenAddress(host, listenAddress.port())));
    }

    private Optional<String> token(CommandEnvironment here, List<URI> urls, Consumer<String> warnings) {
        if (given.token != null) {
            if (!given.token.startsWith("env:") && !given.token.startsWith("file:")) {
                warnings.accept("warning: other users of this machine can see a token on a command line; give it "
                        + HOW_TO_GIVE_A_TOKEN);
            }
            return Optional.of(resolveToken(given.token, here));
        }
        Optional<String> variable = here.variable("GAVEL_TOKEN");
        if (variable.isPresent()) {
            return variable.map(text -> resolveToken(text.strip(), here));
        }
        // A token that was found and not given is sent only to a server on this machine.
        return urls.stream().allMatch(GatewayEndpoint::isLocal) ? localToken(here) : Optional.empty();
    }

    private static String resolveToken(String text, CommandEnvironment here) {
        if (text.startsWith("env:")) {
            String name = text.substring("env:".length());
            return requireTokenForm(
                    here.variable(name)
                            .orElseThrow(() -> new CommandException(
                                    ExitCode.USAGE, "the variable " + SafeText.line(name) + " holds no token")),
                    "the variable " + name);
        }
        if (text.startsWith("file:")) {
            String path = text.substring("file:".length());
            try {
                return requireTokenForm(
                        Files.readString(here.directory().resolve(path), StandardCharsets.UTF_8), "the file " + path);
            } catch (IOException | InvalidPathException e) {
                throw new CommandException(ExitCode.USAGE, "the token file " + SafeText.line(path) + " cannot be read");
            }
        }
        return requireTokenForm(text, "what was given");
    }

    private static String requireTokenForm(String text, String source) {
        String token = text.strip();
        if (!TOKEN_FORM.matcher(token).matches()) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(source) + " is no token: it must be one word");
        }
        return token;
    }

    /** The token that a server wrote into its data directory at its first start. */
    private static Optional<String> localToken(CommandEnvironment here) {
        Path data = here.directory()
                .resolve(here.variable("GAVEL_DATA").map(Path::of).orElse(LocalServer.DATA));
        try {
            String token = Files.readString(LocalServer.tokenFile(data, LocalServer.OWNER), StandardCharsets.UTF_8);
            return Optional.of(token.strip())
                    .filter(text -> TOKEN_FORM.matcher(text).matches());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
