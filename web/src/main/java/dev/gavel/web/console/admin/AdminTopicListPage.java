package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/** The page that lists all topics for an admin. */
public record AdminTopicListPage(PageLayoutData frame, List<AdminOverviewPage.TopicRow> topics) {
    public AdminTopicListPage {
        topics = List.copyOf(topics);
    }
}
