package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTest {
    private static final String EVIL = "Say *hi* @everyone <@123> <!channel> [x](https://evil.example) `a` & b\n# Big";

    private static Webhook hook(Webhook.Kind kind) {
        return new Webhook(URI.create("https://hooks.example/secret"), kind);
    }

    private static Json body(Webhook.Kind kind, SepNotification sepNotification) {
        return hook(kind).body(99, sepNotification, Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "https://discord.com/api/webhooks/1/abc, DISCORD",
        "https://canary.discord.com/api/webhooks/1/abc, DISCORD",
        "https://discordapp.com/api/webhooks/1/abc, DISCORD",
        "https://HOOKS.Slack.com/services/T/B/x, SLACK",
        "https://hooks.slack-gov.com/services/T/B/x, SLACK",
        "https://notdiscord.com/x, JSON",
        "https://discord.com.evil.example/x, JSON",
        "https://hooks.example/x, JSON"
    })
    void theKindIsToldByTheHost(String url, Webhook.Kind kind) {
        assertThat(Webhook.of(URI.create(url)).kind()).isEqualTo(kind);
    }

    @Test
    void aKindIsNamedInAnyCase() {
        assertThat(Webhook.Kind.parse("Slack")).contains(Webhook.Kind.SLACK);
        assertThat(Webhook.Kind.parse("teams")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://hooks.example/x", "hooks.example/x", "https:///x", "https://ada:pw@hooks.example/x"})
    void anAddressThatCannotBePostedToIsSaidToBeSoWithoutRepeatingIt(String url) {
        assertThat(Webhook.validate(URI.create(url)))
                .hasValueSatisfying(text -> assertThat(text).doesNotContain("hooks.example"));
        assertThatThrownBy(() -> Webhook.of(URI.create(url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hooks.example");
    }

    @Test
    void postingWithoutEncryptionIsWarnedOfUnlessItStaysOnTheMachine() {
        assertThat(Webhook.validate(URI.create("http://hooks.example/secret"))).isEmpty();
        assertThat(Webhook.of(URI.create("http://hooks.example/secret")).warning())
                .contains("the webhook at hooks.example receives notifications without encryption; use https://");
        assertThat(Webhook.of(URI.create("http://127.0.0.1:8080/x")).warning()).isEmpty();
        assertThat(Webhook.of(URI.create("http://[::1]:8080/x")).warning()).isEmpty();
        assertThat(Webhook.of(URI.create("https://hooks.example/x")).warning()).isEmpty();
    }

    @Test
    void itsAddressIsNeverShown() {
        Webhook hook = hook(Webhook.Kind.JSON);
        assertThat(hook.toString()).isEqualTo("webhook at hooks.example");
        assertThat(hook.id())
                .hasSize(24)
                .doesNotContain("secret")
                .isEqualTo(hook(Webhook.Kind.JSON).id())
                .as("one address may be told in two ways")
                .isNotEqualTo(hook(Webhook.Kind.SLACK).id());
        assertThat(hook.id())
                .isNotEqualTo(
                        Webhook.of(URI.create("https://hooks.example/other")).id());
    }

    @Test
    void discordIsToldInItsWayAndNobodyIsPingedByAText() {
        Json body = body(Webhook.Kind.DISCORD, NotificationFixtures.notice("Streams", "Sponsor it.", new Person("mo")));
        assertThat(body.raw())
                .isEqualTo("{\"content\":\"**SEP-12: Streams** (ping for mo)\\nSponsor it.\\n"
                        + "<https://gavel.example/seps/12>\",\"allowed_mentions\":{\"parse\":[]}}");
        String evil = body(Webhook.Kind.DISCORD, NotificationFixtures.notice(EVIL, EVIL, new Person("mo")))
                .at("content")
                .text();
        assertThat(evil).contains("\\*hi\\*", "\\@everyone", "\\<\\@123\\>", "\\[x\\]", "\\`a\\`");
        assertThat(evil.lines()).hasSize(3);
    }

    @Test
    void slackIsToldInItsWayWithNothingItWouldTakeForASign() {
        String text = body(
                        Webhook.Kind.SLACK,
                        NotificationFixtures.notice("Streams", EVIL, new RoleGroup("core-maintainer")))
                .at("text")
                .text();
        assertThat(text)
                .startsWith("*SEP-12: Streams* (ping for core-maintainer)\n")
                .contains("&lt;!channel&gt;", "&amp; b", "\u200B*hi\u200B*", "\u200B`a\u200B`")
                .endsWith("\n<https://gavel.example/seps/12>");
    }

    @Test
    void onlyRecipientsWithAKnownIdAreMentioned() {
        Map<Person, Contact> contacts = Map.of(
                new Person("mo"), contact("123", "U1"),
                new Person("cora"), contact("456", "U4"),
                new Person("eve"), contact("789", "U7"));
        SepNotification notification = NotificationFixtures.notice(
                        "Streams <@789>",
                        "Ask <@789> or @everyone.",
                        new Person("mo"),
                        new Person("sam"),
                        new RoleGroup("core-maintainer"))
                .withHolders(group -> List.of(new Person("cora"), new Person("mo")));
        Json discord = hook(Webhook.Kind.DISCORD).body(99, notification, contacts);
        assertThat(discord.at("content").text())
                .startsWith("**SEP-12: Streams \\<\\@789\\>** (ping for mo, sam, core-maintainer) <@123> <@456>\n")
                .contains("Ask \\<\\@789\\> or \\@everyone.");
        assertThat(discord.at("allowed_mentions").raw()).isEqualTo("{\"parse\":[],\"users\":[\"123\",\"456\"]}");
        assertThat(hook(Webhook.Kind.SLACK)
                        .body(99, notification, contacts)
                        .at("text")
                        .text())
                .startsWith("*SEP-12: Streams &lt;@789&gt;* (ping for mo, sam, core-maintainer) <@U1> <@U4>\n");
        SepNotification digest = SepNotification.digest(
                        new RoleGroup("maintainer"), "Digest", "SEP-1", Optional.empty(), NotificationFixtures.START)
                .withHolders(group -> List.of(new Person("mo")));
        assertThat(hook(Webhook.Kind.DISCORD).body(99, digest, contacts).raw()).doesNotContain("123");
        assertThat(hook(Webhook.Kind.JSON)
                        .body(99, digest, contacts)
                        .at("number")
                        .isPresent())
                .isFalse();
    }

    @Test
    void anIdThatWouldBeMarkupIsRefused() {
        for (String id : List.of("1> @everyone <", "", "123456789012345678901")) {
            assertThat(Contact.isDiscordId(id)).as(id).isFalse();
        }
        assertThat(Contact.isSlackId("U1> <!channel")).isFalse();
        for (String mail : List.of("a@b\r\nBcc: c@d", "a b@example.org", "<a@b>", "a", "a@b,c@d")) {
            assertThat(Contact.isMailAddress(mail)).as(mail).isFalse();
        }
        assertThat(Contact.isMailAddress("ada.l+gavel@mail.example.org")).isTrue();
    }

    private static Contact contact(String discord, String slack) {
        return new Contact(Optional.of(discord), Optional.of(slack), Optional.empty());
    }

    @Test
    void hiddenCharactersAreVisibleInMessages() {
        SepNotification notification = NotificationFixtures.notice("a\u202Eb", "c\u200Bd", new Person("ada"));
        assertThat(WebhookBodyFormatter.slack(notification, Map.of()).at("text").text())
                .contains("a\\u202eb", "c\\u200bd");
        assertThat(WebhookBodyFormatter.discord(notification, Map.of())
                        .at("content")
                        .text())
                .contains("a\\\\u202eb", "c\\\\u200bd");
    }

    @Test
    void programsAreToldEveryField() {
        assertThat(body(
                                Webhook.Kind.JSON,
                                NotificationFixtures.notice(
                                        "Streams", "Sponsor it.", new Person("mo"), new RoleGroup("maintainer")))
                        .pretty())
                .isEqualTo("""
                        {
                          "seq": 99,
                          "number": 12,
                          "label": "SEP-12",
                          "title": "Streams",
                          "kind": "ping",
                          "whom": [
                            {
                              "person": "mo"
                            },
                            {
                              "role": "maintainer"
                            }
                          ],
                          "text": "Sponsor it.",
                          "at": "2026-01-05T09:00:00Z",
                          "link": "https://gavel.example/seps/12"
                        }""");
    }

    @Test
    void whateverTheLengthNoBodyIsTooLongAndTheLinkStays() {
        for (String piece : new String[] {"x", "*", "<", "&", "\uD83D\uDE00", "word "}) {
            SepNotification sepNotification =
                    NotificationFixtures.notice(piece.repeat(5_000), piece.repeat(50_000), new Person("mo"));
            String content =
                    body(Webhook.Kind.DISCORD, sepNotification).at("content").text();
            assertThat(content.length()).isLessThanOrEqualTo(2_000);
            assertThat(content).endsWith("…\n<https://gavel.example/seps/12>");
            assertThat(content.codePoints().noneMatch(point -> point >= 0xD800 && point <= 0xDFFF))
                    .isTrue();
            String text = body(Webhook.Kind.SLACK, sepNotification).at("text").text();
            assertThat(text.length()).isLessThanOrEqualTo(3_000);
            assertThat(text).endsWith("…\n<https://gavel.example/seps/12>");
            assertThat(body(Webhook.Kind.JSON, sepNotification).raw().length()).isLessThan(64_000);
        }
    }

    @Test
    void anAddressInATextStaysWhole() {
        SepNotification sepNotification =
                NotificationFixtures.notice("Streams", "See https://example.org/a_b_c*d, *now*.", new Person("mo"));
        assertThat(body(Webhook.Kind.DISCORD, sepNotification).at("content").text())
                .contains("See https://example.org/a_b_c*d, \\*now\\*.");
    }

    @Test
    void theDocumentationShowsWhatIsPosted() throws IOException {
        String documentation = Files.readString(Path.of("../docs/sep-sweeps.md"));
        SepNotification sepNotification = NotificationFixtures.notice(
                "Streams", "Bring the goals to a high-level review and link its result.", new Person("mo"));
        for (Webhook.Kind kind : Webhook.Kind.values()) {
            assertThat(documentation)
                    .contains("```json\n" + body(kind, sepNotification).pretty() + "\n```");
        }
        assertThat(documentation)
                .contains("```xml\n"
                        + new AtomFeed(
                                        "urn:uuid:6b0d4f4e-3d3f-4a57-9a4c-1f2f1a9f7a01",
                                        "The SEP workflow of SEP-1286",
                                        Optional.of(URI.create("https://gavel.example/seps/feed.atom")),
                                        NotificationFixtures.START,
                                        List.of(new AtomFeed.Entry(
                                                "urn:uuid:0f7f4c52-44c8-3f5f-8b55-0a2f0d6a8f10",
                                                sepNotification.heading(),
                                                NotificationFixtures.START,
                                                "mo",
                                                "mo moved the SEP from draft to provisional.",
                                                sepNotification.link())))
                                .toXml()
                        + "```");
    }
}
