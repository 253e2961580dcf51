package dev.gavel.console.topic;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Where the pages of topics and of their proposals are. Stateless. */
public final class Paths {
    /** Where all topics are. */
    public static final String TOPICS = "/console/topics";

    private Paths() {}

    /** Where a topic's page is. */
    public static String topic(String name) {
        return TOPICS + "/" + part(name);
    }

    /** Where a topic's proposals are listed. */
    public static String proposals(String topic) {
        return topic(topic) + "/proposals";
    }

    /** Where a proposal's page is. */
    public static String proposal(String topic, String id) {
        return "/console/proposals/" + part(topic) + "/" + part(id);
    }

    /** Any text as a part of a path, or as a value in a query. */
    public static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
