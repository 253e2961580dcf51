package dev.gavel.app.config;

import dev.gavel.mcpx.Parsed;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import dev.gavel.yaml.Yaml;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what several processes can share: where the ledger is kept, and what carries envelopes. Each is one word or an
 * address, or a mapping that has the address under {@code url}; the environment's address beats the file's. Addresses are
 * not repeated in messages, since they may hold passwords.
 */
public final class SharedFields {
    private static final String LEDGER =
            "sqlite or the address of a PostgreSQL database, such as jdbc:postgresql://host/gavel";
    private static final String BUS = "memory or the address of a NATS server, such as nats://host:4222";
    private static final String PREFIX = "gavel";

    private final Function<String, @Nullable String> environment;
    private final Problems problems;

    SharedFields(Function<String, @Nullable String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** Where the environment wants the ledger, where no file says anything; or what is wrong with that. */
    public static Parsed<LedgerPlace> ledger(Function<String, @Nullable String> environment) {
        Problems found = new Problems();
        LedgerPlace place = new SharedFields(environment, found).ledger(nothing(found));
        return found.none() ? new Parsed.Valid<>(place) : new Parsed.Invalid<>(first(found));
    }

    /** Where a file's text, or the environment over it, wants the ledger, whatever else the file says. */
    public static LedgerPlace ledger(
            String file, String text, Function<String, @Nullable String> environment, Problems problems) {
        Node root =
                Yaml.read(file, text, problems).orElseGet(() -> new Node.Scalar(new Position(file, 1, 1), "", false));
        return new SharedFields(environment, problems).ledger(Fields.of(root, problems));
    }

    /** Which bus the environment wants, where no file says anything; or what is wrong with that. */
    public static Parsed<BusPlace> bus(Function<String, @Nullable String> environment) {
        Problems found = new Problems();
        BusPlace place = new SharedFields(environment, found).bus(nothing(found));
        return found.none() ? new Parsed.Valid<>(place) : new Parsed.Invalid<>(first(found));
    }

    private static Fields nothing(Problems problems) {
        return Fields.of(new Node.Scalar(new Position("", 1, 1), "", false), problems);
    }

    private static String first(Problems problems) {
        return problems.list().getFirst().message();
    }

    /** One of the two, as it is written. */
    private record Written(
            Fields top,
            String key,
            String variable,
            Optional<String> address,
            Optional<Fields> more,
            boolean overridden) {
        String name() {
            return overridden ? variable : "'" + key + "'";
        }
    }

    private Written written(Fields top, String key, String variable) {
        Optional<Fields> more =
                top.node(key).filter(Node.Mapping.class::isInstance).flatMap(node -> top.fields(key));
        Optional<String> set = Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
        Optional<String> address = more.isPresent() ? more.flatMap(fields -> fields.string("url")) : top.string(key);
        if (more.isPresent() && address.isEmpty() && set.isEmpty()) {
            problems.add(top.position(key), "'url' is missing under '" + key + "'");
        }
        return new Written(top, key, variable, set.or(() -> address), more, set.isPresent());
    }

    LedgerPlace ledger(Fields top) {
        Written written = written(top, "ledger", "GAVEL_LEDGER");
        Optional<String> user = kept(written, "user");
        Optional<String> password = kept(written, "password");
        written.more().ifPresent(Fields::done);
        String address = written.address().orElse("sqlite");
        if (address.startsWith(DatabaseAddress.SCHEME)) {
            DatabaseAddress.objection(address)
                    .ifPresent(why -> problems.add(top.position("ledger"), written.name() + " " + why));
            return new LedgerPlace.Postgres(address, user, password);
        }
        if (!address.equals("sqlite")) {
            problems.add(top.position("ledger"), written.name() + " must be " + LEDGER);
        }
        return new LedgerPlace.Sqlite();
    }

    BusPlace bus(Fields top) {
        Written written = written(top, "bus", "GAVEL_BUS");
        Optional<String> user = kept(written, "user");
        Optional<String> password = kept(written, "password");
        Optional<String> token = kept(written, "token");
        Optional<Path> credentials =
                written.more().flatMap(fields -> fields.string("credentials")).map(Path::of);
        credentials
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file -> problems.add(
                        top.position("bus"), "'credentials': there is no file " + file + " that can be read"));
        String prefix = written.more()
                .flatMap(fields -> fields.parsed(
                        "prefix",
                        "letters, digits, - and _",
                        text -> Optional.of(text).filter(SharedFields::isPrefix)))
                .orElse(PREFIX);
        written.more().ifPresent(Fields::done);
        String address = written.address().orElse("memory");
        if (address.equals("memory")) {
            return new BusPlace.Memory();
        }
        Optional<List<URI>> servers = servers(address);
        if (servers.isEmpty()) {
            problems.add(top.position("bus"), written.name() + " must be " + BUS);
            return new BusPlace.Memory();
        }
        return new BusPlace.Nats(servers.get(), user, password, token, credentials, prefix);
    }

    private static boolean isPrefix(String text) {
        return text.matches("[A-Za-z0-9_-]{1,40}");
    }

    /** Several addresses stand side by side, with commas between them. */
    private static Optional<List<URI>> servers(String addresses) {
        try {
            List<URI> servers = Arrays.stream(addresses.split(",", -1))
                    .map(String::strip)
                    .map(URI::create)
                    .toList();
            return servers.stream().allMatch(SharedFields::isNats) ? Optional.of(servers) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isNats(URI server) {
        return List.of("nats", "tls").contains(String.valueOf(server.getScheme())) && server.getHost() != null;
    }

    private Optional<String> kept(Written written, String key) {
        return written.more()
                .flatMap(fields -> fields.string(key).flatMap(text -> switch (KeptValue.read(text, environment)) {
                    case Parsed.Valid<String>(String value) -> Optional.of(value);
                    case Parsed.Invalid<String>(String problem) -> {
                        problems.add(fields.position(key), problem);
                        yield Optional.empty();
                    }
                }));
    }
}
