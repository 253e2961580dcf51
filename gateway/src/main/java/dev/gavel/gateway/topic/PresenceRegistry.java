package dev.gavel.gateway.topic;

import static java.util.stream.Collectors.toSet;

import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.TopicBusChannel;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which members are present in a topic, by connection or polling, in this or another process, and when absent
 * members left. Confined to the topic's loop.
 */
final class PresenceRegistry {
    /** A member who is here, with everything that keeps them here. */
    private static final class PresenceEntry {
        LiveMembership member;
        final List<TopicConnection> connections = new ArrayList<>(1);

        /** So many ask by polling now, or did a moment ago. */
        int pollers;

        /** How they are present in other processes. */
        final Map<String, MemberPresence> remote = new HashMap<>(0);

        /** What the other processes were told last of their being here; null where they were told nothing. */
        @Nullable
        MemberPresence announced;

        PresenceEntry(LiveMembership member) {
            this.member = member;
        }

        boolean isAbsent() {
            return !isLocal() && remote.isEmpty();
        }

        boolean isLocal() {
            return !connections.isEmpty() || pollers > 0;
        }

        /** The highest claim of a socket of theirs, wherever it is. */
        long claim() {
            return Math.max(
                    localClaim(),
                    remote.values().stream()
                            .mapToLong(MemberPresence::claim)
                            .max()
                            .orElse(0));
        }

        long localClaim() {
            return connections.stream().mapToLong(TopicConnection::claim).max().orElse(0);
        }
    }

    /** In the order they came; never empty ones. */
    private final Map<String, PresenceEntry> entries = new LinkedHashMap<>();

    private final Map<String, Instant> leftAt = new HashMap<>();
    private @Nullable PresenceSnapshot snapshot;
    private final TopicBusChannel busChannel;
    private final String process;

    /** So many members are here in this process. */
    private int localMembers;

    /** So many want to hear what is said here, without taking part. */
    private int subscribers;

    /** It is not known yet who is present in other processes. */
    private boolean uncertain;

    /**
     * Nobody is here.
     *
     * @param since everybody is taken to have been here until then: a process that has just begun cannot know better
     * @param topicBusChannel where other processes are told who is here
     * @param process this one's name
     */
    PresenceRegistry(Iterable<String> members, Instant since, TopicBusChannel topicBusChannel, String process) {
        members.forEach(id -> leftAt.put(id, since));
        this.busChannel = topicBusChannel;
        this.process = process;
    }

    /** Seats a connection; says whether its member had not been here. */
    boolean addConnection(TopicConnection connection) {
        PresenceEntry presenceEntry = entryFor(connection.membership());
        boolean came = presenceEntry.isAbsent();
        presenceEntry.connections.add(connection);
        announceLocalPresence(presenceEntry);
        return came;
    }

    /** Takes a connection's seat away; says whether its member is here no more. */
    boolean removeConnection(TopicConnection connection, Instant now) {
        PresenceEntry presenceEntry = entries.get(connection.member().id());
        if (presenceEntry == null || !presenceEntry.connections.remove(connection)) {
            return false;
        }
        announceLocalPresence(presenceEntry);
        return removeIfAbsent(presenceEntry, now);
    }

    /** Puts one connection in the place of others of its member, who was here all the time. */
    void replaceConnections(List<TopicConnection> others, TopicConnection connection) {
        PresenceEntry presenceEntry = entryFor(connection.membership());
        presenceEntry.connections.removeAll(others);
        presenceEntry.connections.add(connection);
        announceLocalPresence(presenceEntry);
    }

    /** Counts one that asks by polling; says whether its member had not been here. */
    boolean addPoller(LiveMembership member) {
        PresenceEntry presenceEntry = entryFor(member);
        boolean came = presenceEntry.isAbsent();
        presenceEntry.pollers++;
        announceLocalPresence(presenceEntry);
        return came;
    }

    /** One that asked by polling counts no more; says whether its member is here no more. */
    boolean removePoller(LiveMembership member, Instant now) {
        PresenceEntry presenceEntry = entries.get(member.id());
        if (presenceEntry == null) {
            return false;
        }
        presenceEntry.pollers--;
        announceLocalPresence(presenceEntry);
        return removeIfAbsent(presenceEntry, now);
    }

    /** A member is present in another process; says whether they had not been here. */
    boolean addRemote(String process, MemberPresence memberPresence, LiveMembership member) {
        PresenceEntry presenceEntry = entryFor(member);
        boolean came = presenceEntry.isAbsent();
        presenceEntry.remote.put(process, memberPresence);
        return came;
    }

