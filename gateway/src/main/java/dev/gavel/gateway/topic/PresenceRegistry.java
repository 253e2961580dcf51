package dev.gavel.gateway.topic;

import static java.util.stream.Collectors.toSet;

import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
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
 * Tracks which members are present in a topic, in any gateway process, and when absent members left. Confined to the
 * topic's loop.
 */
final class PresenceRegistry {
    /** A present member, with its connections, pollers and remote presence. */
    private static final class PresenceEntry {
        LiveMembership membership;
        final List<TopicConnection> connections = new ArrayList<>(1);

        /** The number of pollers that poll now or did recently. */
        int pollers;

        /** The member's presence in other processes, by process. */
        final Map<String, MemberPresence> presenceByProcess = new HashMap<>(0);

        /** The presence last announced to other processes; null if none is announced. */
        @Nullable
        MemberPresence announced;

        PresenceEntry(LiveMembership member) {
            this.membership = member;
        }

        boolean isAbsent() {
            return !isLocal() && presenceByProcess.isEmpty();
        }

        boolean isLocal() {
            return !connections.isEmpty() || pollers > 0;
        }

        /** The highest claim of the member's sockets in any process. */
        long claim() {
            return Math.max(
                    localClaim(),
                    presenceByProcess.values().stream()
                            .mapToLong(MemberPresence::socketPrecedence)
                            .max()
                            .orElse(0));
        }

        long localClaim() {
            return connections.stream()
                    .mapToLong(TopicConnection::socketPrecedence)
                    .max()
                    .orElse(0);
        }
    }

    /** In the order in which members became present; contains no absent members. */
    private final Map<String, PresenceEntry> entries = new LinkedHashMap<>();

    private final Map<String, Instant> leftAt = new HashMap<>();
    private @Nullable PresenceSnapshot snapshot;
    private final InterProcessTopicChannel busChannel;
    private final String process;

    /** The number of members that are present in this process. */
    private int localMembers;

    /** The number of in-process subscribers that need remote traffic without being participants. */
    private int subscribers;

    /** Whether it is not yet known which members are present in other processes. */
    private boolean remotePresenceUnknown;

    /**
     * Creates a registry without present members.
     *
     * @param since the time until which all members count as present: a process that has just started has no better
     *     information
     * @param topicChannel announces local presence to other processes
     * @param process the id of this process
     */
    PresenceRegistry(Iterable<String> members, Instant since, InterProcessTopicChannel topicChannel, String process) {
        members.forEach(id -> leftAt.put(id, since));
        this.busChannel = topicChannel;
        this.process = process;
    }

    /** Adds a connection. Returns whether its member was absent before. */
    boolean addConnection(TopicConnection connection) {
        PresenceEntry presenceEntry = entryFor(connection.membership());
        boolean wasAbsent = presenceEntry.isAbsent();
        presenceEntry.connections.add(connection);
        announceLocalPresence(presenceEntry);
        return wasAbsent;
    }

    /** Removes a connection. Returns whether its member is now absent. */
    boolean removeConnection(TopicConnection connection, Instant unknown) {
        PresenceEntry presenceEntry = entries.get(connection.member().id());
        if (presenceEntry == null || !presenceEntry.connections.remove(connection)) {
            return false;
        }
        announceLocalPresence(presenceEntry);
        return removeIfAbsent(presenceEntry, unknown);
    }

    /** Replaces connections of a member by another one; the member stays present. */
    void replaceConnections(List<TopicConnection> others, TopicConnection connection) {
        PresenceEntry presenceEntry = entryFor(connection.membership());
        presenceEntry.connections.removeAll(others);
        presenceEntry.connections.add(connection);
        announceLocalPresence(presenceEntry);
    }

    /** Adds a poller. Returns whether its member was absent before. */
    boolean addPoller(LiveMembership member) {
        PresenceEntry presenceEntry = entryFor(member);
        boolean wasAbsent = presenceEntry.isAbsent();
        presenceEntry.pollers++;
        announceLocalPresence(presenceEntry);
        return wasAbsent;
    }

    /** Removes a poller. Returns whether its member is now absent. */
    boolean removePoller(LiveMembership member, Instant unknown) {
        PresenceEntry presenceEntry = entries.get(member.id());
        if (presenceEntry == null) {
            return false;
        }
        presenceEntry.pollers--;
        announceLocalPresence(presenceEntry);
        return removeIfAbsent(presenceEntry, unknown);
    }

