package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.audit.HashChainVerifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the ledger continues on a promoted PostgreSQL standby. */
class PostgresFailoverTest {
    @Test
    void ofSeveralHostsTheOneThatCanBeWrittenToIsUsedAndThenTheOneThatTakesOver() throws Exception {
        try (TestPostgresServer primary = TestPostgresServer.start();
                TestPostgresServer standby = primary.standby()) {
            String url = primary.freshDatabase();
            // The primary acknowledges a commit only after the standby has it.
            primary.execute(url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
            primary.execute(url, "SELECT 1 FROM pg_reload_conf()");
            await().until(() ->
                    primary.execute(url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1);
            List<LedgerEvent> written = new ArrayList<>();
            try (PostgresLedger ledger = TestPostgresLedgers.shared(
                    url.replaceFirst("//[^/]*/", "//" + dead() + "," + at(standby) + "," + at(primary) + "/"))) {
                for (int seq = 1; seq <= 5; seq++) {
                    write(ledger, written, seq);
                }
                primary.stop();
                String standbyUrl = url.replaceFirst("//[^/]*/", "//" + at(standby) + "/");
                standby.execute(standbyUrl, "SELECT 1 FROM pg_promote()");
                for (int seq = 6; seq <= 10; seq++) {
                    write(ledger, written, seq);
                }
                List<LedgerEvent> exported = new ArrayList<>();
                ledger.export(each -> exported.add(each.event()));
                assertThat(exported).isEqualTo(written);
                assertThat(HashChainVerifier.verify(ledger, "ops", List.of(), () -> {})
                                .findings())
                        .isEmpty();
            }
        }
    }

    private static void write(PostgresLedger ledger, List<LedgerEvent> written, int seq) {
        LedgerEvent event = event("ops", seq, "p" + seq);
        append(ledger, event, opened(event));
        written.add(event);
    }

    private static String at(TestPostgresServer server) {
        return "127.0.0.1:" + server.port();
    }

    private static String dead() throws IOException {
        try (ServerSocket closedSocket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + closedSocket.getLocalPort();
        }
    }
}
