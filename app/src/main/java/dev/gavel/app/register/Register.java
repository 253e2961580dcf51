package dev.gavel.app.register;

import dev.gavel.app.identity.Identities.Grant;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.ledger.Event;
import dev.gavel.mcpx.Capabilities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
 * Who there is, with which tokens and roles, and what each may send where: what the configuration says, and over it what
 * was changed at run time. Immutable.
 */
public final class Register {
    /** The ledger's stream of these changes; no topic can have that name. */
    public static final String STREAM = "system:identities";

    private static final int MOST_NAMED = 20;

    private final Map<String, Identity> configured;
    private final Map<String, Map<String, Capabilities>> topics;
    private final Map<String, Entry> entries;
    private final Set<String> own;
    private final Set<TokenHash> configuredTokens;
    private final Map<TokenHash, Act> refused = new HashMap<>();
    private final long upTo;

    private Register(
            Map<String, Identity> configured,
            Map<String, Map<String, Capabilities>> topics,
            Map<String, Entry> entries,
            Set<String> own,
            long upTo) {
        this.own = own;
        this.upTo = upTo;
        this.configured = configured;
        this.topics = topics;
        this.entries = entries;
        this.configuredTokens = configured.values().stream()
                .flatMap(identity -> identity.token().stream())
                .collect(Collectors.toUnmodifiableSet());
        entries.values().forEach(entry -> refused.putAll(entry.refused()));
    }

    /**
     * What the configuration says, and nothing else.
     *
     * @param topics each with what its members may send
     */
    public static Register of(Map<String, Identity> identities, Map<String, Map<String, Capabilities>> topics) {
        return new Register(new LinkedHashMap<>(identities), new LinkedHashMap<>(topics), Map.of(), Set.of(), 0);
    }

    /** The same, where these are run by this process and so come with no token, be it that they were given one. */
    public Register running(Set<String> names) {
        return new Register(configured, topics, entries, Set.copyOf(names), upTo);
    }

    /** Whether that is the name of a bridge of this process, or of what else it runs in topics. */
    public boolean isOwn(String name) {
        return own.contains(name);
    }

    /** How things stand after these events as well. */
    public Register after(Collection<Event> events) {
        return replayed(events::forEach);
    }

    /**
     * How things stand after everything that was recorded as well. An entry is bounded, and all are put together in one
     * map: so each event costs the same, however many there are.
     *
     * @param reading shows every event, in order
     */
    public Register replayed(Consumer<Consumer<Event>> reading) {
        Map<String, Entry> after = new LinkedHashMap<>(entries);
        AtomicLong last = new AtomicLong(upTo);
        reading.accept(event -> {
            last.set(event.seq());
            Entry before = after.getOrDefault(event.subject(), Entry.NOTHING);
            Act act = new Act(event.actor(), event.at());
            after.put(event.subject(), before.then(Changes.read(event), act, configuredTokens));
        });
        return new Register(configured, topics, after, own, last.get());
    }

    /** The seq of the last event that counts in it. */
    long upTo() {
        return upTo;
    }

    /** How things would stand if this were changed about somebody. */
    Register after(String name, List<Change> changes, Act act) {
        Map<String, Entry> after = new LinkedHashMap<>(entries);
        Entry entry = entry(name);
        for (Change change : changes) {
            entry = entry.then(change, act, configuredTokens);
        }
        after.put(name, entry);
        return new Register(configured, topics, after, own, upTo);
    }

    Entry entry(String name) {
        return entries.getOrDefault(name, Entry.NOTHING);
    }

    Optional<Identity> configured(String name) {
        return Optional.ofNullable(configured.get(name));
    }

    /** Everybody there is: those the configuration names, then those made at run time. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(configured.keySet());
        entries.forEach((name, entry) -> {
            if (entry.made()) {
                names.add(name);
            }
        });
        return names;
    }

    /** Whether anybody has that name. */
    public boolean knows(String name) {
        return configured.containsKey(name) || entry(name).made();
    }

    /** Somebody as they are now. */
    public Identity identity(String name) {
        Identity base =
                configured(name).orElseGet(() -> new Identity(name, name, Set.of(), List.of(), Optional.empty()));
        return new Identity(name, base.name(), roles(name), base.handles(), base.token());
    }

    public Set<String> roles(String name) {
        return entry(name)
                .roles()
                .map(Entry.Roles::roles)
                .orElseGet(() -> configured(name).map(Identity::roles).orElse(Set.of()));
    }

