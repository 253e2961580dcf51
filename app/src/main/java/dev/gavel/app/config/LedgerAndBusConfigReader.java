package dev.gavel.app.config;

import dev.gavel.cli.SecretValueResolver;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import dev.gavel.yaml.YamlReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's settings for the ledger database and for the message bus between gateway processes; environment
 * variables override the file. Each setting is a word, an address, or a mapping with the address under {@code url}.
 * Messages do not repeat addresses, which may contain passwords.
 */
public final class LedgerAndBusConfigReader {
    private static final String LEDGER =
            "sqlite or the URL of a PostgreSQL database, such as jdbc:postgresql://host/gavel";
    private static final String BUS = "memory or the URL of a NATS server, such as nats://host:4222";
    private static final String PREFIX = "gavel";

    private final Function<String, @Nullable String> environment;
    private final ProblemCollector problemCollector;

    LedgerAndBusConfigReader(Function<String, @Nullable String> environment, ProblemCollector problemCollector) {
        this.environment = environment;
        this.problemCollector = problemCollector;
    }

    /** Returns the ledger that the environment configures if there is no file, or the problem with it. */
    public static ValueParseResult<LedgerConfig> ledger(Function<String, @Nullable String> environment) {
        ProblemCollector found = new ProblemCollector();
        LedgerConfig parsedConfig = new LedgerAndBusConfigReader(environment, found).ledger(emptyFields(found));
        return found.isEmpty()
                ? new ValueParseResult.Valid<>(parsedConfig)
                : new ValueParseResult.Invalid<>(first(found));
    }

    /**
     * Returns the ledger that the file configures, or the environment instead of it. Other sections of the file are
     * ignored.
     */
    public static LedgerConfig ledger(
            String file,
            String text,
            Function<String, @Nullable String> environment,
            ProblemCollector problemCollector) {
        YamlNode root = YamlReader.read(file, text, problemCollector)
                .orElseGet(() -> new YamlNode.Scalar(new SourcePosition(file, 1, 1), "", false));
        return new LedgerAndBusConfigReader(environment, problemCollector)
                .ledger(YamlMappingReader.of(root, problemCollector));
    }

    /** Returns the bus that the environment configures if there is no file, or the problem with it. */
    public static ValueParseResult<BusConfig> bus(Function<String, @Nullable String> environment) {
        ProblemCollector found = new ProblemCollector();
        BusConfig parsedConfig = new LedgerAndBusConfigReader(environment, found).bus(emptyFields(found));
        return found.isEmpty()
                ? new ValueParseResult.Valid<>(parsedConfig)
                : new ValueParseResult.Invalid<>(first(found));
    }

    private static YamlMappingReader emptyFields(ProblemCollector problemCollector) {
        return YamlMappingReader.of(new YamlNode.Scalar(new SourcePosition("", 1, 1), "", false), problemCollector);
    }

    private static String first(ProblemCollector problemCollector) {
        return problemCollector.list().getFirst().message();
    }

    /** The setting {@code ledger} or {@code bus}, as the file or the environment has it. */
    private record AddressSetting(
            YamlMappingReader top,
            String key,
            String variable,
            Optional<String> address,
            Optional<YamlMappingReader> more,
            boolean overridden) {
        String name() {
            return overridden ? variable : "'" + key + "'";
        }
    }

    private AddressSetting readSetting(YamlMappingReader top, String key, String variable) {
        Optional<YamlMappingReader> more =
                top.node(key).filter(YamlNode.Mapping.class::isInstance).flatMap(node -> top.mapping(key));
        Optional<String> set = Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
        Optional<String> address =
                more.isPresent() ? more.flatMap(yamlMappingReader -> yamlMappingReader.string("url")) : top.string(key);
        if (more.isPresent() && address.isEmpty() && set.isEmpty()) {
            problemCollector.add(top.position(key), "'url' is missing under '" + key + "'");
        }
        return new AddressSetting(top, key, variable, set.or(() -> address), more, set.isPresent());
    }

    LedgerConfig ledger(YamlMappingReader top) {
        AddressSetting addressSetting = readSetting(top, "ledger", "GAVEL_LEDGER");
        Optional<String> user = resolveSecret(addressSetting, "user");
        Optional<String> password = resolveSecret(addressSetting, "password");
        addressSetting.more().ifPresent(YamlMappingReader::reportUnknownKeys);
        String address = addressSetting.address().orElse("sqlite");
        if (address.startsWith(PostgresUrlValidator.SCHEME)) {
            PostgresUrlValidator.validate(address)
                    .ifPresent(why -> problemCollector.add(top.position("ledger"), addressSetting.name() + " " + why));
            return new LedgerConfig.Postgres(address, user, password);
        }
        if (!address.equals("sqlite")) {
            problemCollector.add(top.position("ledger"), addressSetting.name() + " must be " + LEDGER);
        }
        return new LedgerConfig.Sqlite();
    }

    BusConfig bus(YamlMappingReader top) {
        AddressSetting addressSetting = readSetting(top, "bus", "GAVEL_BUS");
        Optional<String> user = resolveSecret(addressSetting, "user");
        Optional<String> password = resolveSecret(addressSetting, "password");
        Optional<String> token = resolveSecret(addressSetting, "token");
        Optional<Path> credentials = addressSetting
                .more()
                .flatMap(yamlMappingReader -> yamlMappingReader.string("credentials"))
                .map(Path::of);
        credentials
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file ->
                        problemCollector.add(top.position("bus"), "'credentials': cannot read the file " + file));
        String prefix = addressSetting
                .more()
                .flatMap(yamlMappingReader -> yamlMappingReader.parse(
                        "prefix",
                        "1 to 40 letters, digits, - and _",
                        text -> Optional.of(text).filter(LedgerAndBusConfigReader::isPrefix)))
                .orElse(PREFIX);
        addressSetting.more().ifPresent(YamlMappingReader::reportUnknownKeys);
        String address = addressSetting.address().orElse("memory");
        if (address.equals("memory")) {
            return new BusConfig.Memory();
        }
        Optional<List<URI>> servers = servers(address);
        if (servers.isEmpty()) {
            problemCollector.add(top.position("bus"), addressSetting.name() + " must be " + BUS);
            return new BusConfig.Memory();
        }
        return new BusConfig.Nats(servers.get(), user, password, token, credentials, prefix);
    }

    private static boolean isPrefix(String text) {
        return text.matches("[A-Za-z0-9_-]{1,40}");
    }

    /** Parses addresses separated by commas. */
    private static Optional<List<URI>> servers(String addresses) {
        try {
            List<URI> servers = Arrays.stream(addresses.split(",", -1))
                    .map(String::strip)
                    .map(URI::create)
                    .toList();
            return servers.stream().allMatch(LedgerAndBusConfigReader::isNats)
                    ? Optional.of(servers)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isNats(URI server) {
        return List.of("nats", "tls").contains(String.valueOf(server.getScheme())) && server.getHost() != null;
    }

    private Optional<String> resolveSecret(AddressSetting addressSetting, String key) {
        return addressSetting
                .more()
                .flatMap(yamlMappingReader -> yamlMappingReader
                        .string(key)
                        .flatMap(text -> switch (SecretValueResolver.resolve(text, environment)) {
                            case ValueParseResult.Valid<String>(String value) -> Optional.of(value);
                            case ValueParseResult.Invalid<String>(String problem) -> {
                                problemCollector.add(yamlMappingReader.position(key), problem);
                                yield Optional.empty();
                            }
                        }));
    }
}
