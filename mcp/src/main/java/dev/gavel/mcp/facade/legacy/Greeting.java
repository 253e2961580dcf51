package dev.gavel.mcp.facade.legacy;

import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.facade.port.Version;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;

/** The answer to {@code initialize}. Stateless. */
final class Greeting {
    private Greeting() {}

    static Message answer(String id, Json params, Introduction introduction) {
        Version version = Version.of(params.at("protocolVersion").text())
                .filter(Version::hasSessions)
                .orElse(Version.NEWEST_WITH_SESSIONS);
        return Answers.result(id, json -> {
            json.writeStringProperty("protocolVersion", version.date());
            introduction.writeCapabilities(json, false);
            json.writeName("serverInfo");
            introduction.writeServer(json);
            introduction.writeInstructions(json);
        });
    }
}
