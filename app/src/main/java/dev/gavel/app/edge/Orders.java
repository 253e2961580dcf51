package dev.gavel.app.edge;

import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Answer;
import dev.gavel.app.register.Change.TokenCreated;
import dev.gavel.app.register.Command;
import dev.gavel.app.register.Command.CreateToken;
import dev.gavel.app.register.Command.RemoveMember;
import dev.gavel.app.register.Command.ResetMember;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetMember;
import dev.gavel.app.register.Command.SetRoles;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.gateway.Warrant;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.yaml.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What admins may ask for: read from what they sent, checked, and carried out. The API and the console both come here, so
 * that one takes and refuses what the other does. Thread-safe.
 */
public final class Orders {
    private static final Set<String> OF_TOKEN = Set.of("name", "topic", "capabilities", "roles", "expiresIn");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(3650);

    private final Registrar registrar;
    private final List<String> known;

    /**
     * Those that this registrar carries out.
     *
     * @param known the roles there are
     */
    public Orders(Registrar registrar, List<String> known) {
        this.registrar = registrar;
        this.known = List.copyOf(known);
    }

    /**
     * Whoever orders something.
     *
     * @param warrant what they came with; it must still be good when their turn comes
     */
    public record By(String admin, Warrant warrant) {}

    /** What became of an order. */
    public sealed interface Outcome<T> {
        /** It is in effect. */
        record Done<T>(T value) implements Outcome<T> {}

        /** Nothing was changed. */
        record Refused<T>(Problem problem) implements Outcome<T> {}
    }

    /**
     * A token that was made.
     *
     * @param secret the token itself: known here and to whoever asked, everywhere else there is only its hash
     * @param register how things stand with it
     */
    public record Made(String id, String name, String secret, Optional<Instant> expiresAt, Register register) {
        /** Not with the secret in it: what is printed may end up in a log. */
        @Override
        public String toString() {
            return "Made[" + name + ", " + id + "]";
        }
    }

    /** Makes a token, by a JSON object of {@code name} and perhaps more. */
    public CompletionStage<Outcome<Made>> token(By by, byte[] body) {
        String secret = TokenFiles.create();
        return order(by, Form.read(body, OF_TOKEN), form -> token(form, TokenHash.of(secret)), (command, done) -> {
            Optional<Instant> end = done.changes().stream()
                    .filter(TokenCreated.class::isInstance)
                    .flatMap(change -> ((TokenCreated) change).expiresAt().stream())
                    .findFirst();
            return new Made(command.id(), command.name(), secret, end, done.register());
        });
    }

    /** Sets somebody's roles, by a JSON object of {@code roles}. */
    public CompletionStage<Outcome<Answer.Done>> roles(By by, String name, byte[] body) {
        return order(by, Form.read(body, Set.of("roles")), form -> {
            named(form, name);
            Optional<Set<String>> roles = roles(form);
            if (roles.isEmpty()) {
                form.wrong("bad_role", "say in 'roles' which they are to be; [] for none");
            }
            return new SetRoles(name, roles.orElse(Set.of()));
        });
    }

    /** Revokes one token of somebody's, or all. */
    public CompletionStage<Outcome<Answer.Done>> revoke(By by, String name, Optional<String> id) {
        return order(by, Form.blank(), form -> {
            named(form, name);
            return new RevokeTokens(name, id);
        });
    }

    /** Makes somebody a member of a topic, by a JSON object of {@code capabilities}, or changes those. */
    public CompletionStage<Outcome<Answer.Done>> member(By by, String topic, String name, byte[] body) {
        return order(by, Form.read(body, Set.of("capabilities")), form -> {
            placed(form, topic, name);
            Optional<Capabilities> capabilities = form.capabilities();
            if (capabilities.isEmpty()) {
                form.wrong("bad_capability", "say in 'capabilities' what the member may send");
            }
            return new SetMember(topic, name, capabilities.orElse(Capabilities.NONE));
        });
    }

    /** Takes a member out of a topic. */
    public CompletionStage<Outcome<Answer.Done>> remove(By by, String topic, String name) {
        return order(by, Form.blank(), form -> {
            placed(form, topic, name);
            return new RemoveMember(topic, name);
        });
    }

    /** Lets somebody be in a topic what the configuration says. */
    public CompletionStage<Outcome<Answer.Done>> reset(By by, String topic, String name) {
        return order(by, Form.blank(), form -> {
            placed(form, topic, name);
            return new ResetMember(topic, name);
        });
    }

    private <C extends Command> CompletionStage<Outcome<Answer.Done>> order(
            By by, Form form, Function<Form, C> reading) {
        return order(by, form, reading, (command, done) -> done);
    }

    private <C extends Command, T> CompletionStage<Outcome<T>> order(
            By by, Form form, Function<Form, C> reading, Telling<C, T> telling) {
        C command = reading.apply(form);
        Optional<Problem> problem = form.problem();
        if (problem.isPresent()) {
            return CompletableFuture.completedStage(new Outcome.Refused<>(problem.get()));
        }
        return registrar.order(by.admin(), by.warrant(), command).thenApply(answer -> switch (answer) {
            case Answer.Done done -> new Outcome.Done<>(telling.tell(command, done));
            case Answer.Refused _, Answer.NoLedger _, Answer.Unavailable _ ->
                new Outcome.Refused<>(Rulings.problem(answer));
        });
    }

    private interface Telling<C, T> {
        T tell(C command, Answer.Done done);
    }

    private CreateToken token(Form form, TokenHash hash) {
        Optional<String> name = form.text("name");
        if (name.isEmpty()) {
            form.wrong("bad_name", "say in 'name' whom the token is for");
        }
        name.ifPresent(it -> named(form, it));
        Optional<String> topic = form.text("topic");
        if (topic.isPresent() && !Visits.isTopicName(topic.get())) {
            form.wrong(Visits.BAD_TOPIC);
        }
        if (topic.isEmpty() && form.has("capabilities")) {
            form.wrong("bad_topic", "say in 'topic' where the capabilities are to hold");
        }
        return new CreateToken(
                name.orElse(""),
                "k-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12),
                hash,
                lifetime(form),
                topic,
                form.capabilities(),
                roles(form));
    }

    private static void named(Form form, String name) {
        Rulings.badName(name).ifPresent(form::wrong);
    }

    private static void placed(Form form, String topic, String name) {
        if (!Visits.isTopicName(topic)) {
            form.wrong(Visits.BAD_TOPIC);
        }
        named(form, name);
    }

    private Optional<Set<String>> roles(Form form) {
        Optional<List<String>> roles = form.texts("roles");
        if (roles.isPresent() && !known.containsAll(roles.get())) {
            form.wrong("bad_role", "the roles are " + String.join(", ", known));
        }
        return roles.map(Set::copyOf);
    }

    private static Optional<Duration> lifetime(Form form) {
        Optional<String> said = form.text("expiresIn");
        Optional<Duration> span = said.flatMap(Fields::span)
                .filter(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0);
        if (said.isPresent() && span.isEmpty()) {
            form.wrong("bad_expiry", "'expiresIn' is a span of time such as 12h or 30d, from 1s to 3650d");
        }
        return span;
    }
}
