package dev.gavel.gateway.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.ledger.LedgerFailure;
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

/** A topic is opened while its ledger cannot be read as it should. */
class ArchiveTest {
    private static final ProposalLife LIFE = new ProposalLife(
            new ProposalRules(
                    Duration.ofMinutes(15),
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    ProposalRules.Rejection.VETO,
                    false),
            new Members(Map.of()));

    @TempDir
    Path directory;

    private DocketRoom room;

    @BeforeEach
    void fill() {
        room = new DocketRoom(directory);
        room.propose();
        room.propose();
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void aProposalThatMakesNoSenseIsPassedOver() {
        Archive archive = archive(new LedgerFailure("seq 1: no such step"));
        assertThat(archive.standings()).extracting(Standing::id).containsExactly("p-2");
    }

    @Test
    void aDatabaseThatGoesAwayMeanwhilePassesNothingOver() {
        LedgerFailure away = new LedgerFailure("the ledger could not be read", new SQLException("gone", "08006"));
        Archive archive = archive(away);
        assertThatExceptionOfType(LedgerFailure.class)
                .isThrownBy(archive::standings)
                .isSameAs(away);
    }

    /** The room's, where the history of the first proposal cannot be read. */
    private Archive archive(LedgerFailure failure) {
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
        return new Archive("ops", () -> LIFE, failing);
    }
}
