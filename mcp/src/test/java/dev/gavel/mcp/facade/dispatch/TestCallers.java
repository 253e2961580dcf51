package dev.gavel.mcp.facade.dispatch;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates callers with given capabilities for tests, each in a separate topic. */
final class TestCallers {
    private TestCallers() {}

    /** Returns a caller with these capabilities, in JSON with single quotes. */
    static FacadeCaller of(String id, String capabilities) {
        Member member = new Member(
                id,
                CapabilitySet.fromJson(capabilities.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                        .orThrow());
        Gateway gateway = new Gateway(
                Map.of("t", new TopicConfig(List.of(member), Optional.empty())),
                List.of(ImmediateEventExecutor.INSTANCE),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
                FairExecutor.unlimited(Runnable::run),
                InstantSource.system());
        LiveMembership membership =
                gateway.topic("t").orElseThrow().membership(id).orElseThrow();
        return new FacadeCaller(membership, new RevocableAccessGrant(), PendingCallSettings.DEFAULT, true);
    }
}
