package dev.gavel.web.console.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds the URL paths of the admin pages. Stateless. */
public final class AdminPaths {
    public static final String HOME = "/console/admin";
    public static final String IDENTITIES = HOME + "/identities";

    /** Not below the path of the identities: an identity could have the name of this page. */
    public static final String NEW_IDENTITY = HOME + "/new-identity";

    public static final String TOPICS = HOME + "/topics";
    public static final String BRIDGES = HOME + "/bridges";
    public static final String LEDGER = HOME + "/ledger";

    private AdminPaths() {}

    public static String identity(String name) {
        return IDENTITIES + "/" + segment(name);
    }

    /** Returns the path of the page on which an admin revokes a token of an identity. */
    public static String revoke(String name, String token) {
        return identity(name) + "/revoke?token=" + segment(token);
    }

    /** Returns the path of the page with a topic's members and their capabilities. */
    public static String topic(String topic) {
        return TOPICS + "/" + segment(topic);
    }

    /** Returns the path of the page with one member's capabilities. */
    public static String member(String topic, String name) {
        return topic(topic) + "/members/" + segment(name);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
