package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.client.http.LocalServerDefaults;
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
    public static final String TOKEN_HINT = "with --token env:NAME, --token file:PATH or the variable GAVEL_TOKEN";

    private static final Pattern TOKEN_PATTERN = Pattern.compile("[\\x21-\\x7e]+");
    private static final Set<String> WILDCARD_ADDRESSES = Set.of("0.0.0.0", "::");

    @ArgGroup(validate = false, heading = "%nConnection options:%n")
    private OptionValues optionValues = new OptionValues();

    /** The options as given on the command line. */
    static final class OptionValues {
        @Option(
                names = "--url",
                paramLabel = "URL",
                description = {
                    "The server's URL (or GAVEL_URL).",
                    "You can list several URLs, separated by commas.",
                    "Default: http://127.0.0.1:4285."
                })
        private @Nullable String url;

        @Option(
                names = "--token",
                paramLabel = "TOKEN",
                description = {
                    "Your token, as env:NAME or file:PATH (or GAVEL_TOKEN).",
                    "Default: for a local server, the token in ./.gavel."
                })
        private @Nullable String token;

        @Option(names = "--json", description = "Print JSON only.")
        private boolean json;

        @Option(names = "--no-color", description = "Print without colours (or set NO_COLOR).")
        private boolean noColor;
    }

    /** Options with values that a command parsed from its own options. */
    public static ClientOptions of(@Nullable String url, @Nullable String token, boolean json) {
        ClientOptions options = new ClientOptions();
        options.optionValues.url = url;
        options.optionValues.token = token;
        options.optionValues.json = json;
        return options;
    }

    /**
     * Merges these options with those given before the command's name; an option missing here takes the value from
     * there.
     */
    public ClientOptions orElse(ClientOptions rootOptions) {
        ClientOptions merged = new ClientOptions();
        merged.optionValues.url = optionValues.url == null ? rootOptions.optionValues.url : optionValues.url;
        merged.optionValues.token = optionValues.token == null ? rootOptions.optionValues.token : optionValues.token;
        merged.optionValues.json = optionValues.json || rootOptions.optionValues.json;
        merged.optionValues.noColor = optionValues.noColor || rootOptions.optionValues.noColor;
        return merged;
    }

    public boolean json() {
        return optionValues.json;
    }

    boolean noColor() {
        return optionValues.noColor;
    }

    /** Resolves the server's URLs and the token from options, environment variables and files, in this order. */
    public GatewayEndpoint endpoint(CommandEnvironment environment, Consumer<String> warnings) {
        List<URI> urls = urls(environment);
        return GatewayEndpoint.of(urls, token(environment, urls, warnings));
    }

    private List<URI> urls(CommandEnvironment environment) {
        Optional<String> text = Optional.ofNullable(optionValues.url).or(() -> environment.variable("GAVEL_URL"));
        if (text.isPresent()) {
            return GatewayEndpoint.urls(text.get())
                    .orElseThrow(() -> new CommandException(
                            ExitCode.USAGE,
                            // Removes everything before the @, so that a password in the URL is not printed.
                            "'" + SafeText.line(text.get().replaceFirst("(?s)^.*@", "…@"))
                                    + "' is not a server URL. Use http://HOST:PORT or https://HOST."));
        }
        ListenAddress listenAddress = environment
                .variable("GAVEL_LISTEN")
                .flatMap(ListenAddress::parse)
                .orElse(ListenAddress.DEFAULT);
        String host =
                WILDCARD_ADDRESSES.contains(listenAddress.host()) ? ListenAddress.DEFAULT.host() : listenAddress.host();
        return List.of(URI.create("http://" + new ListenAddress(host, listenAddress.port())));
    }

    private Optional<String> token(CommandEnvironment environment, List<URI> urls, Consumer<String> warnings) {
        if (optionValues.token != null) {
            if (!optionValues.token.startsWith("env:") && !optionValues.token.startsWith("file:")) {
                warnings.accept("warning: other users of this machine can see a token on the command line. Set it "
                        + TOKEN_HINT + ".");
            }
            return Optional.of(resolveToken(optionValues.token, environment));
        }
        Optional<String> variable = environment.variable("GAVEL_TOKEN");
        if (variable.isPresent()) {
            return variable.map(text -> resolveToken(text.strip(), environment));
        }
        // A token that was found and not given is sent only to a server on this machine.
        return urls.stream().allMatch(GatewayEndpoint::isLocal) ? localToken(environment) : Optional.empty();
    }

    private static String resolveToken(String text, CommandEnvironment environment) {
        if (text.startsWith("env:")) {
            String name = text.substring("env:".length());
            return requireTokenSyntax(
                    environment
                            .variable(name)
                            .orElseThrow(() -> new CommandException(
                                    ExitCode.USAGE, "the environment variable " + SafeText.line(name) + " is not set")),
                    " in the environment variable " + name);
        }
        if (text.startsWith("file:")) {
            String path = text.substring("file:".length());
            try {
                return requireTokenSyntax(
                        Files.readString(environment.directory().resolve(path), StandardCharsets.UTF_8),
                        " in the file " + path);
            } catch (IOException | InvalidPathException e) {
                throw new CommandException(ExitCode.USAGE, "cannot read the token file " + SafeText.line(path));
            }
        }
        return requireTokenSyntax(text, "");
    }

    private static String requireTokenSyntax(String text, String location) {
        String token = text.strip();
        if (!TOKEN_PATTERN.matcher(token).matches()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "invalid token" + SafeText.line(location) + ": a token is one word of printable ASCII characters");
        }
        return token;
    }

    /** The token that a server wrote into its data directory at its first start. */
    private static Optional<String> localToken(CommandEnvironment environment) {
        Path data = environment
                .directory()
                .resolve(environment.variable("GAVEL_DATA").map(Path::of).orElse(LocalServerDefaults.DATA));
        try {
            String token = Files.readString(
                    LocalServerDefaults.tokenFile(data, LocalServerDefaults.OWNER), StandardCharsets.UTF_8);
            return Optional.of(token.strip())
                    .filter(text -> TOKEN_PATTERN.matcher(text).matches());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
