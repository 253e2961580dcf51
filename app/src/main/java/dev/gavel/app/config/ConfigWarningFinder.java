package dev.gavel.app.config;

import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.mcp.client.ServerIsolation;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.identity.Identity;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds settings of a valid configuration that are probably mistakes, such as a topic whose proposals no member could
 * approve, or a bridge whose program does not exist. A server starts with such settings. Not thread-safe.
 */
final class ConfigWarningFinder {
    private static final Kind PROPOSED_CALL = Kind.of("mcp.proposal.tools/call");
    private static final Kind CALL = Kind.of("mcp.request.tools/call");

    /** The call of a tool that no pattern names: a member that may make it may call every tool. */
    private static final Kind CALL_OF_UNNAMED_TOOL = CALL.withContext("?");

    private static final String PROPOSAL_OF_TOOL = PROPOSED_CALL + ":";
    private static final Pattern EXACT_NAME = Pattern.compile("[\\w./-]+");

    /** A variable as other programs write it, or Gavel's own syntax after other text. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\{\\w+}|\\$[A-Za-z_]\\w*|(?<=\\S\\s{0,9})(env|file):\\S+");

    /** A network of all addresses, or of so many that no operator owns all of them. */
    private static final Pattern EVERY_ADDRESS = Pattern.compile("/[0-7]$");

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s");

    private final YamlMappingReader root;
    private final Function<String, @Nullable String> environment;
    private final ProblemCollector warnings;

    ConfigWarningFinder(
            YamlMappingReader root, Function<String, @Nullable String> environment, ProblemCollector warnings) {
        this.root = root;
        this.environment = environment;
        this.warnings = warnings;
    }

    void collect(ServerConfig config) {
        warnAboutMissingAdmin(config);
        warnAboutProxies(config);
        warnAboutUnknownAudience(config);
        for (YamlNode.Entry entry : root.entries("topics")) {
            ServerConfig.Topic topic = config.topics().get(entry.key().text());
            if (topic != null) {
                warnAboutMissingReviewer(entry, topic);
                warnAboutReviewersWithoutToken(entry, topic, config);
                warnAboutSingleMember(entry, topic, config);
            }
            warnAboutSecretPatterns(YamlMappingReader.of(entry.value(), warnings));
        }
        for (YamlNode.Entry entry : root.entries("bridges")) {
            ServerConfig.Bridge bridge = config.bridges().get(entry.key().text());
            if (bridge != null && bridge.server() instanceof ServerLaunchConfig launch) {
                warnAboutMissingProgram(entry, launch);
                warnAboutImpossibleIsolation(entry, launch.hiding(List.of(config.data())));
            }
            warnAboutVariablesInHeaders(YamlMappingReader.of(entry.value(), warnings));
        }
    }

    private void warnAboutMissingAdmin(ServerConfig config) {
        List<Identity> admins = config.identities().values().stream()
                .filter(identity -> identity.roles().contains(Identity.ADMIN))
                .toList();
        if (admins.isEmpty()) {
            warnings.add(
                    root.position("identities"),
                    "no identity has the role 'admin', so tokens and members cannot be changed while the server runs."
                            + " Add 'roles: [admin]' to an identity.");
        } else if (admins.stream().noneMatch(admin -> admin.token().isPresent())) {
            warnings.add(
                    root.position("identities"),
                    "no admin has a token, so tokens and members cannot be changed while the server runs. Add 'token'"
                            + " to '" + admins.getFirst().id() + "'.");
        }
    }

    /** Warns about a member whose calls only members without a token could approve. */
    private void warnAboutReviewersWithoutToken(YamlNode.Entry entry, ServerConfig.Topic topic, ServerConfig config) {
        for (Map.Entry<String, CapabilitySet> proposer : topic.members().entrySet()) {
            List<String> reviewers = !needsReviewer(proposer.getValue())
                    ? List.of()
                    : topic.members().entrySet().stream()
                            .filter(other -> !other.getKey().equals(proposer.getKey())
                                    && couldApprove(other.getValue(), proposer.getValue()))
                            .map(Map.Entry::getKey)
                            .toList();
            if (!reviewers.isEmpty() && reviewers.stream().noneMatch(reviewer -> canConnect(reviewer, config))) {
                warnings.add(
                        entry.key().position(),
                        "in the topic '" + topic.name() + "', no member with a token could approve a call that '"
                                + proposer.getKey() + "' proposes. Add 'token' to '" + reviewers.getFirst() + "'.");
                return;
            }
        }
    }

