package dev.gavel.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.mcpx.Kind;
import dev.gavel.sep.notification.Contact;
import dev.gavel.sep.notification.MailSettings;
import dev.gavel.sep.notification.Webhook;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.yaml.ProblemCollector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SepConfigReaderTest {
    private final ProblemCollector problemCollector = new ProblemCollector();

    private ServerConfig read(String sep) {
        return read("gavel.yaml", sep);
    }

    private ServerConfig read(String file, String sep) {
        return new ConfigFileReader(Map.of("HOOK", "https://discord.com/api/webhooks/swordfish")::get, problemCollector)
                .read(file, """
                identities:
                  alice: {token: alice-0123456789abcdef, roles: [core-maintainer]}
                  root: {token: root-0123456789abcdefg, roles: [admin]}
                  helper: {token: helper-0123456789abcdef}
                  prepared: {}
                topics:
                  ops: {participants: {alice: ["*"]}}
                """ + sep);
    }

    private List<String> wrong() {
        return problemCollector.list().stream().map(Object::toString).toList();
    }

    private static ServerConfig.Topic topic(ServerConfig config, String name) {
        return Objects.requireNonNull(config.topics().get(name));
    }

    private static boolean isAllowed(ServerConfig config, String member, String kind) {
        return Objects.requireNonNull(topic(config, "seps").members().get(member))
                .admitsKind(Kind.of(kind));
    }

    @Test
    void aTopicThatIsOnlyNamedHereIsWhatSuchATopicShouldBe() {
        ServerConfig config = read("sep: {process: sep-1286, topic: seps, webhooks: []}");

        assertThat(wrong()).isEmpty();
        assertThat(topic(config, "seps").members().keySet())
                .containsExactlyInAnyOrder("alice", "root", "helper", "sep-desk");
        assertThat(isAllowed(config, "alice", "mcp.request.tools/call:sep_move"))
                .isTrue();
        assertThat(isAllowed(config, "root", "mcp.request.tools/call:sep_move")).isTrue();
        assertThat(isAllowed(config, "helper", "mcp.request.tools/call:sep_move"))
                .isFalse();
        assertThat(isAllowed(config, "helper", "mcp.request.tools/call:sep_vote"))
                .isFalse();
        assertThat(isAllowed(config, "helper", "mcp.request.tools/call:sep_submit"))
                .isTrue();
        assertThat(isAllowed(config, "helper", "mcp.request.tools/call:sep_comment"))
                .isTrue();
        assertThat(isAllowed(config, "helper", "mcp.request.tools/call:sep_next"))
                .isTrue();
        assertThat(isAllowed(config, "helper", "mcp.proposal.tools/call:sep_move"))
                .isTrue();
        assertThat(isAllowed(config, "sep-desk", "mcp.response.tools/call:sep_move"))
                .isTrue();
        assertThat(isAllowed(config, "sep-desk", "mcp.request.tools/call:sep_move"))
                .isFalse();
        assertThat(config.ownParticipantsIn("seps")).containsExactly("sep-desk");
    }

    @Test
    void inATopicThatIsThereTheDeskIsAMemberMoreAndNobodyElse() {
        ServerConfig config = read("sep: {topic: ops}");

        assertThat(wrong()).isEmpty();
        assertThat(topic(config, "ops").members().keySet()).containsExactly("alice", "sep-desk");
    }

    @Test
    void whereNothingIsSaidThereIsADeskWithoutATopic() {
        ServerConfig config = read("");

        assertThat(config.sepConfig().topic()).isEmpty();
        assertThat(config.sepConfig().processDefinition().name()).isEqualTo("sep-1286");
        assertThat(config.sepConfig().wip()).isEqualTo(5);
        assertThat(config.sepConfig().sweep()).contains(Duration.ofHours(1));
        assertThat(config.identities()).doesNotContainKey("sep-desk");
    }

    @Test
    void webhooksAreSecretsAndMostSayByTheirAddressWhatTheyTake() {
        ServerConfig config = read("""
                sep:
                  webhooks: ["env:HOOK", "https://hooks.slack.com/x", {url: "https://example.org/x", kind: slack}, "http://example.org/"]
                  wip: 3
                  sweep: off
                """);

        assertThat(wrong()).isEmpty();
        assertThat(config.sepConfig().webhooks())
                .extracting(Webhook::kind)
                .containsExactly(Webhook.Kind.DISCORD, Webhook.Kind.SLACK, Webhook.Kind.SLACK, Webhook.Kind.JSON);
        assertThat(config.toString()).doesNotContain("swordfish");
        assertThat(config.sepConfig().wip()).isEqualTo(3);
        assertThat(config.sepConfig().sweep()).isEqualTo(Optional.empty());
    }

    @Test
    void aProcessOfOnesOwnIsFoundBesideTheConfigurationAndBringsItsRoles(@TempDir Path directory) throws Exception {
        Files.writeString(
                directory.resolve("ours.yaml"),
                BuiltInProcesses.yaml("sep-1286")
                        .orElseThrow()
                        .replace("core-maintainer", "steward")
                        .replace("process: sep-1286", "process: ours"));
        String file = directory.resolve("gavel.yaml").toString();
        ServerConfig config = new ConfigFileReader(name -> null, problemCollector).read(file, """
                identities:
                  alice: {token: alice-0123456789abcdef, roles: [steward, admin]}
                topics:
                  ops: {participants: {alice: ["*"]}}
                sep: {process: ours.yaml, topic: seps}
                """);

        assertThat(wrong()).isEmpty();
        assertThat(config.sepConfig().processDefinition().name()).isEqualTo("ours");
        assertThat(config.sepConfig().rolesAndAdmin())
                .containsExactly("admin", "lead-maintainer", "maintainer", "steward");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sep: {process: sep-1268}          | gavel.yaml:8: unknown process 'sep-1268'. Did you mean 'sep-1286'?
            sep: {process: ours.yaml}         | gavel.yaml:8: cannot read the process file ours.yaml
            sep: {topik: x}                   | gavel.yaml:8: unknown key 'topik'. Did you mean 'topic'?
            sep: {wip: 0}                     | gavel.yaml:8: 'wip' must be at least 1
            sep: {sweep: 1s}                  | gavel.yaml:8: 'sweep' must be at least 1m, or off
            sep: {webhooks: [nowhere]}        | gavel.yaml:8: a webhook must be a URL such as https://example.org/hook, env:NAME or file:PATH
            sep: {webhooks: ["env:NONE"]}     | gavel.yaml:8: the environment variable 'NONE' is not set
            sep: {webhooks: [{url: "http://a", kind: slak}]} | gavel.yaml:8: 'slak' is not a kind of webhook. Did you mean 'slack'?
            """)
    void everyMistakeIsNamedWithItsLine(String sep, String message) {
        read(sep);

        assertThat(wrong()).containsExactly(message);
    }

    @Test
    void nobodyHasTheDesksNameAndAToken() {
        new ConfigFileReader(name -> null, problemCollector).read("gavel.yaml", """
                identities:
                  sep-desk: {token: sepdesk-0123456789abcdef}
                topics:
                  ops: {participants: {sep-desk: ["*"]}}
                """);

        assertThat(wrong())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("gavel.yaml:2: 'sep-desk' is the name of the SEP service");
    }

    private ServerConfig readPeople(String identities, String sep) {
        return new ConfigFileReader(Map.of("SMTP_PASSWORD", "swordfish")::get, problemCollector)
                .read("gavel.yaml", "topics: {ops: {participants: {ada: [\"*\"]}}}\nidentities:\n" + identities + sep);
    }

    @Test
    void peopleHaveIdsForMentionsAndMailAddresses() {
        ServerConfig config = readPeople("""
                  ada: {mail: ada@example.org, mentions: {discord: "175928847299117063", slack: U024BE7LH}}
                  bob: {}
                """, """
                sep:
                  mail: {smtp: "smtps://mail.example.org", from: gavel@example.org, user: gavel, password: "env:SMTP_PASSWORD"}
                """);

        assertThat(wrong()).isEmpty();
        assertThat(config.sepConfig().contacts())
                .containsExactly(Map.entry(
                        new Person("ada"),
                        new Contact(
                                Optional.of("175928847299117063"),
                                Optional.of("U024BE7LH"),
                                Optional.of("ada@example.org"))));
        assertThat(config.sepConfig().mail())
                .contains(new MailSettings(
                        URI.create("smtps://mail.example.org"),
                        "gavel@example.org",
                        Optional.of(new MailSettings.Login("gavel", "swordfish"))));
        assertThat(config.sepConfig().mail().toString()).doesNotContain("swordfish");
    }

    @Test
    void mistakesInContactsAndMailNameTheKeyAndShowNoPassword() {
        readPeople("""
                  ada: {mail: "ada@example.org>", mentions: {discord: "@ada", slack: ada, irc: ada}}
                """, """
                sep:
                  mail: {smtp: "https://mail.example.org", from: gavel, user: gavel, password: "env:MISSING"}
                """);

        assertThat(wrong())
                .hasSize(7)
                .anyMatch(problem -> problem.contains("'mail' must be a mail address"))
                .anyMatch(problem -> problem.contains("'discord' must be a Discord user id"))
                .anyMatch(problem -> problem.contains("'slack' must be a Slack member id"))
                .anyMatch(problem -> problem.contains("irc"))
                .anyMatch(problem -> problem.contains("must begin with smtps:// or smtp://"))
                .anyMatch(problem -> problem.contains("'from' must be a mail address"))
                .anyMatch(problem -> problem.contains("MISSING"));
    }

    @Test
    void aMailServerNeedsUserAndPasswordTogether() {
        readPeople("  ada: {}\n", "sep: {mail: {smtp: \"smtp://127.0.0.1:2525\", from: g@example.org, user: g}}\n");
        assertThat(wrong()).singleElement().asString().endsWith("'user' and 'password' are needed together");
    }
}
