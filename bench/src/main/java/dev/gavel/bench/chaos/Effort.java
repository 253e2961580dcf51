package dev.gavel.bench.chaos;

import dev.gavel.bench.chaos.Journal.Out;
import dev.gavel.bench.chaos.Plan.Deed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was done in a run, and whether it was enough for its holding to mean anything: a run in which nobody could propose
 * breaks no promise. Used by one thread, when all is quiet.
 *
 * @param done how often each deed was done
 * @param time how long chaos was to last
 */
record Effort(Plan plan, Map<Deed, Integer> done, Duration time, Canon canon, List<Witness> witnesses) {
    /** A quarter of what those who propose would on a machine that is never away or busy. */
    private static final int PROPOSALS_A_SECOND = 5;

    /** A quarter of what is said then. */
    private static final int CHATS_A_SECOND = 7;

    /** One of so many proposals has to come to each end; one of eight is meant to, whatever happens to others. */
    private static final int EACH_END = 50;

    /** Of what was said and not refused, so many of a hundred have to reach those who were there. */
    private static final int REACHED_PERCENT = 50;

    /** And so many everybody: one may be where a gateway is cut off for half of a short run. */
    private static final int REACHED_EACH_PERCENT = 10;

    /** So long before and after something was said one has to be connected to have been there. */
    private static final long THERE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How much of what was said while somebody was there reached them. */
    private record Reach(String name, long said, long heard) {
        long percent() {
            return said == 0 ? 100 : 100 * heard / said;
        }
    }

    /** What was not done enough of. */
    List<Violation> violations() {
        List<String> wanting = new ArrayList<>();
        if (canon.proposals().size() < PROPOSALS_A_SECOND * time.toSeconds()) {
            wanting.add("only " + canon.proposals().size() + " proposals were made in " + time.toSeconds() + " s");
        }
        long said = plain(witnesses).count();
        if (said < CHATS_A_SECOND * time.toSeconds()) {
            wanting.add("only " + said + " plain envelopes were sent in " + time.toSeconds() + " s");
        }
        Stream.concat(Verdict.ENDS.stream(), Stream.of("answered")).sorted().forEach(end -> {
            if (count(end) < Math.max(1, canon.proposals().size() / EACH_END)) {
                wanting.add("only " + count(end) + " of " + canon.proposals().size() + " proposals were " + end);
            }
        });
        if (planned(Deed.KILL) > 0 && done(Deed.KILL) == 0) {
            wanting.add("no gateway was killed, and " + planned(Deed.KILL) + " times one was to be");
        }
        if (2 * acts() < plan.acts().size()) {
            wanting.add("only " + acts() + " of " + plan.acts().size() + " acts were done");
        }
        for (Reach each : reach()) {
            if (each.percent() < REACHED_EACH_PERCENT) {
                wanting.add("of " + each.said() + " plain envelopes that were not refused only " + each.heard()
                        + " reached " + each.name() + ", who was there");
            }
        }
        Reach all = reachOfAll();
        if (all.percent() < REACHED_PERCENT) {
            wanting.add("of plain envelopes that were not refused only " + all.percent()
                    + " % reached those who were there");
        }
        return wanting.stream().map(what -> new Violation(what, List.of())).toList();
    }

    private int planned(Deed deed) {
        return Math.toIntExact(
                plan.acts().stream().filter(act -> act.deed() == deed).count());
    }

    private int done(Deed deed) {
        return done.getOrDefault(deed, 0);
    }

    private int acts() {
        return done.values().stream().mapToInt(Integer::intValue).sum();
    }

    private long count(String type) {
        return canon.events().stream()
                .filter(event -> event.type().equals(type))
                .count();
    }

    private static Stream<Out> plain(List<Witness> of) {
        return of.stream().flatMap(each -> each.journal().sent().stream()).filter(Out::plain);
    }

    private List<Reach> reach() {
        return witnesses.stream().map(this::reach).toList();
    }

    private Reach reachOfAll() {
        return reach().stream()
                .reduce(
                        new Reach("", 0, 0),
                        (one, other) -> new Reach("", one.said() + other.said(), one.heard() + other.heard()));
    }

    private Reach reach(Witness receiver) {
        long said = 0;
        long heard = 0;
        List<Journal.Visit> visits = receiver.journal().visits();
        for (Witness sender : witnesses) {
            if (sender.name().equals(receiver.name())) {
                continue;
            }
            for (Out out : plain(List.of(sender)).toList()) {
                if (!sender.refusals().containsKey(out.id())
                        && visits.stream().anyMatch(visit -> visit.isUp(out.at(), THERE_NANOS))) {
                    said++;
                    heard += receiver.journal().hasHeard(out.id()) ? 1 : 0;
                }
            }
        }
        return new Reach(receiver.name(), said, heard);
    }

    /** What happened, for people to read. */
    String figures() {
        String deeds = Stream.of(Deed.values())
                .filter(deed -> planned(deed) > 0)
                .map(deed -> deed.name().toLowerCase(Locale.ROOT) + " " + done(deed)
                        + (done(deed) < planned(deed) ? " of " + planned(deed) : ""))
                .collect(Collectors.joining(", "));
        long visits = witnesses.stream()
                .filter(each -> !each.byLibrary())
                .flatMap(each -> each.journal().visits().stream())
                .filter(visit -> visit.welcomed >= 0)
                .count();
        long refused = witnesses.stream()
                .flatMap(each -> each.refusals().values().stream())
                .filter("unavailable"::equals)
                .count();
        long heard = witnesses.stream()
                .mapToLong(each -> each.journal().heard().size())
                .sum();
        return ("%d acts done (%s), %d proposals (%d fulfilled, %d answered, %d rejected, %d withdrawn, %d expired),"
                        + " %d events, %d connections, %d envelopes heard, %d plain ones sent, %d refused, %d %% of the"
                        + " others heard by those who were there (%d %% by who heard least)")
                .formatted(
                        acts(),
                        deeds,
                        canon.proposals().size(),
                        count("fulfilled"),
                        count("answered"),
                        count("closed_by_rejections"),
                        count("withdrawn"),
                        count("expired"),
                        canon.events().size(),
                        visits,
                        heard,
                        plain(witnesses).count(),
                        refused,
                        reachOfAll().percent(),
                        reach().stream().mapToLong(Reach::percent).min().orElse(100));
    }
}
