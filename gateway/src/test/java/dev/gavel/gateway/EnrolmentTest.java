package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Limits;
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

class EnrolmentTest {
    private static final ProposalRules RULES = new ProposalRules(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofMinutes(10), ProposalRules.Rejection.VETO, false);

    @TempDir
    Path directory;

    private SqliteLedger open() {
        return switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger opened) -> opened;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    @Test
    void whoChangesAMemberDoesNotWaitForEveryOpenProposal() throws Exception {
        DefaultEventExecutor loop = new DefaultEventExecutor();
        CompletableFuture<String> held = new CompletableFuture<>();
        try (SqliteLedger ledger = open();
                LedgerWriter writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT)) {
            Docket docket = new Docket("ops", new ProposalLife(RULES, new Members(Map.of())), writer, ledger);
            Gateway gateway = new Gateway(
                    Map.of("ops", new TopicPlan(List.of(), Optional.of(docket))),
                    List.of(loop),
                    new Gateway.Bounds(Limits.DEFAULT, 100, 100),
                    Runnable::run,
                    InstantSource.system());
            gateway.open();
            Topic topic = gateway.topic("ops").orElseThrow();
            try {
                // As long as this is decided, no proposal is looked at.
                writer.submit("other", view -> Decided.nothing(held.join()), outcome -> {});
                topic.enrol(new Member("alice", Capabilities.NONE))
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS);
                assertThat(topic.member("alice")).isPresent();
                topic.expel("alice").toCompletableFuture().get(30, TimeUnit.SECONDS);
                assertThat(topic.member("alice")).isEmpty();
            } finally {
                held.complete("over");
            }
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
