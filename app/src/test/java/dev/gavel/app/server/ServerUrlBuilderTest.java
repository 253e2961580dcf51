package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.yaml.ProblemCollector;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerUrlBuilderTest {
    private static List<String> mcp(String yaml) {
        ProblemCollector problemCollector = new ProblemCollector();
        ServerConfig config = new ConfigFileReader(name -> null, problemCollector).read("gavel.yaml", yaml);
        assertThat(problemCollector.list()).isEmpty();
        ServerUrlBuilder links = new ServerUrlBuilder(
                config, new ListenAddress("0.0.0.0", 4285), new SignInCodes(InstantSource.system()));
        return links.mcp().stream().map(Object::toString).toList();
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
