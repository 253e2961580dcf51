package dev.gavel.console.topic;

import dev.gavel.console.Templates;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Writes the pages of topics. Stateless. */
public final class TopicPages {
    private TopicPages() {}

    public static String topics(TopicsPage page) {
        return Templates.fill("topic/topics.jte", Map.of("page", page));
    }

    public static String topic(TopicPage page, Instant now) {
        return Templates.fill("topic/topic.jte", Map.of("page", page, "now", now));
    }

    public static String proposals(ProposalsPage page, Instant now) {
        return Templates.fill("topic/proposals.jte", Map.of("page", page, "now", now));
    }

    /** Where somebody writes, to be put into a page that is open. */
    public static String chat(String topic, TopicPage.Chat chat, String csrf) {
        return Templates.fill("topic/chat.jte", Map.of("topic", topic, "chat", chat, "csrf", csrf));
    }

    /** Rows, to be put into a page that is open. */
    public static String rows(List<Row> rows, Instant now) {
        return Templates.fill("topic/rows.jte", Map.of("rows", rows, "now", now));
    }
}
