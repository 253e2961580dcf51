package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends mail to a real SMTP server. */
class MailChannelTest {
    private static final Person MO = new Person("mo");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private MailSettings settings(Optional<MailSettings.Login> login) {
        return new MailSettings(
                URI.create("smtp://127.0.0.1:" + server.getSmtp().getPort()), "gavel@example.org", login);
    }

    private MailChannel channel() {
        return new MailChannel(settings(Optional.empty()), MO, "mo@example.org", TIMEOUT);
    }

    @Test
    void theWholeTextArrivesAsPlainText() throws Exception {
        String rationale = "The transport must stay simple – für alle.\n".repeat(200);
        assertThat(channel().deliver(1, NotificationFixtures.notice("Strömung", rationale, MO)))
                .isInstanceOf(DeliveryResult.Accepted.class);
        MimeMessage message = server.getReceivedMessages()[0];
        assertThat(message.getSubject()).isEqualTo("SEP-12: Strömung (ping)");
        assertThat(message.getFrom()[0]).hasToString("gavel@example.org");
        assertThat(message.getAllRecipients()).hasSize(1);
        assertThat(message.getContentType()).startsWith("text/plain");
        assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-generated");
        assertThat(message.getContent().toString().replace("\r\n", "\n"))
                .isEqualTo(rationale + "\n\nhttps://gavel.example/seps/12");
    }

    @Test
    void aTitleAddsNeitherHeadersNorRecipients() throws Exception {
        channel()
                .deliver(
                        1,
                        NotificationFixtures.notice(
                                "A\r\nBcc: eve@example.org\r\n\r\nHello", "\r\n.\r\nMAIL FROM:<eve@x>", MO));
        assertThat(server.getReceivedMessages()).hasSize(1);
        MimeMessage message = server.getReceivedMessages()[0];
        assertThat(message.getHeader("Bcc")).isNull();
        assertThat(message.getSubject()).isEqualTo("SEP-12: A Bcc: eve@example.org Hello (ping)");
        assertThat(message.getContent().toString()).contains("MAIL FROM:<eve@x>");
    }

    @Test
    void onlyNotificationsForThePersonAreAccepted() {
        assertThat(channel().accepts(NotificationFixtures.notice("A", "B", MO))).isTrue();
        assertThat(channel().accepts(NotificationFixtures.notice("A", "B", new Person("sam"))))
                .isFalse();
        SepNotification toMaintainers = NotificationFixtures.notice("A", "B", new RoleGroup("maintainer"));
        assertThat(channel().accepts(toMaintainers)).isFalse();
        assertThat(channel().accepts(toMaintainers.withHolders(_ -> List.of(MO))))
                .isTrue();
    }

    @Test
    void aServerThatIsAwayIsTriedAgain() {
        MailChannel channel = channel();
        server.stop();
        assertThat(channel.deliver(1, NotificationFixtures.notice("A", "B", MO)))
                .isInstanceOf(DeliveryResult.RetryLater.class);
    }

    @Test
    void aServerOnAnotherMachineMustOfferEncryption() {
        MailSettings byName = new MailSettings(
                URI.create("smtp://[0:0:0:0:0:ffff:7f00:1]:" + server.getSmtp().getPort()),
                "gavel@example.org",
                Optional.empty());
        assertThat(byName.isLoopback())
                .as("an address that is not listed as loopback")
                .isFalse();
        assertThat(new MailChannel(byName, MO, "mo@example.org", TIMEOUT)
                        .deliver(1, NotificationFixtures.notice("A", "B", MO)))
                .as("GreenMail offers no STARTTLS")
                .isInstanceOf(DeliveryResult.RetryLater.class);
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void aWrongPasswordIsNotShown() {
        server.setUser("gavel", "right-password");
        server.getUserManager().setAuthRequired(true);
        DeliveryResult result = new MailChannel(
                        settings(Optional.of(new MailSettings.Login("gavel", "wrong-password"))),
                        MO,
                        "mo@example.org",
                        TIMEOUT)
                .deliver(1, NotificationFixtures.notice("A", "B", MO));
        assertThat(result)
                .isEqualTo(new DeliveryResult.RetryLater(
                        "the mail server does not accept the user and the password", Optional.empty()));
        assertThat(new MailSettings.Login("gavel", "wrong-password").toString()).doesNotContain("wrong-password");
        assertThat(new MailChannel(
                                settings(Optional.of(new MailSettings.Login("gavel", "right-password"))),
                                MO,
                                "mo@example.org",
                                TIMEOUT)
                        .deliver(1, NotificationFixtures.notice("A", "B", MO)))
                .isInstanceOf(DeliveryResult.Accepted.class);
    }

    @Test
    void theCursorOfAMailboxSurvivesARestart() {
        Map<String, Long> cursors = new ConcurrentHashMap<>();
        DeliveryCursorStore store = new DeliveryCursorStore() {
            @Override
            public long position(String id, LongSupplier start) {
                return cursors.getOrDefault(id, 0L);
            }

            @Override
            public void advance(String id, long seq) {
                cursors.put(id, seq);
            }
        };
        List<SepNotificationReader.Entry> entries = new ArrayList<>();
        entries.add(new SepNotificationReader.Entry(1, Optional.of(NotificationFixtures.notice("A", "One", MO))));
        entries.add(new SepNotificationReader.Entry(
                2, Optional.of(NotificationFixtures.notice("A", "Not for mo", new Person("sam")))));
        SepNotificationReader reader = (seq, most) ->
                entries.stream().filter(entry -> entry.seq() > seq).limit(most).toList();
        try (NotificationSender sender = sender(store, reader)) {
            sender.start();
            await().until(() -> cursors.containsValue(1L));
        }
        entries.add(new SepNotificationReader.Entry(3, Optional.of(NotificationFixtures.notice("A", "Two", MO))));
        try (NotificationSender sender = sender(store, reader)) {
            sender.start();
            await().until(() -> cursors.containsValue(3L));
        }
        assertThat(List.of(server.getReceivedMessages()))
                .extracting(message ->
                        message.getContent().toString().lines().findFirst().orElse(""))
                .containsExactly("One", "Two");
    }

    private NotificationSender sender(DeliveryCursorStore store, SepNotificationReader reader) {
        return new NotificationSender(
                List.of(channel()), List.of(reader), store, DeliveryRetryPolicy.defaults(), () -> true);
    }

    @Test
    void anAddressThatIsNoMailServerIsRefused() {
        for (String bad : List.of("https://mail.example", "smtp://user:pw@mail.example", "smtps://mail.example/x")) {
            assertThatThrownBy(() -> new MailSettings(URI.create(bad), "a@b", Optional.empty()))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("pw");
        }
    }
}