    /** A member is present in another process no more; says whether they are here no more. */
    boolean removeRemote(String process, String member, Instant now) {
        PresenceEntry presenceEntry = entries.get(member);
        return presenceEntry != null
                && presenceEntry.remote.remove(process) != null
                && removeIfAbsent(presenceEntry, now);
    }

    /** What a socket that comes now may claim: more than all that are known of, and more than older ones that are not. */
    long nextClaim(String member, Instant now) {
        PresenceEntry presenceEntry = entries.get(member);
        return Math.max(now.toEpochMilli(), presenceEntry == null ? 0 : presenceEntry.claim() + 1);
    }

    /** Whether a member has a newer socket in another process. */
    boolean isSuperseded(TopicConnection socket) {
        PresenceEntry presenceEntry = entries.get(socket.member().id());
        return presenceEntry != null
                && presenceEntry.remote.entrySet().stream()
                        .anyMatch(each -> each.getValue().isNewerThan(socket.claim(), each.getKey(), process));
    }

    /** What a member may send has changed, or they have become one while they were present in another process. */
    void updateMember(LiveMembership member) {
        if (entries.containsKey(member.id())) {
            announceLocalPresence(entryFor(member));
        }
    }

    private void announceLocalPresence(PresenceEntry presenceEntry) {
        MemberPresence before = presenceEntry.announced;
        if (presenceEntry.isLocal()) {
            MemberPresence now = new MemberPresence(
                    presenceEntry.member.id(),
                    presenceEntry.member.member().capabilitySet(),
                    presenceEntry.localClaim());
            if (before == null) {
                localMembers++;
                updateSubscription();
            }
            if (!now.equals(before)) {
                presenceEntry.announced = now;
                busChannel.announcePresent(now);
            }
        } else if (before != null) {
            presenceEntry.announced = null;
            busChannel.announceAbsent(presenceEntry.member.id());
            localMembers--;
            updateSubscription();
        }
    }

    /** Somebody wants to hear what is said here, or does no more. */
    void addInterest(int more) {
        subscribers += more;
        updateSubscription();
    }

    private void updateSubscription() {
        busChannel.setReceiving(localMembers + subscribers > 0);
    }

    /** Whether it is not known who is present in other processes: then it is taken that everybody is. */
    void setUncertain(boolean now) {
        if (uncertain != now) {
            uncertain = now;
            snapshot = null;
        }
    }

    private PresenceEntry entryFor(LiveMembership member) {
        PresenceEntry known = entries.get(member.id());
        if (known != null && !member.isEnded()) {
            known.member = member;
        }
        return entries.computeIfAbsent(member.id(), id -> {
            leftAt.remove(id);
            snapshot = null;
            return new PresenceEntry(member);
        });
    }

    private boolean removeIfAbsent(PresenceEntry presenceEntry, Instant now) {
        if (!presenceEntry.isAbsent()) {
            return false;
        }
        entries.remove(presenceEntry.member.id());
        leftAt.put(presenceEntry.member.id(), now);
        snapshot = null;
        return true;
    }

    /** The open connections of a member. */
    List<TopicConnection> connectionsOf(String member) {
        PresenceEntry presenceEntry = entries.get(member);
        return presenceEntry == null ? List.of() : List.copyOf(presenceEntry.connections);
    }

    /** All open connections. */
    List<TopicConnection> allConnections() {
        return entries.values().stream()
                .flatMap(presenceEntry -> presenceEntry.connections.stream())
                .toList();
    }

    /** A member who is here. */
    Optional<Member> presentMember(String id) {
        return Optional.ofNullable(entries.get(id)).map(presenceEntry -> presenceEntry.member.member());
    }

    /** How many members are here in this process. */
    int localMemberCount() {
        return localMembers;
    }

    /** The members that are here, in whatever process. */
    Stream<Member> presentMembers() {
        return entries.values().stream().map(presenceEntry -> presenceEntry.member.member());
    }

    boolean isPresent(String member) {
        return entries.containsKey(member);
    }

    /** Who is here, and when the others left. */
    PresenceSnapshot snapshot() {
        PresenceSnapshot known = snapshot;
        if (known == null) {
            known = uncertain
                    ? new PresenceSnapshot(
                            Stream.concat(entries.keySet().stream(), leftAt.keySet().stream())
                                    .collect(toSet()),
                            Map.of())
                    : new PresenceSnapshot(entries.keySet(), leftAt);
            snapshot = known;
        }
        return known;
    }
}