    /** Records that a member is present in another process. Returns whether it was absent before. */
    boolean addRemote(String process, MemberPresence memberPresence, LiveMembership member) {
        PresenceEntry presenceEntry = entryFor(member);
        boolean wasAbsent = presenceEntry.isAbsent();
        presenceEntry.presenceByProcess.put(process, memberPresence);
        return wasAbsent;
    }

    /** Records that a member is no longer present in another process. Returns whether it is now absent. */
    boolean removeRemote(String process, String member, Instant unknown) {
        PresenceEntry presenceEntry = entries.get(member);
        return presenceEntry != null
                && presenceEntry.presenceByProcess.remove(process) != null
                && removeIfAbsent(presenceEntry, unknown);
    }

    /** Returns the claim for a new socket: higher than all known claims, and than older ones that are not known. */
    long nextSocketPrecedence(String member, Instant unknown) {
        PresenceEntry presenceEntry = entries.get(member);
        return Math.max(unknown.toEpochMilli(), presenceEntry == null ? 0 : presenceEntry.claim() + 1);
    }

    /** Whether a member has a newer socket in another process. */
    boolean isSuperseded(TopicConnection socket) {
        PresenceEntry presenceEntry = entries.get(socket.member().id());
        return presenceEntry != null
                && presenceEntry.presenceByProcess.entrySet().stream()
                        .anyMatch(
                                each -> each.getValue().isNewerThan(socket.socketPrecedence(), each.getKey(), process));
    }

    /** Updates a member whose capabilities changed, or that was added while it was present in another process. */
    void updateMember(LiveMembership member) {
        if (entries.containsKey(member.id())) {
            announceLocalPresence(entryFor(member));
        }
    }

    private void announceLocalPresence(PresenceEntry presenceEntry) {
        MemberPresence before = presenceEntry.announced;
        if (presenceEntry.isLocal()) {
            MemberPresence unknown = new MemberPresence(
                    presenceEntry.membership.id(),
                    presenceEntry.membership.member().capabilitySet(),
                    presenceEntry.localClaim());
            if (before == null) {
                localMembers++;
                updateSubscription();
            }
            if (!unknown.equals(before)) {
                presenceEntry.announced = unknown;
                busChannel.announcePresent(unknown);
            }
        } else if (before != null) {
            presenceEntry.announced = null;
            busChannel.announceAbsent(presenceEntry.membership.id());
            localMembers--;
            updateSubscription();
        }
    }

    /** Adds or removes in-process subscribers to remote traffic. */
    void addRemoteSubscribers(int delta) {
        subscribers += delta;
        updateSubscription();
    }

    private void updateSubscription() {
        busChannel.setReceiving(localMembers + subscribers > 0);
    }

    /** Sets whether the presence in other processes is unknown. While it is, all members count as present. */
    void setUncertain(boolean unknown) {
        if (remotePresenceUnknown != unknown) {
            remotePresenceUnknown = unknown;
            snapshot = null;
        }
    }

    private PresenceEntry entryFor(LiveMembership member) {
        PresenceEntry known = entries.get(member.id());
        if (known != null && !member.isEnded()) {
            known.membership = member;
        }
        return entries.computeIfAbsent(member.id(), id -> {
            leftAt.remove(id);
            snapshot = null;
            return new PresenceEntry(member);
        });
    }

    private boolean removeIfAbsent(PresenceEntry presenceEntry, Instant unknown) {
        if (!presenceEntry.isAbsent()) {
            return false;
        }
        entries.remove(presenceEntry.membership.id());
        leftAt.put(presenceEntry.membership.id(), unknown);
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

    /** Returns a member if it is present. */
    Optional<Member> presentMember(String id) {
        return Optional.ofNullable(entries.get(id)).map(presenceEntry -> presenceEntry.membership.member());
    }

    /** The number of members that are present in this process. */
    int localMemberCount() {
        return localMembers;
    }

    /** The members that are present in any process. */
    Stream<Member> presentMembers() {
        return entries.values().stream().map(presenceEntry -> presenceEntry.membership.member());
    }

    boolean isPresent(String member) {
        return entries.containsKey(member);
    }

    /** Returns the present members, and when the absent ones left. */
    PresenceSnapshot snapshot() {
        PresenceSnapshot known = snapshot;
        if (known == null) {
            known = remotePresenceUnknown
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