    private static boolean canConnect(String member, ServerConfig config) {
        Identity identity = config.identities().get(member);
        return config.ownParticipants().contains(member)
                || !config.issuers().isEmpty()
                || (identity != null && identity.token().isPresent());
    }

    /** Warns about a topic with a ledger in which one member could propose calls, and no other could approve them. */
    private void warnAboutSingleMember(YamlNode.Entry entry, ServerConfig.Topic topic, ServerConfig config) {
        List<String> members = topic.members().keySet().stream()
                .filter(member -> !config.ownParticipants().contains(member))
                .toList();
        if (topic.ledger() && !topic.rules().selfApproval() && members.size() == 1) {
            CapabilitySet capabilities = topic.members().get(members.getFirst());
            if (capabilities != null && capabilities.admitsKind(PROPOSED_CALL) && !needsReviewer(capabilities)) {
                warnings.add(
                        entry.key().position(),
                        "in the topic '" + topic.name() + "', no member could approve a call that '"
                                + members.getFirst() + "' proposes, because it is the only member. Add a member that"
                                + " proposes or approves calls.");
            }
        }
    }

    private void warnAboutMissingReviewer(YamlNode.Entry entry, ServerConfig.Topic topic) {
        Optional<String> unreviewed = topic.members().entrySet().stream()
                .filter(member -> needsReviewer(member.getValue()))
                .filter(member -> topic.members().entrySet().stream()
                        .noneMatch(other -> !other.getKey().equals(member.getKey())
                                && couldApprove(other.getValue(), member.getValue())))
                .map(Map.Entry::getKey)
                .findFirst();
        unreviewed.ifPresentOrElse(
                proposer -> warnings.add(
                        entry.key().position(),
                        "in the topic '" + topic.name() + "', no member could approve a call that '" + proposer
                                + "' proposes. Give another member a capability for it, such as"
                                + " \"mcp.request.tools/call\" or \"*\"."),
                () -> warnAboutToolWithoutReviewer(entry, topic));
    }

    /** Warns about a tool that a member may propose by its exact name and that no other member may call. */
    private void warnAboutToolWithoutReviewer(YamlNode.Entry entry, ServerConfig.Topic topic) {
        topic.members()
                .forEach((proposer, capabilities) -> capabilities.asList().stream()
                        .map(capability -> capability.kind(EnvelopeSyntax.CURRENT))
                        .filter(kind -> kind.startsWith(PROPOSAL_OF_TOOL))
                        .map(kind -> kind.substring(PROPOSAL_OF_TOOL.length()))
                        .filter(tool -> EXACT_NAME.matcher(tool).matches()
                                && !capabilities.admitsAnyPayload(CALL.withContext(tool)))
                        .filter(tool -> topic.members().entrySet().stream()
                                .noneMatch(other -> !other.getKey().equals(proposer)
                                        && other.getValue().admitsKind(CALL.withContext(tool))))
                        .findFirst()
                        .ifPresent(tool -> warnings.add(
                                entry.key().position(),
                                "in the topic '" + topic.name() + "', no member could approve a call of '" + tool
                                        + "' that '"
                                        + proposer + "' proposes. Give another member a capability for it, such as \""
                                        + CALL.withContext(tool) + "\".")));
    }

    private static boolean needsReviewer(CapabilitySet proposer) {
        return proposer.admitsKind(PROPOSED_CALL) && !proposer.admitsAnyPayload(CALL_OF_UNNAMED_TOOL);
    }

    /** Whether the member may make calls that the proposer can only propose. */
    private static boolean couldApprove(CapabilitySet member, CapabilitySet proposer) {
        List<Capability> known = proposer.asList();
        return member.asList().stream()
                .anyMatch(capability -> capability.admitsKind(CALL) && !known.contains(capability));
    }

