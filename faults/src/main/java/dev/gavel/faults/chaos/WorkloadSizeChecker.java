package dev.gavel.faults.chaos;

import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.chaos.ParticipantJournal.SentEntry;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that a chaos run had enough proposals, messages and faults to be meaningful, and summarizes it in figures.
 * Used by one thread, after the run has settled.
 *
 * @param completedFaults the number of completed faults of each type
 * @param time the planned duration of the chaos
 */
record WorkloadSizeChecker(
        ChaosPlan plan,
        Map<FaultType, Integer> completedFaults,
        Duration time,
        ChaosLedgerHistory chaosLedgerHistory,
        List<ParticipantRunRecord> runRecords) {
    /** A quarter of what the proposers achieve on an idle machine without faults. */
    private static final int PROPOSALS_A_SECOND = 5;

    /** A quarter of the chat messages under the same conditions. */
    private static final int CHATS_A_SECOND = 7;

    /** One in this many proposals must come to each outcome; one in eight is planned to, whatever happens to others. */
    private static final int EACH_END = 50;

    /** The percentage of accepted chat messages that the connected participants together must receive. */
    private static final int REACHED_PERCENT = 50;

    /**
     * The percentage that each of them must receive: one may be at a gateway that is cut off for half of a short run.
     */
    private static final int REACHED_EACH_PERCENT = 10;

    /** How long before and after a message a participant must be connected to count as connected. */
    private static final long THERE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How many of the messages sent while a participant was connected it received. */
    private record DeliveryRate(String name, long sent, long received) {
        long percent() {
            return sent == 0 ? 100 : 100 * received / sent;
        }
    }

    /** Returns what there was too little of. */
    List<GuaranteeViolation> check() {
        List<String> shortfalls = new ArrayList<>();
        if (chaosLedgerHistory.proposals().size() < PROPOSALS_A_SECOND * time.toSeconds()) {
            shortfalls.add("only " + chaosLedgerHistory.proposals().size() + " proposals were created in "
                    + time.toSeconds() + " s");
        }
        long sentCount = plainEnvelopes(runRecords).count();
        if (sentCount < CHATS_A_SECOND * time.toSeconds()) {
            shortfalls.add("only " + sentCount + " plain envelopes were sent in " + time.toSeconds() + " s");
        }
        Stream.concat(GuaranteeChecker.END_TYPES.stream(), Stream.of("answered"))
                .sorted()
                .forEach(end -> {
                    if (count(end) < Math.max(1, chaosLedgerHistory.proposals().size() / EACH_END)) {
                        shortfalls.add("only " + count(end) + " of "
                                + chaosLedgerHistory.proposals().size() + " proposals have the event " + end);
                    }
                });
        if (plannedCount(FaultType.KILL) > 0 && completedFaults(FaultType.KILL) == 0) {
            shortfalls.add("no gateway was killed; planned kills: " + plannedCount(FaultType.KILL));
        }
        if (2 * completedCount() < plan.faults().size()) {
            shortfalls.add(
                    "only " + completedCount() + " of " + plan.faults().size() + " planned faults were injected");
        }
        for (DeliveryRate each : deliveryRates()) {
            if (each.percent() < REACHED_EACH_PERCENT) {
                shortfalls.add(
                        "only " + each.received() + " of " + each.sent() + " plain envelopes that were not refused"
                                + " reached " + each.name() + " while it was connected");
            }
        }
        DeliveryRate all = overallDeliveryRate();
        if (all.percent() < REACHED_PERCENT) {
            shortfalls.add("only " + all.percent() + " % of the plain envelopes that were not refused reached"
                    + " participants that were connected");
        }
        return shortfalls.stream()
                .map(what -> new GuaranteeViolation(what, List.of()))
                .toList();
    }

    private int plannedCount(FaultType faultType) {
        return Math.toIntExact(plan.faults().stream()
                .filter(plannedFault -> plannedFault.type() == faultType)
                .count());
    }

    private int completedFaults(FaultType faultType) {
        return completedFaults.getOrDefault(faultType, 0);
    }

    private int completedCount() {
        return completedFaults.values().stream().mapToInt(Integer::intValue).sum();
    }

    private long count(String type) {
        return chaosLedgerHistory.events().stream()
                .filter(event -> event.type().equals(type))
                .count();
    }

    private static Stream<SentEntry> plainEnvelopes(List<ParticipantRunRecord> of) {
        return of.stream().flatMap(each -> each.journal().sent().stream()).filter(SentEntry::plain);
    }

    private List<DeliveryRate> deliveryRates() {
        return runRecords.stream().map(this::deliveryRates).toList();
    }

    private DeliveryRate overallDeliveryRate() {
        return deliveryRates().stream()
                .reduce(
                        new DeliveryRate("", 0, 0),
                        (one, other) ->
                                new DeliveryRate("", one.sent() + other.sent(), one.received() + other.received()));
    }

    private DeliveryRate deliveryRates(ParticipantRunRecord receiver) {
        long sentCount = 0;
        long receivedCount = 0;
        List<ParticipantJournal.JournalConnection> journalConnections =
                receiver.journal().connections();
        for (ParticipantRunRecord sender : runRecords) {
            if (sender.name().equals(receiver.name())) {
                continue;
            }
            for (SentEntry sentEntry : plainEnvelopes(List.of(sender)).toList()) {
                if (!sender.refusals().containsKey(sentEntry.id())
                        && journalConnections.stream()
                                .anyMatch(journalConnection -> journalConnection.wasUp(sentEntry.at(), THERE_NANOS))) {
                    sentCount++;
                    receivedCount += receiver.journal().hasReceived(sentEntry.id()) ? 1 : 0;
                }
            }
        }
        return new DeliveryRate(receiver.name(), sentCount, receivedCount);
    }

    /** A summary of the run, for people. */
    String summary() {
        String faultCounts = Stream.of(FaultType.values())
                .filter(faultType -> plannedCount(faultType) > 0)
                .map(faultType -> faultType.name().toLowerCase(Locale.ROOT) + " " + completedFaults(faultType)
                        + (completedFaults(faultType) < plannedCount(faultType)
                                ? " of " + plannedCount(faultType)
                                : ""))
                .collect(Collectors.joining(", "));
        long visits = runRecords.stream()
                .filter(each -> !each.usesLibrary())
                .flatMap(each -> each.journal().connections().stream())
                .filter(journalConnection -> journalConnection.welcomeSeq >= 0)
                .count();
        long refused = runRecords.stream()
                .flatMap(each -> each.refusals().values().stream())
                .filter("unavailable"::equals)
                .count();
        long receivedCount = runRecords.stream()
                .mapToLong(each -> each.journal().received().size())
                .sum();
        return ("%d faults (%s), %d proposals (%d approved, %d with results, %d rejected, %d withdrawn, %d expired),"
                        + " %d events, %d connections, %d envelopes received, %d plain envelopes sent, %d refused, %d %%"
                        + " of the others reached connected participants (lowest: %d %%)")
                .formatted(
                        completedCount(),
                        faultCounts,
                        chaosLedgerHistory.proposals().size(),
                        count("fulfilled"),
                        count("answered"),
                        count("closed_by_rejections"),
                        count("withdrawn"),
                        count("expired"),
                        chaosLedgerHistory.events().size(),
                        visits,
                        receivedCount,
                        plainEnvelopes(runRecords).count(),
                        refused,
                        overallDeliveryRate().percent(),
                        deliveryRates().stream()
                                .mapToLong(DeliveryRate::percent)
                                .min()
                                .orElse(100));
    }
}
