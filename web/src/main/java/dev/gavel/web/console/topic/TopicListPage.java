package dev.gavel.web.console.topic;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/** The page that lists the topics visible to the signed-in user. */
public record TopicListPage(PageLayoutData frame, List<TopicRow> topics) {
    public TopicListPage {
        topics = List.copyOf(topics);
    }

    /**
     * A topic in the list.
     *
     * @param connected the names of the connected participants, sanitized for display
     * @param openProposals the number of open proposals; empty if the topic has no ledger
     * @param labels what the reader may do in the topic; empty for an admin who is not a member
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

        public String path() {
            return TopicPaths.topic(name);
        }
    }
}
