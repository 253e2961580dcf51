package dev.gavel.web.console.topic;

import dev.gavel.web.console.page.TemplateRenderer;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Renders the topic pages and their parts to HTML. Stateless. */
public final class TopicPageRenderer {
    private TopicPageRenderer() {}

    public static String topics(TopicListPage page) {
        return TemplateRenderer.render("topic/topics.jte", Map.of("page", page));
    }

    public static String topic(TopicActivityPage page, Instant now) {
        return TemplateRenderer.render("topic/topic.jte", Map.of("page", page, "now", now));
    }

    public static String proposals(ProposalListPage page, Instant now) {
        return TemplateRenderer.render("topic/proposals.jte", Map.of("page", page, "now", now));
    }

    /** Renders the chat form to insert into an open page. */
    public static String chat(String topic, TopicActivityPage.ChatForm chatForm, String csrf) {
        return TemplateRenderer.render("topic/chat.jte", Map.of("topic", topic, "chat", chatForm, "csrf", csrf));
    }

    /** Renders rows to insert into an open page. */
    public static String rows(List<ActivityRow> rows, Instant now) {
        return TemplateRenderer.render("topic/rows.jte", Map.of("rows", rows, "now", now));
    }
}
