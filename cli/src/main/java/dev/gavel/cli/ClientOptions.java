package dev.gavel.cli;

import dev.gavel.cli.CommandEndpoint.TokenOrigin;
import dev.gavel.cli.credential.CredentialStore;
import dev.gavel.cli.credential.CredentialStore.StoredCredential;
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
import java.util.stream.Collectors;
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
                    TokenOptionHelp.TOKEN,
                    "Default: your login (see 'gavel login'), or for",
                    "commands that only read or propose, the token of",
                    "'agent' in the local data directory."
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

    /**
     * Resolves the server's URLs and the token: from options, environment variables, and the places that the policy
     * allows, in this order.
     */
    public CommandEndpoint endpoint(
            CommandEnvironment environment, TokenSourcePolicy tokenSourcePolicy, Consumer<String> warnings) {
        List<URI> urls = urls(environment);
        Optional<String> namedToken = namedToken(environment, warnings);
        if (namedToken.isPresent()) {
            return endpoint(urls, namedToken, TokenOrigin.NAMED, "");
        }
        Optional<StoredCredential> login =
                tokenSourcePolicy.allowsLogin() ? findLogin(environment, urls) : Optional.empty();
        if (login.isPresent()) {
            return endpoint(
                    urls,
                    login.map(StoredCredential::token),
                    TokenOrigin.LOGIN,
                    SafeText.line(login.get().name()));
        }
        Path agentFile = localTokenFile(environment, LocalServerDefaults.AGENT);
        // A token that was found and not named is sent only to a server on this machine.
        Optional<String> agentToken = tokenSourcePolicy.allowsAgent() && isLocal(urls)
                ? localToken(environment, agentFile)
                : Optional.empty();
        return agentToken.isPresent()
                ? endpoint(urls, agentToken, TokenOrigin.AGENT_FILE, SafeText.line(agentFile.toString()))
                : endpoint(urls, Optional.empty(), TokenOrigin.NONE, "");
    }

    private static CommandEndpoint endpoint(
            List<URI> urls, Optional<String> token, TokenOrigin origin, String originText) {
        return new CommandEndpoint(GatewayEndpoint.of(urls, token), origin, originText);
    }

    private static boolean isLocal(List<URI> urls) {
        return urls.stream().allMatch(GatewayEndpoint::isLocal);
    }

    /** Returns the login that is stored for the server. */
    public static Optional<StoredCredential> findLogin(CommandEnvironment environment, List<URI> urls) {
        Optional<CredentialStore> store = CredentialStore.of(environment.variables());
        try {
            return store.isPresent() ? store.get().find(urls) : Optional.empty();
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(CommandException.describe(e)));
        }
    }

    /**
     * Returns the sentence that says how to get a token. Only a person at a terminal is shown the file of the admin's
     * token: an agent that reads the sentence as the result of a tool must not be told how to become the reviewer.
     */
    String loginAdvice(CommandEnvironment environment) {
        return environment.terminal()
                ? "Log in: " + loginCommand(environment) + ownerRedirection(environment) + " (or set a token "
                        + TOKEN_HINT + ")"
                : "A person must log in with '" + loginCommand(environment)
                        + "' in a terminal, or a script must set GAVEL_TOKEN (see"
                        + " docs/cli.md#which-token-a-command-uses)";
    }

    private String loginCommand(CommandEnvironment environment) {
        String urlOption = optionValues.url == null
                ? ""
                : " --url "
                        + ShellQuoting.quote(
                                urls(environment).stream().map(URI::toString).collect(Collectors.joining(",")));
        return ShellQuoting.quote(environment.variable("GAVEL_COMMAND").orElse("gavel")) + " login" + urlOption;
    }

    private String ownerRedirection(CommandEnvironment environment) {
        Path ownerFile = localTokenFile(environment, LocalServerDefaults.OWNER);
        return isLocal(urls(environment))
                        && Files.isReadable(environment.directory().resolve(ownerFile))
                ? " < " + ShellQuoting.quote(ownerFile.toString())
                : "";
    }

    /** Returns the addresses of the server, from the option, the environment or the defaults. */
    public List<URI> urls(CommandEnvironment environment) {
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

    private Optional<String> namedToken(CommandEnvironment environment, Consumer<String> warnings) {
        if (optionValues.token != null && isLiteral(optionValues.token)) {
            warnings.accept("warning: other users of this machine can see a token on the command line. Set it "
                    + TOKEN_HINT + ".");
        }
        return tokenReference(environment).map(text -> resolveToken(text, environment));
    }

    /** Returns the file that {@code --token} or {@code GAVEL_TOKEN} refers to. */
    public Optional<Path> tokenFile(CommandEnvironment environment) {
        return tokenReference(environment)
                .filter(text -> text.startsWith("file:"))
                .map(text -> environment.directory().resolve(text.substring("file:".length())));
    }

    private Optional<String> tokenReference(CommandEnvironment environment) {
        return Optional.ofNullable(optionValues.token)
                .or(() -> environment.variable("GAVEL_TOKEN").map(String::strip));
    }

    /** Returns the token that {@code --token} refers to. Throws if the option contains the token itself. */
    public Optional<String> referencedToken(CommandEnvironment environment) {
        if (optionValues.token != null && isLiteral(optionValues.token)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "other users of this machine can see a token on the command line. Use --token file:PATH or"
                            + " --token env:NAME, or type the token when the command asks for it.");
        }
        return Optional.ofNullable(optionValues.token).map(text -> resolveToken(text, environment));
    }

    private static boolean isLiteral(String token) {
        return !token.startsWith("env:") && !token.startsWith("file:");
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

    /** Returns the text without surrounding white space. Throws if it cannot be a token; does not repeat it. */
    public static String requireTokenSyntax(String text, String location) {
        String token = text.strip();
        if (!TOKEN_PATTERN.matcher(token).matches()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "invalid token" + SafeText.line(location) + ": a token is one word of printable ASCII characters");
        }
        return token;
    }

    /** The file in which a local server without a configuration file stores an identity's token. */
    private static Path localTokenFile(CommandEnvironment environment, String identity) {
        return LocalServerDefaults.tokenFile(
                environment.variable("GAVEL_DATA").map(Path::of).orElse(LocalServerDefaults.DATA), identity);
    }

    private static Optional<String> localToken(CommandEnvironment environment, Path file) {
        try {
            return Optional.of(Files.readString(environment.directory().resolve(file), StandardCharsets.UTF_8)
                            .strip())
                    .filter(text -> TOKEN_PATTERN.matcher(text).matches());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
