package dev.gavel.web.console.topic;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds the URL paths of topic and proposal pages. Stateless. */
public final class TopicPaths {
    /** The path of the topic list. */
    public static final String TOPICS = "/console/topics";

    private TopicPaths() {}

    public static String topic(String name) {
        return TOPICS + "/" + encode(name);
    }

    public static String proposals(String topic) {
        return topic(topic) + "/proposals";
    }

    public static String proposal(String topic, String id) {
        return "/console/proposals/" + encode(topic) + "/" + encode(id);
    }

    /** Encodes a text as a path segment or as a query value. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
