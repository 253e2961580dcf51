package dev.gavel.console.admin;

import dev.gavel.console.Templates;
import java.time.Instant;
import java.util.Map;

/** Writes the pages of the administration. Stateless. */
public final class AdminPages {
    private AdminPages() {}

    public static String overview(Overview page, Instant now) {
        return fill("overview", page, now);
    }

    public static String identities(IdentitiesPage page, Instant now) {
        return fill("identities", page, now);
    }

    public static String identity(IdentityPage page, Instant now) {
        return fill("identity", page, now);
    }

    public static String newIdentity(NewIdentityPage page, Instant now) {
        return fill("newIdentity", page, now);
    }

    public static String secret(SecretPage page, Instant now) {
        return fill("secret", page, now);
    }

    public static String confirm(ConfirmPage page, Instant now) {
        return fill("confirm", page, now);
    }

    public static String topics(TopicsPage page, Instant now) {
        return fill("topics", page, now);
    }

    public static String topic(TopicPage page, Instant now) {
        return fill("topic", page, now);
    }

    public static String member(MemberPage page, Instant now) {
        return fill("member", page, now);
    }

    public static String bridges(BridgesPage page, Instant now) {
        return fill("bridges", page, now);
    }

    public static String ledger(LedgerPage page, Instant now) {
        return fill("ledger", page, now);
    }

    private static String fill(String template, Object page, Instant now) {
        return Templates.fill("admin/" + template + ".jte", Map.of("page", page, "now", now));
    }
}
