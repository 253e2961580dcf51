package dev.gavel.bench.chaos;

import dev.gavel.bench.reliability.Heard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one participant sent and heard, by connection and in order, with the time since the run began. Thread-safe.
 */
final class Journal {
    private final String name;
    private final boolean directed;
    private final long start;
    private final List<Visit> visits = new ArrayList<>();
    private final List<Out> sent = new ArrayList<>();
    private final List<In> heard = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    /**
     * One connection: to which gateway, where that is known, and from where on it asked to be told what it had missed.
     */
    static final class Visit {
        /** Where a connection did not ask for anything from before. */
        static final long FRESH = -1;

        /** Where somebody else chose the gateway. */
        static final int SOME = -1;

        private static final long NEVER = Long.MAX_VALUE;

        final int number;
        final int gateway;
        final long since;
        final long opened;
        volatile long welcomed = -1;
        volatile long up = NEVER;
        volatile long until = NEVER;
        volatile int code;

        private Visit(int number, int gateway, long since, long opened) {
            this.number = number;
            this.gateway = gateway;
            this.since = since;
            this.opened = opened;
        }

        /** The seq after which it is to hear of everything. */
        long from() {
            return since == FRESH ? welcomed : since;
        }

        @Override
        public String toString() {
            return "connection " + number + (gateway == SOME ? "" : " to gateway-" + gateway);
        }

        /** Whether it was up at a time, and so long before and after it. */
        boolean isUp(long at, long around) {
            return up < at - around && until > at + around;
        }
    }

    /** Something that was sent; perhaps not for the first time. */
    record Out(Visit visit, long at, String id, boolean plain) {}

    /** Something that came. */
    record In(Visit visit, long at, Heard heard) {}

    /** An empty journal; {@code start} is when the run began, as {@link System#nanoTime} has it. */
    Journal(String name, boolean directed, long start) {
        this.name = name;
        this.directed = directed;
        this.start = start;
    }

    String name() {
        return name;
    }

    /** Whether it asked for what concerns it only. */
    boolean isDirected() {
        return directed;
    }

    synchronized Visit visit(int gateway, long since) {
        Visit visit = new Visit(visits.size(), gateway, since, now());
        visits.add(visit);
        return visit;
    }

    /** It was welcomed, when the ledger's last was this. */
    void welcomed(Visit visit, long seq) {
        visit.welcomed = seq;
        visit.up = now();
    }

    void left(Visit visit, int code) {
        visit.code = code;
        visit.until = now();
    }

    private long now() {
        return System.nanoTime() - start;
    }

    synchronized void sent(Visit visit, String id, boolean plain) {
        sent.add(new Out(visit, now(), id, plain));
    }

    synchronized void heard(Visit visit, Heard each) {
        heard.add(new In(visit, now(), each));
        ids.add(each.id());
    }

    synchronized boolean hasHeard(String id) {
        return ids.contains(id);
    }

    synchronized List<Visit> visits() {
        return List.copyOf(visits);
    }

    synchronized List<Out> sent() {
        return List.copyOf(sent);
    }

    synchronized List<In> heard() {
        return List.copyOf(heard);
    }

    /** A line for people to read; lines are in the order of their times. */
    record Line(long at, String text) implements Comparable<Line> {
        @Override
        public int compareTo(Line other) {
            return Long.compare(at, other.at);
        }

        @Override
        public String toString() {
            return seconds(at) + " " + text;
        }
    }

    /** The lines about something; of what came in the same moment, in the order it came. */
    synchronized List<Line> lines(Predicate<String> about) {
        List<Line> lines = new ArrayList<>();
        for (Out each : sent) {
            if (about.test(each.id())) {
                lines.add(line(each.at(), each.visit(), "sent  " + each.id()));
            }
        }
        for (In each : heard) {
            if (about.test(each.heard().id()) || about.test(each.heard().about())) {
                lines.add(line(each.at(), each.visit(), "heard " + each.heard().text()));
            }
        }
        lines.sort(null);
        return lines;
    }

    /** The whole journal, for people to read. */
    synchronized List<String> all() {
        List<String> lines =
                new ArrayList<>(lines(id -> true).stream().map(Line::toString).toList());
        for (Visit visit : visits) {
            lines.add("%s: opened %s, since %d, welcomed at %d, ended %s with %d"
                    .formatted(
                            visit,
                            seconds(visit.opened),
                            visit.since,
                            visit.welcomed,
                            visit.until == Visit.NEVER ? "not" : seconds(visit.until),
                            visit.code));
        }
        return lines;
    }

    private Line line(long at, Visit visit, String what) {
        return new Line(at, name + " (" + visit + ") " + what);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%8.3f s", nanos / 1e9);
    }
}
