package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a topic while its ledger cannot be read completely. */
class ProposalReaderTest {
    private static final ProposalDecider DECIDER = new ProposalDecider(
            new ProposalSettings(
                    Duration.ofMinutes(15),
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    ProposalSettings.RejectionPolicy.VETO,
                    false),
            new CapabilitiesByMember(Map.of()));

    @TempDir
    Path directory;

    private ProposalStoreFixture room;

    @BeforeEach
    void fill() {
        room = new ProposalStoreFixture(directory);
        room.propose();
        room.propose();
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void aProposalThatMakesNoSenseIsPassedOver() {
        ProposalReader proposalReader = readerFailingWith(new LedgerException("seq 1: no such step"));
        assertThat(proposalReader.loadPending())
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("p-2");
    }

    @Test
    void aDatabaseThatGoesAwayMeanwhilePassesNothingOver() {
        LedgerException away = new LedgerException("the ledger could not be read", new SQLException("gone", "08006"));
        ProposalReader proposalReader = readerFailingWith(away);
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(proposalReader::loadPending)
                .isSameAs(away);
    }

    /** Returns a reader on the fixture's ledger that cannot read the history of the first proposal. */
    private ProposalReader readerFailingWith(LedgerException failure) {
        LedgerReader failing = (LedgerReader) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LedgerReader.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("history") && "p-1".equals(arguments[1])) {
                        throw failure;
                    }
                    try {
                        return method.invoke(room.ledger, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
        return new ProposalReader("ops", () -> DECIDER, failing, ToolBaselineStore.inMemory());
    }
}
