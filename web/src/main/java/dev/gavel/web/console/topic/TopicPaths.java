package dev.gavel.web.console.topic;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds the URL paths of topic and proposal pages. Stateless. */
public final class TopicPaths {
    /** Where all topics are. */
    public static final String TOPICS = "/console/topics";

    private TopicPaths() {}

    /** Where a topic's page is. */
    public static String topic(String name) {
        return TOPICS + "/" + encode(name);
    }

    /** Where a topic's proposals are listed. */
    public static String proposals(String topic) {
        return topic(topic) + "/proposals";
    }

    /** Where a proposal's page is. */
    public static String proposal(String topic, String id) {
        return "/console/proposals/" + encode(topic) + "/" + encode(id);
    }

    /** Any text as a part of a path, or as a value in a query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
