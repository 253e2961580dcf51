package dev.gavel.ledger.lease;

/** The leases of a process that shares its ledger with nobody: everything is its own at once and for good. Thread-safe. */
public final class Alone implements Leases {
    private static final Term FOREVER = new Term() {
        @Override
        public boolean holds() {
            return true;
        }

        @Override
        public long epoch() {
            return 1;
        }
    };

    @Override
    public Candidacy stand(String name, Holder holder) {
        holder.begin(FOREVER);
        return new Candidacy() {
            @Override
            public String holder() {
                return "";
            }

            @Override
            public void close() {
                holder.end();
            }
        };
    }

    @Override
    public void close() {
        // Nobody waits for what it holds.
    }
}
