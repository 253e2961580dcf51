package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.audit.Audit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another server takes over. */
class FailoverTest {
    @Test
    void ofSeveralHostsTheOneThatCanBeWrittenToIsUsedAndThenTheOneThatTakesOver() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.standby()) {
            String url = primary.freshDatabase();
            // Nothing is acknowledged before the other has it.
            primary.execute(url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
            primary.execute(url, "SELECT 1 FROM pg_reload_conf()");
            await().until(() ->
                    primary.execute(url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1);
            List<Event> written = new ArrayList<>();
            try (PostgresLedger ledger = PostgresLedgers.shared(
                    url.replaceFirst("//[^/]*/", "//" + dead() + "," + at(standby) + "," + at(primary) + "/"))) {
                for (int seq = 1; seq <= 5; seq++) {
                    write(ledger, written, seq);
                }
                primary.stop();
                String taking = url.replaceFirst("//[^/]*/", "//" + at(standby) + "/");
                standby.execute(taking, "SELECT 1 FROM pg_promote()");
                for (int seq = 6; seq <= 10; seq++) {
                    write(ledger, written, seq);
                }
                List<Event> kept = new ArrayList<>();
                ledger.export(each -> kept.add(each.event()));
                assertThat(kept).isEqualTo(written);
                assertThat(Audit.verify(ledger, "ops", List.of(), () -> {}).findings())
                        .isEmpty();
            }
        }
    }

    private static void write(PostgresLedger ledger, List<Event> written, int seq) {
        Event event = event("ops", seq, "p" + seq);
        append(ledger, event, opened(event));
        written.add(event);
    }

    private static String at(PostgresServer server) {
        return "127.0.0.1:" + server.port();
    }

    private static String dead() throws IOException {
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + nobody.getLocalPort();
        }
    }
}
