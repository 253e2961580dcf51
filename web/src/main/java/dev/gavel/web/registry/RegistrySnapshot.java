package dev.gavel.web.registry;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.IdentityLookupResult;
import dev.gavel.web.identity.TokenAuthenticator.TokenGrant;
import dev.gavel.web.identity.TokenHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An immutable snapshot of all identities with their tokens, roles and topic capabilities: the configuration plus
 * run-time changes. Immutable.
 */
public final class RegistrySnapshot {
    /** The ledger stream of registry changes; no topic can have this name. */
    public static final String STREAM = LedgerReader.IDENTITY_STREAM;

    private static final int MAX_LISTED_NAMES = 20;
    private static final int MAX_QUOTED_NAME = 64;

    private final Map<String, Identity> configured;
    private final Map<String, Map<String, CapabilitySet>> topics;
    private final Map<String, IdentityOverrides> changesByName;
    private final Set<String> ownParticipants;
    private final boolean acceptsAccessTokens;
    private final Set<TokenHash> configuredTokens;
    private final Map<TokenHash, ChangeAttribution> revokedTokens = new HashMap<>();
    private final long lastSeq;

    private RegistrySnapshot(
            Map<String, Identity> configured,
            Map<String, Map<String, CapabilitySet>> topics,
            Map<String, IdentityOverrides> changesByName,
            Set<String> ownParticipants,
            boolean acceptsAccessTokens,
            long lastSeq) {
        this.ownParticipants = ownParticipants;
        this.acceptsAccessTokens = acceptsAccessTokens;
        this.lastSeq = lastSeq;
        this.configured = configured;
        this.topics = topics;
        this.changesByName = changesByName;
        this.configuredTokens = configured.values().stream()
                .flatMap(identity -> identity.token().stream())
                .collect(Collectors.toUnmodifiableSet());
        changesByName
                .values()
                .forEach(identityOverrides -> revokedTokens.putAll(identityOverrides.revokedConfigTokens()));
    }

    /**
     * A snapshot of the configuration alone.
     *
     * @param topics the capabilities of each topic's members
     */
    public static RegistrySnapshot of(
            Map<String, Identity> identities, Map<String, Map<String, CapabilitySet>> topics) {
        return new RegistrySnapshot(
                new LinkedHashMap<>(identities), new LinkedHashMap<>(topics), Map.of(), Set.of(), false, 0);
    }

    /**
     * Returns a copy in which this process runs these participants itself. They need no token, and any token of theirs
     * is refused.
     */
    public RegistrySnapshot withOwnParticipants(Set<String> names) {
        return new RegistrySnapshot(configured, topics, changesByName, Set.copyOf(names), acceptsAccessTokens, lastSeq);
    }

    /** Returns a copy in which access tokens of issuers can authenticate identities, so that these need no token. */
    public RegistrySnapshot withAccessTokens() {
        return new RegistrySnapshot(configured, topics, changesByName, ownParticipants, true, lastSeq);
    }

    /** Whether this is the name of a bridge of this process, or of another participant that it runs in topics. */
    public boolean isOwnParticipant(String name) {
        return ownParticipants.contains(name);
    }

    /** Returns the snapshot after these events. */
    public RegistrySnapshot apply(Collection<LedgerEvent> events) {
        return replay(events::forEach);
    }

    /** Returns the snapshot after those of these events that it does not include yet; the same object if there are none. */
    RegistrySnapshot applyNewer(Collection<LedgerEvent> events) {
        List<LedgerEvent> newer =
                events.stream().filter(event -> event.seq() > lastSeq).toList();
        return newer.isEmpty() ? this : apply(newer);
    }

    /**
     * Returns the snapshot after all recorded events. An entry is bounded and all entries are in one map, so each event
     * costs the same however many there are.
     *
     * @param eventSource passes every event in order to its argument
     */
    public RegistrySnapshot replay(Consumer<Consumer<LedgerEvent>> eventSource) {
        Map<String, IdentityOverrides> after = new LinkedHashMap<>(changesByName);
        AtomicLong last = new AtomicLong(lastSeq);
        eventSource.accept(event -> {
            last.set(event.seq());
            IdentityOverrides before = after.getOrDefault(event.subject(), IdentityOverrides.EMPTY);
            ChangeAttribution changeAttribution = new ChangeAttribution(event.actor(), event.at());
            after.put(
                    event.subject(),
                    before.withChange(RegistryChangeCodec.decode(event), changeAttribution, configuredTokens));
        });
        return new RegistrySnapshot(configured, topics, after, ownParticipants, acceptsAccessTokens, last.get());
    }

    /** The sequence number of the last event in this snapshot. */
    long lastSeq() {
        return lastSeq;
    }

    /** Returns the snapshot as it would be after these changes to one identity. */
    RegistrySnapshot apply(String name, List<RegistryChange> changes, ChangeAttribution changeAttribution) {
        Map<String, IdentityOverrides> after = new LinkedHashMap<>(changesByName);
        IdentityOverrides identityOverrides = runtimeChanges(name);
        for (RegistryChange change : changes) {
            identityOverrides = identityOverrides.withChange(change, changeAttribution, configuredTokens);
        }
        after.put(name, identityOverrides);
        return new RegistrySnapshot(configured, topics, after, ownParticipants, acceptsAccessTokens, lastSeq);
    }

