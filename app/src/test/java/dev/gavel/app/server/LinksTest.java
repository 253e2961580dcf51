package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.ConfigReader;
import dev.gavel.app.config.Listen;
import dev.gavel.app.edge.console.session.SignInCodes;
import dev.gavel.yaml.Problems;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinksTest {
    private static List<String> mcp(String yaml) {
        Problems problems = new Problems();
        Config config = new ConfigReader(name -> null, problems).read("gavel.yaml", yaml);
        assertThat(problems.list()).isEmpty();
        Links links = new Links(config, new Listen("0.0.0.0", 4285), new SignInCodes(InstantSource.system()));
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