    boolean isAdmin(String name) {
        return knows(name) && roles(name).contains(Identity.ADMIN);
    }

    /** Whether anybody could change anything now. */
    boolean hasAdmin(Instant now) {
        return hasAdminWith(token -> token.active(now));
    }

    /** Whether anybody could change anything now, and later too if nobody does anything about it. */
    boolean hasLastingAdmin(Instant now) {
        return hasAdminWith(token -> token.active(now) && token.expiresAt().isEmpty());
    }

    private boolean hasAdminWith(Predicate<Token> such) {
        return names().stream()
                .anyMatch(name -> isAdmin(name) && tokens(name).stream().anyMatch(such));
    }

    /** Somebody's tokens: the configured one first. */
    public List<Token> tokens(String name) {
        Stream<Token> first = configured(name).flatMap(Identity::token).stream()
                .map(hash -> new Token(
                        Token.CONFIGURED,
                        hash,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.ofNullable(refused.get(hash))));
        return Stream.concat(first, entry(name).tokens().stream()).toList();
    }

    /** Which tokens are good now, and for what. Where two identities have the same, it is the configured one's. */
    Map<TokenHash, Grant> grants(Instant now) {
        Map<TokenHash, Grant> grants = new HashMap<>();
        for (String name : names()) {
            for (Token token : tokens(name)) {
                if (!isOwn(name) && token.active(now) && !refused.containsKey(token.hash())) {
                    grants.putIfAbsent(
                            token.hash(),
                            new Grant(identity(name), token.expiresAt().orElse(Instant.MAX)));
                }
            }
        }
        return grants;
    }

    /** When the next of the tokens that are good now ends. */
    Optional<Instant> nextExpiry(Instant now) {
        return entries.values().stream()
                .flatMap(entry -> entry.tokens().stream())
                .filter(token -> token.active(now))
                .flatMap(token -> token.expiresAt().stream())
                .min(Instant::compareTo);
    }

    boolean hasTopic(String topic) {
        return topics.containsKey(topic);
    }

    /** The topics somebody is a member of, in the configuration's order. */
    public List<String> topicsOf(String name) {
        return topics.keySet().stream()
                .filter(topic -> capabilities(topic, name).isPresent())
                .toList();
    }

    /** What somebody may send in a topic now; nothing where they are no member of it. */
    public Optional<Capabilities> capabilities(String topic, String name) {
        if (!hasTopic(topic) || !knows(name)) {
            return Optional.empty();
        }
        Entry.Place place = entry(name).places().get(topic);
        return place == null ? configuredIn(topic, name) : place.capabilities();
    }

    /** What somebody may send in a topic by the configuration. */
    public Optional<Capabilities> configuredIn(String topic, String name) {
        return Optional.ofNullable(topics.getOrDefault(topic, Map.of()).get(name));
    }

    /** Whether what somebody may send in a topic was settled at run time. */
    public boolean settledAtRunTime(String topic, String name) {
        return entry(name).places().containsKey(topic);
    }

    /** All members of a topic now: those the configuration names, then those added at run time. */
    public Map<String, Capabilities> members(String topic) {
        Set<String> candidates =
                new LinkedHashSet<>(topics.getOrDefault(topic, Map.of()).keySet());
        entries.forEach((name, entry) -> {
            if (entry.places().containsKey(topic)) {
                candidates.add(name);
            }
        });
        Map<String, Capabilities> members = new LinkedHashMap<>();
        candidates.forEach(
                name -> capabilities(topic, name).ifPresent(capabilities -> members.put(name, capabilities)));
        return Collections.unmodifiableMap(members);
    }

    /** A line for everything that is not as the configuration says, for whoever wonders why it has no effect. */
    public List<String> differences() {
        List<String> lines = new ArrayList<>();
        List<String> others = new ArrayList<>();
        entries.forEach((name, entry) -> {
            if (!configured.containsKey(name) && entry.made()) {
                others.add(name);
            } else {
                lines.addAll(new Differences(this, name, entry).lines());
            }
        });
        if (!others.isEmpty()) {
            int more = others.size() - MOST_NAMED;
            lines.add("made at run time and not in the configuration: "
                    + String.join(", ", others.subList(0, Math.min(others.size(), MOST_NAMED)))
                    + (more > 0 ? " and " + more + " more" : ""));
        }
        return lines;
    }
}
