package dev.gavel.gateway;

import dev.gavel.gateway.proposal.Presence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who is in a topic, by connections or by polling, and when those who are not left it. Confined to the topic's loop. */
final class Attendance {
    /** A member who is here, with everything that keeps them here. */
    private static final class Seat {
        final Membership member;
        final List<Connection> connections = new ArrayList<>(1);

        /** So many ask by polling now, or did a moment ago. */
        int polling;

        Seat(Membership member) {
            this.member = member;
        }

        boolean empty() {
            return connections.isEmpty() && polling == 0;
        }
    }

    /** In the order they came; never empty ones. */
    private final Map<String, Seat> seats = new LinkedHashMap<>();

    private final Map<String, Instant> left = new HashMap<>();
    private @Nullable Presence presence;

    /**
     * Nobody is here.
     *
     * @param since everybody is taken to have been here until then: a process that has just begun cannot know better
     */
    Attendance(Iterable<String> members, Instant since) {
        members.forEach(id -> left.put(id, since));
    }

    /** Seats a connection; says whether its member had not been here. */
    boolean sit(Connection connection) {
        Seat seat = seat(connection.membership());
        boolean came = seat.empty();
        seat.connections.add(connection);
        return came;
    }

    /** Takes a connection's seat away; says whether its member is here no more. */
    boolean rise(Connection connection, Instant now) {
        Seat seat = seats.get(connection.member().id());
        return seat != null && seat.connections.remove(connection) && cleared(seat, now);
    }

    /** Puts one connection in the place of others of its member, who was here all the time. */
    void replace(List<Connection> others, Connection connection) {
        Seat seat = seat(connection.membership());
        seat.connections.removeAll(others);
        seat.connections.add(connection);
    }

    /** Counts one that asks by polling; says whether its member had not been here. */
    boolean polls(Membership member) {
        Seat seat = seat(member);
        boolean came = seat.empty();
        seat.polling++;
        return came;
    }

    /** One that asked by polling counts no more; says whether its member is here no more. */
    boolean polledLongAgo(Membership member, Instant now) {
        Seat seat = seats.get(member.id());
        if (seat == null) {
            return false;
        }
        seat.polling--;
        return cleared(seat, now);
    }

    private Seat seat(Membership member) {
        return seats.computeIfAbsent(member.id(), id -> {
            left.remove(id);
            presence = null;
            return new Seat(member);
        });
    }

    private boolean cleared(Seat seat, Instant now) {
        if (!seat.empty()) {
            return false;
        }
        seats.remove(seat.member.id());
        left.put(seat.member.id(), now);
        presence = null;
        return true;
    }

    /** The open connections of a member. */
    List<Connection> of(String member) {
        Seat seat = seats.get(member);
        return seat == null ? List.of() : List.copyOf(seat.connections);
    }

    /** All open connections. */
    List<Connection> all() {
        return seats.values().stream()
                .flatMap(seat -> seat.connections.stream())
                .toList();
    }

    /** The members that are here. */
    Stream<Member> present() {
        return seats.values().stream().map(seat -> seat.member.member());
    }

    boolean isHere(String member) {
        return seats.containsKey(member);
    }

    /** Who is here, and when the others left. */
    Presence presence() {
        Presence known = presence;
        if (known == null) {
            known = new Presence(seats.keySet(), left);
            presence = known;
        }
        return known;
    }
}
