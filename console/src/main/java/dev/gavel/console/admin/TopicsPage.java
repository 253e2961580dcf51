package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;

/** The page of the topics there are. */
public record TopicsPage(Frame frame, List<Overview.TopicLine> topics) {
    public TopicsPage {
        topics = List.copyOf(topics);
    }
}
