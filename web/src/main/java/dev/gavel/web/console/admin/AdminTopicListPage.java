package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/** The page that lists all topics for an admin. */
public record AdminTopicListPage(PageFrame frame, List<AdminOverviewPage.TopicRow> topics) {
    public AdminTopicListPage {
        topics = List.copyOf(topics);
    }
}
