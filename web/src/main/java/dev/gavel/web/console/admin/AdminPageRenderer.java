package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.TemplateRenderer;
import java.time.Instant;
import java.util.Map;

/** Renders the admin pages to HTML. Stateless. */
public final class AdminPageRenderer {
    private AdminPageRenderer() {}

    public static String overview(AdminOverviewPage page, Instant now) {
        return render("overview", page, now);
    }

    public static String identities(IdentityListPage page, Instant now) {
        return render("identities", page, now);
    }

    public static String identity(IdentityDetailPage page, Instant now) {
        return render("identity", page, now);
    }

    public static String newIdentity(NewIdentityPage page, Instant now) {
        return render("newIdentity", page, now);
    }

    public static String secret(TokenSecretPage page, Instant now) {
        return render("secret", page, now);
    }

    public static String confirm(ConfirmPage page, Instant now) {
        return render("confirm", page, now);
    }

    public static String topics(AdminTopicListPage page, Instant now) {
        return render("topics", page, now);
    }

    public static String topic(AdminTopicPage page, Instant now) {
        return render("topic", page, now);
    }

    public static String member(MemberCapabilitiesPage page, Instant now) {
        return render("member", page, now);
    }

    public static String bridges(BridgeListPage page, Instant now) {
        return render("bridges", page, now);
    }

    public static String ledger(LedgerPage page, Instant now) {
        return render("ledger", page, now);
    }

    private static String render(String template, Object page, Instant now) {
        return TemplateRenderer.render("admin/" + template + ".jte", Map.of("page", page, "now", now));
    }
}
