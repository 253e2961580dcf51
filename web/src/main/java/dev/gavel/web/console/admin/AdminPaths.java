package dev.gavel.web.console.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds the URL paths of the admin pages. Stateless. */
public final class AdminPaths {
    public static final String HOME = "/console/admin";
    public static final String IDENTITIES = HOME + "/identities";

    /** Not among the identities: one of them may be called so. */
    public static final String NEW_IDENTITY = HOME + "/new-identity";

    public static final String TOPICS = HOME + "/topics";
    public static final String BRIDGES = HOME + "/bridges";
    public static final String LEDGER = HOME + "/ledger";

    private AdminPaths() {}

    /** The page of somebody. */
    public static String identity(String name) {
        return IDENTITIES + "/" + segment(name);
    }

    /** Where a token of somebody's is revoked. */
    public static String revoke(String name, String token) {
        return identity(name) + "/revoke?token=" + segment(token);
    }

    /** The page of what the members of a topic may send. */
    public static String topic(String topic) {
        return TOPICS + "/" + segment(topic);
    }

    /** The page of what one of them may send. */
    public static String member(String topic, String name) {
        return topic(topic) + "/members/" + segment(name);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
