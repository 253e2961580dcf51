package dev.gavel.bench.chaos;

import dev.gavel.bench.reliability.Heard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happened, as the ledger has it: its events in order, and what was to be told of each. Immutable.
 *
 * <p>An envelope is told where its first event stands, a notice of the gateway's by the event it is about.
 */
final class Canon {
    private static final Set<String> TOLD_BY_NOTICE =
            Set.of("expired", "closed_by_rejections", "unreachable", "reachable");

    private final List<Event> events;
    private final List<Told> told = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, List<Event>> proposals = new LinkedHashMap<>();

    /**
     * An event.
     *
     * @param envelope the id of the envelope that caused it; empty where none did
     */
    record Event(long seq, String proposal, String type, String by, String envelope, String line) {
        static Event of(String line) {
            Heard head = new Heard(line.substring(0, line.indexOf(",\"body\":")) + "}");
            return new Event(
                    head.number("seq"),
                    head.field("proposal"),
                    head.field("type"),
                    head.field("by"),
                    head.field("envelope"),
                    line);
        }

        /** The id of what everybody was to be told of it by itself; empty where that is nothing. */
        String notice() {
            return TOLD_BY_NOTICE.contains(type) ? "system:event-" + seq : "";
        }
    }

    /** Something that everybody in the topic is to hear, at this place. */
    record Told(long seq, String id) {}

    /** The events of the topic that all this is about, among those exported. */
    Canon(List<String> lines) {
        String topic = "{\"topic\":\"" + Cast.TOPIC + "\",";
        events = lines.stream()
                .filter(line -> line.startsWith(topic))
                .map(Event::of)
                .toList();
        for (Event event : events) {
            proposals.computeIfAbsent(event.proposal(), id -> new ArrayList<>()).add(event);
            if (!event.envelope().isEmpty() && !places.containsKey(event.envelope())) {
                tell(event.seq(), event.envelope());
            }
            if (!event.notice().isEmpty()) {
                tell(event.seq(), event.notice());
            }
        }
    }

    private void tell(long seq, String id) {
        places.put(id, told.size());
        told.add(new Told(seq, id));
    }

    List<Event> events() {
        return events;
    }

    /** The events of each proposal. */
    Map<String, List<Event>> proposals() {
        return proposals;
    }

    /** What was to be told, in order. */
    List<Told> told() {
        return told;
    }

    /** Where something stands among {@link #told}; -1 where it is none of it. */
    int place(String id) {
        return places.getOrDefault(id, -1);
    }

    /** The place of the first that is to be told after a seq. */
    int after(long seq) {
        int low = 0;
        int high = told.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (told.get(middle).seq() <= seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
