package dev.gavel.gateway;

import static java.util.stream.Collectors.toSet;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.proposal.Presence;
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
 * Who is in a topic, by connections or by polling, in this process or in another, and when those who are not left it.
 * Confined to the topic's loop.
 */
final class Attendance {
    /** A member who is here, with everything that keeps them here. */
    private static final class Seat {
        Membership member;
        final List<Connection> connections = new ArrayList<>(1);

        /** So many ask by polling now, or did a moment ago. */
        int polling;

        /** How they are present in other processes. */
        final Map<String, Stay> elsewhere = new HashMap<>(0);

        /** What the other processes were told last of their being here; null where they were told nothing. */
        @Nullable
        Stay told;

        Seat(Membership member) {
            this.member = member;
        }

        boolean empty() {
            return !here() && elsewhere.isEmpty();
        }

        boolean here() {
            return !connections.isEmpty() || polling > 0;
        }

        /** The highest claim of a socket of theirs, wherever it is. */
        long claim() {
            return Math.max(
                    claimHere(),
                    elsewhere.values().stream().mapToLong(Stay::claim).max().orElse(0));
        }

        long claimHere() {
            return connections.stream().mapToLong(Connection::claim).max().orElse(0);
        }
    }

    /** In the order they came; never empty ones. */
    private final Map<String, Seat> seats = new LinkedHashMap<>();

    private final Map<String, Instant> left = new HashMap<>();
    private @Nullable Presence presence;
    private final Line line;
    private final String process;

    /** So many members are here in this process. */
    private int local;

    /** So many want to hear what is said here, without taking part. */
    private int interested;

    /** It is not known yet who is present in other processes. */
    private boolean inDoubt;

    /**
     * Nobody is here.
     *
     * @param since everybody is taken to have been here until then: a process that has just begun cannot know better
     * @param line where other processes are told who is here
     * @param process this one's name
     */
    Attendance(Iterable<String> members, Instant since, Line line, String process) {
        members.forEach(id -> left.put(id, since));
        this.line = line;
        this.process = process;
    }

    /** Seats a connection; says whether its member had not been here. */
    boolean sit(Connection connection) {
        Seat seat = seat(connection.membership());
        boolean came = seat.empty();
        seat.connections.add(connection);
        tellOthers(seat);
        return came;
    }

    /** Takes a connection's seat away; says whether its member is here no more. */
    boolean rise(Connection connection, Instant now) {
        Seat seat = seats.get(connection.member().id());
        if (seat == null || !seat.connections.remove(connection)) {
            return false;
        }
        tellOthers(seat);
        return cleared(seat, now);
    }

    /** Puts one connection in the place of others of its member, who was here all the time. */
    void replace(List<Connection> others, Connection connection) {
        Seat seat = seat(connection.membership());
        seat.connections.removeAll(others);
        seat.connections.add(connection);
        tellOthers(seat);
    }

    /** Counts one that asks by polling; says whether its member had not been here. */
    boolean polls(Membership member) {
        Seat seat = seat(member);
        boolean came = seat.empty();
        seat.polling++;
        tellOthers(seat);
        return came;
    }

    /** One that asked by polling counts no more; says whether its member is here no more. */
    boolean polledLongAgo(Membership member, Instant now) {
        Seat seat = seats.get(member.id());
        if (seat == null) {
            return false;
        }
        seat.polling--;
        tellOthers(seat);
        return cleared(seat, now);
    }

    /** A member is present in another process; says whether they had not been here. */
    boolean elsewhere(String process, Stay stay, Membership member) {
        Seat seat = seat(member);
        boolean came = seat.empty();
        seat.elsewhere.put(process, stay);
        return came;
    }

    /** A member is present in another process no more; says whether they are here no more. */
    boolean noLongerElsewhere(String process, String member, Instant now) {
        Seat seat = seats.get(member);
        return seat != null && seat.elsewhere.remove(process) != null && cleared(seat, now);
    }

    /** What a socket that comes now may claim: more than all that are known of, and more than older ones that are not. */
    long nextClaim(String member, Instant now) {
        Seat seat = seats.get(member);
        return Math.max(now.toEpochMilli(), seat == null ? 0 : seat.claim() + 1);
    }

    /** Whether a member has a newer socket in another process. */
    boolean isOutclaimed(Connection socket) {
        Seat seat = seats.get(socket.member().id());
        return seat != null
                && seat.elsewhere.entrySet().stream()
                        .anyMatch(each -> each.getValue().isNewerThan(socket.claim(), each.getKey(), process));
    }

    /** What a member may send has changed, or they have become one while they were present in another process. */
    void changed(Membership member) {
        if (seats.containsKey(member.id())) {
            tellOthers(seat(member));
        }
    }

    private void tellOthers(Seat seat) {
        Stay before = seat.told;
        if (seat.here()) {
            Stay now = new Stay(seat.member.id(), seat.member.member().capabilities(), seat.claimHere());
            if (before == null) {
                local++;
                follow();
            }
            if (!now.equals(before)) {
                seat.told = now;
                line.here(now);
            }
        } else if (before != null) {
            seat.told = null;
            line.gone(seat.member.id());
            local--;
            follow();
        }
    }

    /** Somebody wants to hear what is said here, or does no more. */
    void interest(int more) {
        interested += more;
        follow();
    }

    private void follow() {
        line.follow(local + interested > 0);
    }

    /** Whether it is not known who is present in other processes: then it is taken that everybody is. */
    void doubt(boolean now) {
        if (inDoubt != now) {
            inDoubt = now;
            presence = null;
        }
    }

    private Seat seat(Membership member) {
        Seat known = seats.get(member.id());
        if (known != null && !member.over()) {
            known.member = member;
        }
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

    /** A member who is here. */
    Optional<Member> member(String id) {
        return Optional.ofNullable(seats.get(id)).map(seat -> seat.member.member());
    }

    /** How many members are here in this process. */
    int local() {
        return local;
    }

    /** The members that are here, in whatever process. */
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
            known = inDoubt
                    ? new Presence(
                            Stream.concat(seats.keySet().stream(), left.keySet().stream())
                                    .collect(toSet()),
                            Map.of())
                    : new Presence(seats.keySet(), left);
            presence = known;
        }
        return known;
    }
}
