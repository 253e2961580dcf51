package dev.gavel.console.topic;

import dev.gavel.console.Frame;
import java.util.List;
import java.util.Optional;

/** The page of all topics there are for somebody. */
public record TopicsPage(Frame frame, List<Entry> topics) {
    public TopicsPage {
        topics = List.copyOf(topics);
    }

    /**
     * A topic at a glance.
     *
     * @param here who is there now, fit to be shown
     * @param open how many proposals wait there; none where it keeps no ledger
     * @param may what the reader may do there; empty for an admin who is no member
     */
    public record Entry(String name, List<String> here, int members, Optional<Integer> open, List<Ability> may) {
        public Entry {
            here = List.copyOf(here);
            may = List.copyOf(may);
        }

        /** Where its page is. */
        public String path() {
            return Paths.topic(name);
        }
    }
}
