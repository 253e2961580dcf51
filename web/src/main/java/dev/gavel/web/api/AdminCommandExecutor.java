package dev.gavel.web.api;

import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.identity.InitialTokenFiles;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistryChange.TokenCreated;
import dev.gavel.web.registry.RegistryCommand;
import dev.gavel.web.registry.RegistryCommand.CreateToken;
import dev.gavel.web.registry.RegistryCommand.RemoveMember;
import dev.gavel.web.registry.RegistryCommand.ResetMember;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import dev.gavel.web.registry.RegistryCommand.SetMember;
import dev.gavel.web.registry.RegistryCommand.SetRoles;
import dev.gavel.web.registry.RegistryCommandResult;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
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
 * Parses, validates and executes the commands by which admins change tokens, roles and members, for the API and the
 * console. Both use this class, so that they accept and refuse the same. Thread-safe.
 */
public final class AdminCommandExecutor {
    private static final Set<String> TOKEN_FIELDS = Set.of("name", "topic", "capabilities", "roles", "expiresIn");
    private static final Duration MIN_LIFETIME = Duration.ofSeconds(1);
    private static final Duration MAX_LIFETIME = Duration.ofDays(3650);

    private final IdentityRegistry identityRegistry;
    private final List<String> knownRoles;

    /**
     * Creates commands that are executed by this registry.
     *
     * @param knownRoles the roles that exist
     */
    public AdminCommandExecutor(IdentityRegistry identityRegistry, List<String> knownRoles) {
        this.identityRegistry = identityRegistry;
        this.knownRoles = List.copyOf(knownRoles);
    }

    /**
     * The admin who sends a command.
     *
     * @param accessGrant the grant of the admin's request; it must still be valid when the command is executed
     */
    public record AdminCaller(String admin, RevocableAccessGrant accessGrant) {}

    /** The result of a command. */
    public sealed interface AdminCommandResult<T> {
        /** The command is in effect. */
        record Done<T>(T value) implements AdminCommandResult<T> {}

        /** The command changed nothing. */
        record Refused<T>(HttpProblem problem) implements AdminCommandResult<T> {}
    }

    /**
     * A token that was created.
     *
     * @param secret the token itself: only this process and the admin who requested it know it; everywhere else only
     *     its hash exists
     * @param registrySnapshot the registry with the token in it
     */
    public record CreatedToken(
            String id, String name, String secret, Optional<Instant> expiresAt, RegistrySnapshot registrySnapshot) {
        /** Leaves the secret out, because printed text may end up in a log. */
        @Override
        public String toString() {
            return "Made[" + name + ", " + id + "]";
        }
    }

    /** Creates a token from a JSON object with {@code name} and optional fields. */
    public CompletionStage<AdminCommandResult<CreatedToken>> createToken(AdminCaller adminCaller, byte[] body) {
        String secret = InitialTokenFiles.newToken();
        return execute(
                adminCaller,
                AdminRequestBodyParser.read(body, TOKEN_FIELDS),
                adminRequestBodyParser -> createToken(adminRequestBodyParser, TokenHash.of(secret)),
                (command, done) -> {
                    Optional<Instant> end = done.changes().stream()
                            .filter(TokenCreated.class::isInstance)
                            .flatMap(change -> ((TokenCreated) change).expiresAt().stream())
                            .findFirst();
                    return new CreatedToken(command.id(), command.name(), secret, end, done.snapshot());
                });
    }

    /** Sets an identity's roles from a JSON object with {@code roles}. */
    public CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> roles(
            AdminCaller adminCaller, String name, byte[] body) {
        return execute(adminCaller, AdminRequestBodyParser.read(body, Set.of("roles")), adminRequestBodyParser -> {
            checkName(adminRequestBodyParser, name);
            Optional<Set<String>> roles = roles(adminRequestBodyParser);
            if (roles.isEmpty()) {
                adminRequestBodyParser.addProblem("bad_role", "'roles' is missing; use [] for no roles");
            }
            return new SetRoles(name, roles.orElse(Set.of()));
        });
    }

    /** Revokes one token of an identity, or all. */
    public CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> revokeTokens(
            AdminCaller adminCaller, String name, Optional<String> id) {
        return execute(adminCaller, AdminRequestBodyParser.empty(), adminRequestBodyParser -> {
            checkName(adminRequestBodyParser, name);
            return new RevokeTokens(name, id);
        });
    }

    /** Adds a member to a topic or changes its capabilities, from a JSON object with {@code capabilities}. */
    public CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> setMember(
            AdminCaller adminCaller, String topic, String name, byte[] body) {
        return execute(
                adminCaller, AdminRequestBodyParser.read(body, Set.of("capabilities")), adminRequestBodyParser -> {
                    checkMember(adminRequestBodyParser, topic, name);
                    Optional<CapabilitySet> capabilitySet = adminRequestBodyParser.capabilities();
                    if (capabilitySet.isEmpty()) {
                        adminRequestBodyParser.addProblem(
                                "bad_capability", "'capabilities' is missing; list what the member can send");
                    }
                    return new SetMember(topic, name, capabilitySet.orElse(CapabilitySet.NONE));
                });
    }

