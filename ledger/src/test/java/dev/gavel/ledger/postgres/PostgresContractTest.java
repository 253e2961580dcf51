package dev.gavel.ledger.postgres;

import dev.gavel.ledger.ChainContract;
import dev.gavel.ledger.LedgerContract;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import org.junit.jupiter.api.Nested;

/** PostgreSQL keeps a ledger as every store does. */
class PostgresContractTest {
    private final String url = PostgresServer.shared().freshSchema();

    @Nested
    class Contract extends LedgerContract {
        @Override
        protected LedgerStore open() {
            return PostgresLedgers.open(PostgresLedgers.options(url, Use.ALONE));
        }
    }

    @Nested
    class Chains extends ChainContract {
        @Override
        protected LedgerStore open() {
            return PostgresLedgers.shared(url);
        }
    }
}