    private void warnAboutMissingProgram(YamlNode.Entry entry, ServerLaunchConfig launch) {
        String program = launch.command().getFirst();
        String problem = program.indexOf('/') >= 0
                ? "' is not an executable file"
                : "' does not exist in the directories of the variable PATH";
        if (!isFound(program, launch.directory())) {
            warnings.add(
                    YamlMappingReader.of(entry.value(), warnings).position("command"),
                    "the program '" + program + problem
                            + (WHITE_SPACE.matcher(program).find()
                                    ? ". Write the program and each argument as separate entries of the list."
                                    : ". Install it, or correct its name."));
        }
    }

    private void warnAboutImpossibleIsolation(YamlNode.Entry entry, ServerLaunchConfig launch) {
        YamlMappingReader bridge = YamlMappingReader.of(entry.value(), warnings);
        ServerIsolation isolation = launch.isolation();
        if (isolation.sandbox() && !isFound(ServerIsolation.BUBBLEWRAP, Optional.empty())) {
            warnings.add(
                    bridge.position("sandbox"),
                    "the program '" + ServerIsolation.BUBBLEWRAP
                            + "' does not exist, so the bridge cannot start. Install the package bubblewrap.");
        }
        isolation
                .sandboxProblem(launch.directory())
                .ifPresent(problem -> warnings.add(
                        bridge.position("sandbox"), "the bridge cannot start: " + SafeText.line(problem) + "."));
        isolation
                .user()
                .filter(user -> !exists(user))
                .ifPresent(user -> warnings.add(
                        bridge.position("user"),
                        "there is no user '" + user + "' on this machine, so the bridge cannot start. Create the user,"
                                + " or correct its name."));
    }

    private void warnAboutSecretPatterns(YamlMappingReader topic) {
        topic.strings("secret")
                .forEach(pattern -> SecretArgumentPatterns.warning(pattern)
                        .ifPresent(problem -> warnings.add(topic.position("secret"), "'secret': " + problem)));
    }

    /** Warns about networks of which each client could be a proxy, so that clients choose their own address. */
    private void warnAboutProxies(ServerConfig config) {
        config.limits().connectionLimits().proxies().stream()
                .filter(proxy -> EVERY_ADDRESS.matcher(proxy).find())
                .findFirst()
                .ifPresent(proxy -> root.mapping("limits")
                        .ifPresent(limits -> warnings.add(
                                limits.position("proxies"),
                                "'" + proxy + "' makes every client a proxy, so each client can claim any address in"
                                        + " X-Forwarded-For, and no limit for one address applies. List the addresses"
                                        + " of your proxies only.")));
    }

    /** Warns about a server that will not start, unless a variable sets the URL. */
    private void warnAboutUnknownAudience(ServerConfig config) {
        if (environment.apply("GAVEL_PUBLIC_URL") == null) {
            config.audienceProblem().ifPresent(problem -> warnings.add(root.position("issuers"), problem + "."));
        }
    }

    private void warnAboutVariablesInHeaders(YamlMappingReader bridge) {
        for (YamlNode.Entry header : bridge.entries("headers")) {
            if (header.value() instanceof YamlNode.Scalar scalar
                    && VARIABLE.matcher(scalar.text()).find()) {
                warnings.add(
                        scalar.position(),
                        "Gavel does not replace variables such as ${NAME}, $NAME or env:NAME within the header '"
                                + header.key().text() + "'. Write env:NAME, with the whole value in the variable.");
            }
        }
    }

    private static boolean exists(String user) {
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user);
            return true;
        } catch (UserPrincipalNotFoundException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            // Without a lookup there is nothing to warn about.
            return true;
        }
    }

    /** Looks up the program as the operating system does. */
    private boolean isFound(String program, Optional<Path> directory) {
        String searchPath = environment.apply("PATH");
        try {
            if (program.indexOf('/') >= 0) {
                return isProgram(directory.orElse(Path.of("")).resolve(program));
            }
            if (searchPath == null) {
                return true;
            }
            for (String each : searchPath.split(Pattern.quote(java.io.File.pathSeparator), -1)) {
                if (isProgram(Path.of(each).resolve(program))) {
                    return true;
                }
            }
            return false;
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isProgram(Path file) {
        return Files.isExecutable(file) && !Files.isDirectory(file);
    }
}
