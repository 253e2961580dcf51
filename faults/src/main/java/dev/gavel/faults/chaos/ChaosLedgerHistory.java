package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Events of the exported ledger in order, and the envelopes and notices that every participant has to receive for them.
 * Immutable.
 *
 * <p>An envelope is told where its first event stands, a notice of the gateway's by the event it is about.
 */
final class ChaosLedgerHistory {
    private static final Set<String> NOTICE_TYPES =
            Set.of("expired", "closed_by_rejections", "unreachable", "reachable");

    private final List<LedgerEvent> events;
    private final List<ExpectedDelivery> expectedDeliveries = new ArrayList<>();
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, List<LedgerEvent>> proposals = new LinkedHashMap<>();

    /**
     * An event.
     *
     * @param envelope the id of the envelope that caused it; empty where none did
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

        /** The id of what everybody was to be told of it by itself; empty where that is nothing. */
        String noticeId() {
            return NOTICE_TYPES.contains(type) ? "system:event-" + seq : "";
        }
    }

    /** Something that everybody in the topic is to hear, at this place. */
    record ExpectedDelivery(long seq, String id) {}

    /** The events of the topic that all this is about, among those exported. */
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

    /** What was to be told, in order. */
    List<ExpectedDelivery> expectedDeliveries() {
        return expectedDeliveries;
    }

    /** Where something stands among {@link #expectedDeliveries}; -1 where it is none of it. */
    int indexOf(String id) {
        return indexes.getOrDefault(id, -1);
    }

    /** The place of the first that is to be told after a seq. */
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
