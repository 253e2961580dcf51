package dev.gavel.mcp.facade.desk;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Membership;
import dev.gavel.gateway.TopicPlan;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Limits;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** People who call, each in a topic of their own. */
final class Callers {
    private Callers() {}

    /** Somebody with these capabilities, in JSON with single quotes. */
    static Caller of(String id, String capabilities) {
        Member member = new Member(
                id,
                Capabilities.fromJson(capabilities.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                        .orThrow());
        Gateway gateway = new Gateway(
                Map.of("t", new TopicPlan(List.of(member), Optional.empty())),
                List.of(ImmediateEventExecutor.INSTANCE),
                new Gateway.Bounds(Limits.DEFAULT, 1, 1),
                Runnable::run,
                InstantSource.system());
        Membership membership = gateway.topic("t").orElseThrow().membership(id).orElseThrow();
        return new Caller(membership, Settings.DEFAULT, true);
    }
}
