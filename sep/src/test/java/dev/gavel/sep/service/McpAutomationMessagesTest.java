package dev.gavel.sep.service;

import static dev.gavel.sep.service.McpAutomationFixture.PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.notification.DeliveryRetryPolicy;
import dev.gavel.sep.notification.NotificationSender;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.notification.Webhook;
import dev.gavel.sep.notification.WebhookChannel;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.service.McpAutomationFixture.Case;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mirrors the test cases of the MCP project's automation about comments, configuration and notifications. The decision
 * record 0098 describes each case in our words, under the same name.
 */
class McpAutomationMessagesTest {
    private static final Webhook DISCORD = Webhook.of(URI.create("https://discord.com/api/webhooks/1/secret"));

    @TempDir
    private Path directory;

    static final List<Case> CASES = List.of(
            Case.of("comment 1", gavel -> {
                int number = gavel.proposal();
                assertThat(gavel.sweepDaily(179)).hasSize(7);
                assertThat(gavel.execute("erin", SepOperation.HISTORY, number)
                                .at("events")
                                .elements()
                                .getLast()
                                .at("by")
                                .text())
                        .isEqualTo("system");
                assertThat(gavel.sweepDaily(1))
                        .as("the reminders were no activity")
                        .hasSize(1);
                assertThat(gavel.state(number)).isEqualTo("dormant");
            }),
            Case.of(
                    "comment 2",
                    gavel -> assertThat(gavel.history(gavel.draft()))
                            .contains("Bob moved the SEP from proposal to draft.", "Bob became sponsor.")),
            Case.of(
                    "comment 3",
                    gavel -> assertThat(gavel.history(gavel.proposal()))
                            .containsExactly("Alice submitted the SEP as proposal.")),
            Case.of("comment 4", gavel -> {
                gavel.proposal();
                gavel.advanceDays(90);
                gavel.sweep();
                assertReminder(gavel.lastNotification(), "alice", "90 days");
            }),
            Case.of("comment 5", gavel -> {
                gavel.draft();
                gavel.advanceDays(90);
                gavel.sweep();
                assertReminder(gavel.lastNotification(), "bob", "90 days");
            }),
            Case.of("comment 6", gavel -> {
                gavel.proposal();
                gavel.advanceDays(180);
                gavel.sweep();
                SepNotification notification = gavel.lastNotification();
                assertThat(notification.kind()).isEqualTo(SepNotification.Kind.MOVE);
                assertThat(notification.recipients()).containsExactly(new Person("alice"));
                assertThat(notification.text()).contains("from proposal to dormant", "Reactivate the SEP");
            }),
            Case.of("config 3", _ -> {
                assertThat(PROCESS.reminderCoolDown()).isEqualTo(Duration.ofDays(14));
                assertThat(stepDays(PROCESS, "proposal")).containsExactly(90L, 180L);
                assertThat(stepDays(PROCESS, "draft")).containsExactly(14L, 90L, 90L, 90L);
                assertThat(stepDays(PROCESS, "in-review")).containsExactly(14L, 90L, 90L);
                assertThat(stepDays(PROCESS, "accepted")).containsExactly(30L, 90L, 90L);
            }),
            Case.of("config 4", gavel -> {
                gavel.useProcess(((ProcessParseResult.Valid) parsed("after: 90 d", "after: 60 d")).processDefinition());
                gavel.proposal();
                assertThat(gavel.sweepDaily(59)).isEmpty();
                assertThat(gavel.sweepDaily(1)).hasSize(1);
            }),
            Case.of(
                    "config 5",
                    _ -> assertThat(((ProcessParseResult.Invalid) parsed("after: 90 d", "after: soon")).problems())
                            .first()
                            .satisfies(
                                    problem -> assertThat(problem.toString()).contains("'after'", "duration", "soon"))),
            Case.of(
                    "hooks 1",
                    gavel -> assertThat(receivers(gavel, Map.of("/one", 204), "/one"))
                            .containsExactly("/one")),
            Case.of(
                    "hooks 2",
                    gavel -> assertThat(receivers(gavel, Map.of("/one", 204, "/unused", 204), "/one"))
                            .containsExactly("/one")),
            Case.of(
                    "hooks 3",
                    gavel -> assertThat(receivers(gavel, Map.of("/one", 204, "/two", 204), "/one", "/two"))
                            .containsExactlyInAnyOrder("/one", "/two")),
            Case.of(
                    "hooks 4",
                    gavel -> assertThat(receivers(gavel, Map.of("/failing", 500, "/two", 204), "/failing", "/two"))
                            .containsExactly("/two")));

    @TestFactory
    Stream<DynamicTest> theCasesOfTheAutomation() {
        return McpAutomationFixture.tests(CASES, directory);
    }

    private static void assertReminder(SepNotification notification, String recipient, String time) {
        assertThat(notification.kind()).isEqualTo(SepNotification.Kind.PING);
        assertThat(notification.recipients()).containsExactly(new Person(recipient));
        assertThat(notification.text()).contains(time);
        assertThat(DISCORD.body(1, notification, Map.of()).at("content").text()).contains(recipient, time);
    }

    /** The delays of all steps of the clocks that run in a state, in days. */
    private static List<Long> stepDays(ProcessDefinition process, String state) {
        return process.clockRules().stream()
                .filter(clockRule -> clockRule.states().contains(state))
                .flatMap(clockRule -> clockRule.steps().stream())
                .map(ClockRule.Step::after)
                .map(Duration::toDays)
                .sorted()
                .toList();
    }

    private static ProcessParseResult parsed(String text, String replacement) {
        return ProcessFileParser.parse(
                "mcp.yaml", BuiltInProcesses.yaml("mcp-2026").orElseThrow().replaceFirst(text, replacement));
    }

    /**
     * Returns the paths that accept a reminder which is sent to the configured paths.
     *
     * @param statuses the HTTP status with which each path of the receiver answers
     */
    private static Set<String> receivers(
            McpAutomationFixture gavel, Map<String, Integer> statuses, String... configured) throws IOException {
        gavel.proposal();
        Set<String> received = ConcurrentHashMap.newKeySet();
        Set<String> accepted = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        statuses.forEach((path, status) -> server.createContext(path, exchange -> {
            exchange.getRequestBody().readAllBytes();
            received.add(path);
            if (status < 300) {
                accepted.add(path);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        }));
        server.start();
        List<Webhook> hooks = Stream.of(configured)
                .map(path -> Webhook.of(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path)))
                .toList();
        // A webhook gets the notifications after its cursor.
        SepNotificationReader reader =
                gavel.service().notificationReaders(Optional.empty()).getFirst();
        hooks.forEach(hook -> gavel.service().deliveryCursors().position(hook.id(), reader::lastSeq));
        gavel.advanceDays(90);
        gavel.sweep();
        DeliveryRetryPolicy twoAttempts =
                new DeliveryRetryPolicy(Duration.ofSeconds(10), Duration.ZERO, Duration.ZERO, 2, _ -> {});
        try (NotificationSender sender = new NotificationSender(
                hooks.stream()
                        .map(hook -> new WebhookChannel(hook, Map.of(), twoAttempts.responseTimeout()))
                        .toList(),
                List.of(reader),
                gavel.service().deliveryCursors(),
                twoAttempts,
                () -> true)) {
            sender.start();
            await().until(() -> received.containsAll(List.of(configured)));
        } finally {
            server.stop(0);
        }
        return accepted;
    }
}
