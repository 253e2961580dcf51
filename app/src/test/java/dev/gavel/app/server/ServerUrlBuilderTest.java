package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.web.http.ConsoleHost;
import dev.gavel.yaml.ProblemCollector;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerUrlBuilderTest {
    private static ServerUrlBuilder links(String yaml, ListenAddress listenAddress) {
        ProblemCollector problemCollector = new ProblemCollector();
        ServerConfig config = new ConfigFileReader(name -> null, problemCollector).read("gavel.yaml", yaml);
        assertThat(problemCollector.list()).isEmpty();
        return new ServerUrlBuilder(
                config,
                new ConsoleHost(listenAddress, config.publicUrl(), () -> "gavel-secret"),
                listenAddress,
                new SignInCodes(InstantSource.system()));
    }

    private static List<String> mcp(String yaml) {
        return links(yaml, new ListenAddress("0.0.0.0", 4285)).mcp().stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void onALoopbackAddressTheConsoleHasALocalNameAndMcpHasTheAddress() {
        ServerUrlBuilder links = links("topics: {ops: {participants: {}}}", new ListenAddress("127.0.0.1", 4285));
        assertThat(links.consoleUrl()).contains(URI.create("http://gavel-secret.localhost:4285/"));
        assertThat(links.mcp("ops")).hasToString("http://127.0.0.1:4285/mcp/ops");
    }

    @Test
    void onAnotherAddressTheConsoleNeedsAPublicUrl() {
        ListenAddress everywhere = new ListenAddress("0.0.0.0", 4285);
        assertThat(links("topics: {ops: {participants: {}}}", everywhere).consoleUrl())
                .isEmpty();
        assertThat(links("{publicUrl: 'https://gavel.example.org', topics: {ops: {participants: {}}}}", everywhere)
                        .consoleUrl())
                .contains(URI.create("https://gavel.example.org/"));
    }

    @Test
    void programsAreNotGivenAPublicUrlThatIsALocalName() {
        assertThat(mcp("{publicUrl: 'http://gavel-0123456789.localhost:8080', topics: {ops: {participants: {}}}}"))
                .containsExactly("http://127.0.0.1:8080/mcp/ops");
    }

    @Test
    void everyTopicHasAnAddressForMcpClients() {
        assertThat(mcp("topics: {ops: {participants: {}}, lab: {participants: {}}}"))
                .containsExactly("http://127.0.0.1:4285/mcp/ops", "http://127.0.0.1:4285/mcp/lab");
    }

    @Test
    void theAddressIsThePublicOneWhereThereIsOne() {
        assertThat(mcp("{publicUrl: 'https://gavel.example.org', topics: {ops: {participants: {}}}}"))
                .containsExactly("https://gavel.example.org/mcp/ops");
    }

    @Test
    void whereTopicsAreManyTheirAddressesAreOne() {
        String topic = "{participants: {}}";
        assertThat(mcp("topics: {a: %1$s, b: %1$s, c: %1$s, d: %1$s, e: %1$s}".formatted(topic)))
                .containsExactly("http://127.0.0.1:4285/mcp/TOPIC");
    }
}
