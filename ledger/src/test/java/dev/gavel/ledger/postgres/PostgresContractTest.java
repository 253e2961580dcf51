package dev.gavel.ledger.postgres;

import dev.gavel.ledger.HashChainContract;
import dev.gavel.ledger.LedgerContract;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import org.junit.jupiter.api.Nested;

/** Tests that the PostgreSQL ledger passes the contract tests of all ledger stores. */
class PostgresContractTest {
    private final String url = TestPostgresServer.shared().freshSchema();

    @Nested
    class Contract extends LedgerContract {
        @Override
        protected LedgerStore open() {
            return TestPostgresLedgers.open(TestPostgresLedgers.options(url, Use.EXCLUSIVE));
        }
    }

    @Nested
    class Chains extends HashChainContract {
        @Override
        protected LedgerStore open() {
            return TestPostgresLedgers.shared(url);
        }
    }
}
