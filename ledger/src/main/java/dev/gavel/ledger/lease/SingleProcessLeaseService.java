package dev.gavel.ledger.lease;

/** The leases of a process that shares its ledger with nobody: everything is its own at once and for good. Thread-safe. */
public final class SingleProcessLeaseService implements LeaseService {
    private static final LeaseTerm FOREVER = new LeaseTerm() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public long epoch() {
            return 1;
        }
    };

    @Override
    public LeaseRequest request(String name, LeaseListener leaseListener) {
        leaseListener.onAcquire(FOREVER);
        return new LeaseRequest() {
            @Override
            public String otherHolder() {
                return "";
            }

            @Override
            public void close() {
                leaseListener.onRelease();
            }
        };
    }

    @Override
    public void close() {
        // Nobody waits for what it holds.
    }
}