    IdentityOverrides runtimeChanges(String name) {
        return changesByName.getOrDefault(name, IdentityOverrides.EMPTY);
    }

    Optional<Identity> configuredIdentity(String name) {
        return Optional.ofNullable(configured.get(name));
    }

    /** The names of all identities: those in the configuration, then those created at run time. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(configured.keySet());
        changesByName.forEach((name, identityOverrides) -> {
            if (identityOverrides.hasRuntimeTokens()) {
                names.add(name);
            }
        });
        return names;
    }

    /** The names by which texts call the identities. */
    public MemberNames displayNames() {
        Map<String, String> namesById = new HashMap<>();
        names().forEach(name -> namesById.put(name, identity(name).name()));
        return MemberNames.of(namesById);
    }

    /** Whether an identity has this name. */
    public boolean contains(String name) {
        return configured.containsKey(name) || runtimeChanges(name).hasRuntimeTokens();
    }

    /** The identity with its current roles. */
    public Identity identity(String name) {
        Identity configuredBase = configuredIdentity(name)
                .orElseGet(() -> new Identity(name, name, Set.of(), List.of(), Optional.empty()));
        return new Identity(name, configuredBase.name(), roles(name), configuredBase.handles(), configuredBase.token());
    }

    public Set<String> roles(String name) {
        return runtimeChanges(name)
                .roleOverride()
                .map(IdentityOverrides.RoleOverride::roles)
                .orElseGet(() -> configuredIdentity(name).map(Identity::roles).orElse(Set.of()));
    }

    boolean isAdmin(String name) {
        return contains(name) && roles(name).contains(Identity.ADMIN);
    }

    /** Whether an admin has a valid token now. */
    boolean hasAdmin(Instant now) {
        return hasAdminWith(token -> token.isActive(now));
    }

    /** Whether an admin has a valid token now that does not expire. */
    boolean hasPermanentAdmin(Instant now) {
        return hasAdminWith(token -> token.isActive(now) && token.expiresAt().isEmpty());
    }

    private boolean hasAdminWith(Predicate<RegistryToken> condition) {
        return names().stream()
                .anyMatch(name -> isAdmin(name) && tokens(name).stream().anyMatch(condition));
    }

    /** The identity's tokens, the configured one first. */
    public List<RegistryToken> tokens(String name) {
        Stream<RegistryToken> first = configuredIdentity(name).flatMap(Identity::token).stream()
                .map(hash -> new RegistryToken(
                        RegistryToken.CONFIGURED,
                        hash,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.ofNullable(revokedTokens.get(hash))));
        return Stream.concat(first, runtimeChanges(name).tokens().stream()).toList();
    }

    /**
     * The tokens that are valid now, and what they grant. If two identities have the same token, it authenticates the
     * configured one.
     */
    Map<TokenHash, TokenGrant> grants(Instant now) {
        Map<TokenHash, TokenGrant> grants = new HashMap<>();
        for (String name : names()) {
            for (RegistryToken token : tokens(name)) {
                if (!isOwnParticipant(name) && token.isActive(now) && !revokedTokens.containsKey(token.hash())) {
                    grants.putIfAbsent(
                            token.hash(),
                            new TokenGrant(identity(name), token.expiresAt().orElse(Instant.MAX)));
                }
            }
        }
        return grants;
    }

    /**
     * Looks up the identity that an access token of an issuer names. If an admin revoked the last token of the identity,
     * access tokens cannot authenticate it either, until it has a new token. An identity that is not in the
     * configuration exists only as long as it has a valid token.
     */
    public IdentityLookupResult lookupForAccessToken(String name, Instant now) {
        if (!acceptsAccessTokens) {
            return new IdentityLookupResult.Refused("no issuers are configured");
        }
        String quoted = "'" + SafeText.brief(name, MAX_QUOTED_NAME) + "'";
        if (isOwnParticipant(name)) {
            return new IdentityLookupResult.Refused(quoted + " is part of this server, and no client can use its name");
        }
        if (hasValidToken(name, now)) {
            return new IdentityLookupResult.Found(identity(name));
        }
        if (!configured.containsKey(name)) {
            return new IdentityLookupResult.Refused("the token names " + quoted
                    + ", but there is no such identity; add it under 'identities', or set 'identity' of the issuer to"
                    + " the claim that contains the name of the identity");
        }
        boolean revoked = tokens(name).stream()
                .max(Comparator.comparing(RegistrySnapshot::endOf))
                .filter(last -> last.state(now) == RegistryToken.State.REVOKED)
                .isPresent();
        return revoked
                ? new IdentityLookupResult.Refused(
                        "an admin revoked the access of " + quoted + "; it needs a new Gavel token")
                : new IdentityLookupResult.Found(identity(name));
    }

