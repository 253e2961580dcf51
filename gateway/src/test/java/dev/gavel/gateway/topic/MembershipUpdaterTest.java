package dev.gavel.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipUpdaterTest {
    private static final ProposalSettings RULES = new ProposalSettings(
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofMinutes(10),
            ProposalSettings.RejectionPolicy.VETO,
            false);

    @TempDir
    Path directory;

    private SqliteLedger open() {
        return switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger opened) -> opened;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    @Test
    void whoChangesAMemberDoesNotWaitForEveryOpenProposal() throws Exception {
        DefaultEventExecutor loop = new DefaultEventExecutor();
        CompletableFuture<String> held = new CompletableFuture<>();
        try (SqliteLedger ledger = open();
                LedgerWriter writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT)) {
            ProposalStore proposalStore = new ProposalStore(
                    "ops", new ProposalDecider(RULES, new CapabilitiesByMember(Map.of())), writer, ledger);
            Gateway gateway = new Gateway(
                    Map.of("ops", new TopicConfig(List.of(), Optional.of(proposalStore))),
                    List.of(loop),
                    new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 100, 100),
                    FairExecutor.unlimited(Runnable::run),
                    InstantSource.system());
            gateway.loadOpenProposals();
            Topic topic = gateway.topic("ops").orElseThrow();
            try {
                // While this task runs, the writer processes no proposal.
                writer.submit("other", writerTaskContext -> TaskDecision.withoutEvents(held.join()), writeResult -> {});
                topic.addMember(new Member("alice", CapabilitySet.NONE))
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS);
                assertThat(topic.member("alice")).isPresent();
                topic.removeMember("alice").toCompletableFuture().get(30, TimeUnit.SECONDS);
                assertThat(topic.member("alice")).isEmpty();
            } finally {
                held.complete("over");
            }
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