    /** Removes a member from a topic. */
    public CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> removeMember(
            AdminCaller adminCaller, String topic, String name) {
        return execute(adminCaller, AdminRequestBodyParser.empty(), adminRequestBodyParser -> {
            checkMember(adminRequestBodyParser, topic, name);
            return new RemoveMember(topic, name);
        });
    }

    /** Resets a member of a topic to what the configuration says. */
    public CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> resetMember(
            AdminCaller adminCaller, String topic, String name) {
        return execute(adminCaller, AdminRequestBodyParser.empty(), adminRequestBodyParser -> {
            checkMember(adminRequestBodyParser, topic, name);
            return new ResetMember(topic, name);
        });
    }

    private <C extends RegistryCommand> CompletionStage<AdminCommandResult<RegistryCommandResult.Done>> execute(
            AdminCaller adminCaller,
            AdminRequestBodyParser adminRequestBodyParser,
            Function<AdminRequestBodyParser, C> parser) {
        return execute(adminCaller, adminRequestBodyParser, parser, (command, done) -> done);
    }

    private <C extends RegistryCommand, T> CompletionStage<AdminCommandResult<T>> execute(
            AdminCaller adminCaller,
            AdminRequestBodyParser adminRequestBodyParser,
            Function<AdminRequestBodyParser, C> parser,
            ResultMapper<C, T> resultMapper) {
        C command = parser.apply(adminRequestBodyParser);
        Optional<HttpProblem> problem = adminRequestBodyParser.problem();
        if (problem.isPresent()) {
            return CompletableFuture.completedStage(new AdminCommandResult.Refused<>(problem.get()));
        }
        return identityRegistry
                .submit(adminCaller.admin(), adminCaller.accessGrant(), command)
                .thenApply(registryCommandResult -> switch (registryCommandResult) {
                    case RegistryCommandResult.Done done ->
                        new AdminCommandResult.Done<>(resultMapper.map(command, done));
                    case RegistryCommandResult.Refused _,
                            RegistryCommandResult.NoLedger _,
                            RegistryCommandResult.NotDurable _,
                            RegistryCommandResult.Unavailable _ ->
                        new AdminCommandResult.Refused<>(AdminCommandResponses.toProblem(registryCommandResult));
                });
    }

    private interface ResultMapper<C, T> {
        T map(C command, RegistryCommandResult.Done done);
    }

    private CreateToken createToken(AdminRequestBodyParser adminRequestBodyParser, TokenHash hash) {
        Optional<String> name = adminRequestBodyParser.text("name");
        if (name.isEmpty()) {
            adminRequestBodyParser.addProblem("bad_name", "'name' is missing; set it to the identity of the token");
        }
        name.ifPresent(tokenName -> checkName(adminRequestBodyParser, tokenName));
        Optional<String> topic = adminRequestBodyParser.text("topic");
        if (topic.isPresent() && !TopicAccess.isTopicName(topic.get())) {
            adminRequestBodyParser.addProblem(TopicAccess.BAD_TOPIC);
        }
        if (topic.isEmpty() && adminRequestBodyParser.has("capabilities")) {
            adminRequestBodyParser.addProblem(
                    "bad_topic", "'topic' is missing; set it to the topic of the capabilities");
        }
        return new CreateToken(
                name.orElse(""),
                "k-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12),
                hash,
                parseLifetime(adminRequestBodyParser),
                topic,
                adminRequestBodyParser.capabilities(),
                roles(adminRequestBodyParser));
    }

    private static void checkName(AdminRequestBodyParser adminRequestBodyParser, String name) {
        AdminCommandResponses.validateName(name).ifPresent(adminRequestBodyParser::addProblem);
    }

    private static void checkMember(AdminRequestBodyParser adminRequestBodyParser, String topic, String name) {
        if (!TopicAccess.isTopicName(topic)) {
            adminRequestBodyParser.addProblem(TopicAccess.BAD_TOPIC);
        }
        checkName(adminRequestBodyParser, name);
    }

    private Optional<Set<String>> roles(AdminRequestBodyParser adminRequestBodyParser) {
        Optional<List<String>> roles = adminRequestBodyParser.texts("roles");
        roles.stream()
                .flatMap(List::stream)
                .filter(role -> !knownRoles.contains(role))
                .findFirst()
                .ifPresent(role -> adminRequestBodyParser.addProblem(
                        "bad_role",
                        "unknown role '" + SafeText.brief(role, 80) + "'"
                                + WordSuggester.suggest(role, knownRoles)
                                        .map(near -> ". Did you mean '" + near + "'?")
                                        .orElse(". The roles are " + String.join(", ", knownRoles) + ".")));
        return roles.map(Set::copyOf);
    }

    private static Optional<Duration> parseLifetime(AdminRequestBodyParser adminRequestBodyParser) {
        Optional<String> text = adminRequestBodyParser.text("expiresIn");
        Optional<Duration> lifetime = text.flatMap(YamlMappingReader::parseDuration)
                .filter(time -> time.compareTo(MIN_LIFETIME) >= 0 && time.compareTo(MAX_LIFETIME) <= 0);
        if (text.isPresent() && lifetime.isEmpty()) {
            adminRequestBodyParser.addProblem(
                    "bad_expiry", "'expiresIn' must be a duration such as 12h or 30d, from 1s to 3650d");
        }
        return lifetime;
    }
}