    /**
     * Returns why an identity cannot use a topic: it is not a member, or it has no valid token. Empty if it can. A
     * participant that this process runs needs no token, nor does an identity that access tokens can authenticate.
     */
    Optional<String> accessEndReason(String topic, String name, Instant now) {
        if (isOwnParticipant(name)) {
            return Optional.empty();
        }
        if (capabilities(topic, name).isEmpty()) {
            return Optional.of(name + " is no longer a member of this topic");
        }
        if (hasValidToken(name, now) || lookupForAccessToken(name, now) instanceof IdentityLookupResult.Found) {
            return Optional.empty();
        }
        return Optional.of(tokens(name).stream()
                .max(Comparator.comparing(RegistrySnapshot::endOf))
                .map(last -> name + "'s last token "
                        + (last.state(now) == RegistryToken.State.EXPIRED ? "expired" : "was revoked"))
                .orElse(name + " has no token"));
    }

    /** Whether an identity has a token that is valid at a time. */
    public boolean hasValidToken(String name, Instant now) {
        return tokens(name).stream().anyMatch(token -> token.isActive(now) && !revokedTokens.containsKey(token.hash()));
    }

    /** Returns why the identity's token with this hash is not valid. Empty if it is valid. */
    Optional<String> tokenEndReason(String name, String tokenHash, Instant now) {
        List<RegistryToken> found = tokens(name).stream()
                .filter(token -> token.hash().hex().equals(tokenHash))
                .toList();
        if (found.stream().anyMatch(token -> token.isActive(now) && !revokedTokens.containsKey(token.hash()))) {
            return Optional.empty();
        }
        boolean expired = found.stream().anyMatch(token -> token.state(now) == RegistryToken.State.EXPIRED);
        return Optional.of("the token with which this was sent " + (expired ? "expired" : "was revoked"));
    }

    private static Instant endOf(RegistryToken token) {
        return token.revoked().map(ChangeAttribution::at).or(token::expiresAt).orElse(Instant.MAX);
    }

    /** When the next of the currently valid tokens expires. */
    public Optional<Instant> nextExpiry(Instant now) {
        return changesByName.values().stream()
                .flatMap(identityOverrides -> identityOverrides.tokens().stream())
                .filter(token -> token.isActive(now))
                .flatMap(token -> token.expiresAt().stream())
                .min(Instant::compareTo);
    }

    boolean hasTopic(String topic) {
        return topics.containsKey(topic);
    }

    /** The topics that the identity is a member of, in the order of the configuration. */
    public List<String> topicsOf(String name) {
        return topics.keySet().stream()
                .filter(topic -> capabilities(topic, name).isPresent())
                .toList();
    }

    /** What the identity may send in a topic now; empty if it is not a member. */
    public Optional<CapabilitySet> capabilities(String topic, String name) {
        if (!hasTopic(topic) || !contains(name)) {
            return Optional.empty();
        }
        IdentityOverrides.MembershipOverride membershipOverride =
                runtimeChanges(name).memberships().get(topic);
        return membershipOverride == null ? configuredCapabilities(topic, name) : membershipOverride.capabilitySet();
    }

    /** What the identity may send in a topic according to the configuration; empty if it is not a configured member. */
    public Optional<CapabilitySet> configuredCapabilities(String topic, String name) {
        return Optional.ofNullable(topics.getOrDefault(topic, Map.of()).get(name));
    }

    /** Whether the identity's membership in a topic was changed at run time. */
    public boolean hasMembershipOverride(String topic, String name) {
        return runtimeChanges(name).memberships().containsKey(topic);
    }

    /** All current members of a topic: those in the configuration, then those added at run time. */
    public Map<String, CapabilitySet> members(String topic) {
        Set<String> candidates =
                new LinkedHashSet<>(topics.getOrDefault(topic, Map.of()).keySet());
        changesByName.forEach((name, identityOverrides) -> {
            if (identityOverrides.memberships().containsKey(topic)) {
                candidates.add(name);
            }
        });
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        candidates.forEach(
                name -> capabilities(topic, name).ifPresent(capabilitySet -> members.put(name, capabilitySet)));
        return Collections.unmodifiableMap(members);
    }

    /**
     * Returns one line for each difference from the configuration, for an operator who wonders why a setting has no
     * effect.
     */
    public List<String> differences() {
        List<String> lines = new ArrayList<>();
        List<String> runtimeNames = new ArrayList<>();
        changesByName.forEach((name, identityOverrides) -> {
            if (!configured.containsKey(name) && identityOverrides.hasRuntimeTokens()) {
                runtimeNames.add(name);
            } else {
                lines.addAll(new OverrideConflictReport(this, name, identityOverrides).lines());
            }
        });
        if (!runtimeNames.isEmpty()) {
            int hiddenCount = runtimeNames.size() - MAX_LISTED_NAMES;
            lines.add("Identities created at run time that are not in the configuration: "
                    + String.join(", ", runtimeNames.subList(0, Math.min(runtimeNames.size(), MAX_LISTED_NAMES)))
                    + (hiddenCount > 0 ? " and " + hiddenCount + " more" : ""));
        }
        return lines;
    }
}
