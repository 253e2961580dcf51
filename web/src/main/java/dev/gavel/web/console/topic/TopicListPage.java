package dev.gavel.web.console.topic;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/** The page that lists the topics visible to the signed-in user. */
public record TopicListPage(PageFrame frame, List<TopicRow> topics) {
    public TopicListPage {
        topics = List.copyOf(topics);
    }

    /**
     * A topic at a glance.
     *
     * @param connected who is there now, fit to be shown
     * @param openProposals how many proposals wait there; none where it keeps no ledger
     * @param labels what the reader may do there; empty for an admin who is no member
     */
    public record TopicRow(
            String name,
            List<String> connected,
            int members,
            Optional<Integer> openProposals,
            List<CapabilityLabel> labels) {
        public TopicRow {
            connected = List.copyOf(connected);
            labels = List.copyOf(labels);
        }

        /** Where its page is. */
        public String path() {
            return TopicPaths.topic(name);
        }
    }
}
