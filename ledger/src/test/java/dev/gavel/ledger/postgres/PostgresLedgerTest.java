package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.ended;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static dev.gavel.ledger.postgres.TestPostgresLedgers.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SampleEvents;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresLedgerTest {
    private static final TestPostgresServer SERVER = TestPostgresServer.shared();

    private final String url = SERVER.freshDatabase();

    @Test
    void aNewerSchemaIsRefusedAndLeftAlone() {
        opening(Use.EXCLUSIVE).close();
        SERVER.execute(url, "INSERT INTO gavel_schema (version) VALUES (7)");
        assertThat(refusal(Use.EXCLUSIVE)).contains("newer version of Gavel", "schema 7", "supports up to 2");
        SERVER.execute(url, "DELETE FROM gavel_schema WHERE version = 7");
        opening(Use.EXCLUSIVE).close();
    }

    @Test
    void anotherProgramsDatabaseIsRefusedAndLeftAloneButASchemaOfItsOwnIsNot() {
        SERVER.execute(url, "CREATE TABLE theirs (x integer)");
        assertThat(refusal(Use.EXCLUSIVE)).contains("not a Gavel ledger", "currentSchema");
        assertThat(SERVER.execute(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
                .isEqualTo(1);
        assertThat(refusal(options(url + "&currentSchema=gavel", Use.EXCLUSIVE)))
                .contains("no schema");
        SERVER.execute(url, "CREATE SCHEMA gavel");
        try (PostgresLedger ledger = TestPostgresLedgers.open(options(url + "&currentSchema=gavel", Use.EXCLUSIVE))) {
            LedgerEvent event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
        }
        assertThat(SERVER.execute(url, "SELECT last_seq FROM gavel.stream")).isEqualTo(1);
    }

    /** Another process creates the tables between any two queries. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void tablesThatAnotherProcessMakesMeanwhileAreNotTakenForSomebodyElses(int question) throws SQLException {
        AtomicInteger asked = new AtomicInteger();
        Runnable meanwhile = () -> {
            if (asked.incrementAndGet() == question) {
                opening(Use.SHARED).close();
            }
        };
        try (PostgresSession session = new PostgresSession(
                beforeEachQuestion(new PostgresConnector(options(url, Use.SHARED)).connectForQueries(), meanwhile))) {
            assertThat(PostgresMigrations.ALL.inspect(session)).isEqualTo(PostgresMigrations.Schema.KNOWN);
        }
    }

    private static Connection beforeEachQuestion(Connection connection, Runnable what) {
        return (Connection) Proxy.newProxyInstance(
                PostgresLedgerTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        what.run();
                    }
                    return method.invoke(connection, arguments);
                });
    }

    /** All writers wait for pruning; a rebuild of the summaries runs without other users. */
    @Test
    void forgettingHasLittleTimeAndRebuildingHasMuch() {
        try (PostgresLedger ledger = opening(Use.EXCLUSIVE)) {
            SERVER.execute(url, """
                    CREATE TABLE seen (what text, lock_timeout text);
                    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        INSERT INTO seen VALUES (TG_TABLE_NAME, current_setting('lock_timeout'));
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER see AFTER INSERT ON forgotten FOR EACH ROW EXECUTE FUNCTION see();
                    """);
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, ended(first, SampleEvents.START));
            LedgerEvent second = event("ops", 2, "p2");
            append(ledger, second, opened(second));
            assertThat(ledger.prune(SampleEvents.START.plusSeconds(1), 10)).isEqualTo(1);
            SERVER.execute(url, "CREATE TRIGGER see AFTER INSERT ON summary FOR EACH ROW EXECUTE FUNCTION see()");
            assertThat(ledger.rebuildSummaries(SampleEvents::summarise)).isEqualTo(1);
            assertThat(SERVER.execute(url, "SELECT count(*) FROM seen")).isEqualTo(2);
            assertThat(SERVER.execute(
                            url, "SELECT count(*) FROM seen WHERE (what, lock_timeout) = ('forgotten', '2s')"))
                    .isEqualTo(1);
            assertThat(SERVER.execute(url, "SELECT count(*) FROM seen WHERE (what, lock_timeout) = ('summary', '30s')"))
                    .isEqualTo(1);
        }
    }

    @Test
    void whatOthersWantedWrittenIsNotPartOfWhatIsSaidOfAFailure() {
        try (PostgresLedger ledger = opening(Use.EXCLUSIVE)) {
            LedgerEvent first = event("ops", 1, "hush");
            append(ledger, first, opened(first));
            LedgerEvent again = new LedgerEvent(
                    "ops",
                    2,
                    first.at(),
                    "hush",
                    "hush",
                    "hush",
                    first.reference(),
                    LedgerBody.of("{\"say\":\"hush\"}"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ledger.write(
                            Set.of("ops"), reader -> new LedgerBatch(List.of(again), List.of(opened(again)))))
                    .satisfies(failure -> assertThat(stackTrace(failure))
                            .contains("a reference occurs twice")
                            .doesNotContain("hush", String.valueOf(first.reference()), "VALUES"));
            SERVER.execute(url, """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        RAISE EXCEPTION 'not today' USING ERRCODE = 'GV001', DETAIL = NEW.actor;
                    END $$;
                    CREATE TRIGGER refuse BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse();
                    """);
            LedgerEvent second = new LedgerEvent("ops", 2, first.at(), "hush", "hush", "hush", "hush", first.body());
            assertThat(ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(second), List.of(opened(second)))))
                    .isEqualTo(new CommitResult.Unavailable(
                            "the ledger's database refused the write (SQLSTATE GV001)", "ERROR: not today"));
        }
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aDatabaseThatIsNotThereIsRefusedWithoutSayingSecrets() {
        String nowhere = url.replaceFirst("/test\\d+", "/nowhere") + "&password=hush";
        assertThat(refusal(options(nowhere, Use.EXCLUSIVE)))
                .contains("cannot be opened", "nowhere")
                .doesNotContain("hush");
    }

    @Test
    void whoIsAloneSharesWithNobodyAndThoseWithABusShareWithEachOther() {
        try (PostgresLedger alone = opening(Use.EXCLUSIVE)) {
            assertThat(refusal(Use.EXCLUSIVE)).contains("Another gateway is using the ledger", "bus: nats://");
            assertThat(refusal(Use.SHARED)).contains("without a bus", "bus: nats://");
            assertThat(alone.probe()).isEqualTo(new CommitResult.Committed());
        }
        try (PostgresLedger one = opening(Use.SHARED);
                PostgresLedger other = opening(Use.SHARED)) {
            assertThat(refusal(Use.EXCLUSIVE)).contains("Another gateway is using the ledger");
            LedgerEvent first = event("ops", 1, "p1");
            append(one, first, opened(first));
            LedgerEvent second = event("ops", 2, "p1");
            append(other, second, opened(second));
            assertThat(one.history("ops", "p1")).containsExactly(first, second);
            assertThat(one.lastSeqs()).isEqualTo(Map.of("ops", 2L));
        }
    }

    @Test
    void aViewReadsBesideThoseWhoWriteAndMakesNothing() {
        assertThat(PostgresReadOnlyLedger.open(options(url, Use.SHARED)))
                .isInstanceOfSatisfying(
                        PostgresOpenResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("empty or was written by an older version"));
        try (PostgresLedger ledger = opening(Use.EXCLUSIVE)) {
            LedgerEvent event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            if (PostgresReadOnlyLedger.open(options(url, Use.SHARED))
                    instanceof PostgresOpenResult.Opened<PostgresReadOnlyLedger>(var view)) {
                try (view) {
                    assertThat(view.history("ops", "p1")).containsExactly(event);
                }
            } else {
                throw new AssertionError("refused");
            }
        }
    }

    @Test
    void aChangeOfIdentitiesWaitsForADecisionThatHasReadThem() throws Exception {
        String waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        try (PostgresLedger deciding = TestPostgresLedgers.shared(url);
                PostgresLedger changing = TestPostgresLedgers.shared(url)) {
            LedgerEvent change = event(LedgerReader.IDENTITY_STREAM, 1, "helper");
            LedgerEvent decision = event("ops", 1, "p-1");
            AtomicReference<CompletableFuture<CommitResult>> changed = new AtomicReference<>();
            deciding.write(Set.of("ops"), reader -> {
                assertThat(reader.lastIdentitySeq()).isZero();
                changed.set(CompletableFuture.supplyAsync(() -> changing.write(
                        Set.of(LedgerReader.IDENTITY_STREAM),
                        ignored -> new LedgerBatch(List.of(change), List.of(opened(change))))));
                await().until(() -> changed.get().isDone() || SERVER.execute(url, waiting) > 0);
                assertThat(changed.get()).isNotDone();
                return new LedgerBatch(List.of(decision), List.of(opened(decision)));
            });
            assertThat(changed.get().join()).isInstanceOf(CommitResult.Committed.class);
            deciding.write(Set.of("ops"), reader -> {
                assertThat(reader.lastIdentitySeq()).isEqualTo(1);
                return new LedgerBatch(List.of(), List.of());
            });
        }
    }

    @Test
    void aClosedLedgerSaysSo() {
        PostgresLedger ledger = opening(Use.EXCLUSIVE);
        ledger.close();
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> ledger.retainedRange("ops"))
                .withMessageContaining("closed");
        LedgerEvent event = event("ops", 1, "p1");
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() ->
                        ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(event), List.of(opened(event)))))
                .withMessageContaining("closed");
    }

    private PostgresLedger opening(Use use) {
        return TestPostgresLedgers.open(options(url, use));
    }

    private String refusal(Use use) {
        return refusal(options(url, use));
    }

    private static String refusal(PostgresOptions options) {
        return switch (PostgresLedger.open(options)) {
            case PostgresOpenResult.Opened<PostgresLedger>(PostgresLedger ledger) -> {
                ledger.close();
                throw new AssertionError("was opened");
            }
            case PostgresOpenResult.Refused<PostgresLedger>(String reason) -> reason;
        };
    }
}
