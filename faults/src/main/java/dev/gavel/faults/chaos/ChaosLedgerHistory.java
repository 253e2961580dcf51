package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The exported ledger events of a chaos run in order, and the envelopes and notices that participants must have
 * received for them. Immutable.
 *
 * <p>The position of an envelope is that of its first event; the position of a gateway's notice is that of the event it
 * reports.
 */
final class ChaosLedgerHistory {
    private static final Set<String> NOTICE_TYPES = Set.of("expired", "closed_by_rejections");

    private final List<LedgerEvent> events;
    private final List<ExpectedDelivery> expectedDeliveries = new ArrayList<>();
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, List<LedgerEvent>> proposals = new LinkedHashMap<>();

    /**
     * An event.
     *
     * @param envelope the id of the envelope that caused it; empty if none did
     */
    record LedgerEvent(long seq, String proposal, String type, String by, String envelope, String line) {
        static LedgerEvent parse(String line) {
            ReceivedEnvelope head = new ReceivedEnvelope(line.substring(0, line.indexOf(",\"body\":")) + "}");
            return new LedgerEvent(
                    head.numberField("seq"),
                    head.textField("proposal"),
                    head.textField("type"),
                    head.textField("by"),
                    head.textField("envelope"),
                    line);
        }

        /** The id of the gateway's notice about the event; empty if there is none. */
        String noticeId() {
            return NOTICE_TYPES.contains(type) ? "system:event-" + seq : "";
        }
    }

    /** An envelope or notice that every participant of the topic must receive, at this position. */
    record ExpectedDelivery(long seq, String id) {}

    /** Reads the events of the chaos run's topic from the exported lines. */
    ChaosLedgerHistory(List<String> lines) {
        String topic = "{\"topic\":\"" + ChaosParticipants.TOPIC + "\",";
        events = lines.stream()
                .filter(line -> line.startsWith(topic))
                .map(LedgerEvent::parse)
                .toList();
        for (LedgerEvent event : events) {
            proposals.computeIfAbsent(event.proposal(), id -> new ArrayList<>()).add(event);
            if (!event.envelope().isEmpty() && !indexes.containsKey(event.envelope())) {
                addExpectedDelivery(event.seq(), event.envelope());
            }
            if (!event.noticeId().isEmpty()) {
                addExpectedDelivery(event.seq(), event.noticeId());
            }
        }
    }

    private void addExpectedDelivery(long seq, String id) {
        indexes.put(id, expectedDeliveries.size());
        expectedDeliveries.add(new ExpectedDelivery(seq, id));
    }

    List<LedgerEvent> events() {
        return events;
    }

    /** The events of each proposal. */
    Map<String, List<LedgerEvent>> proposals() {
        return proposals;
    }

    /** The expected deliveries, in order. */
    List<ExpectedDelivery> expectedDeliveries() {
        return expectedDeliveries;
    }

    /** The index of an id in {@link #expectedDeliveries}; -1 if it is not among them. */
    int indexOf(String id) {
        return indexes.getOrDefault(id, -1);
    }

    /** The index of the first expected delivery after a sequence number. */
    int firstIndexAfter(long seq) {
        int low = 0;
        int high = expectedDeliveries.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (expectedDeliveries.get(middle).seq() <= seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
