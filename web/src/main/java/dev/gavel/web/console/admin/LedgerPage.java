package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The page that shows the ledger's streams and the result of its verification.
 *
 * @param location where the ledger is stored
 * @param bytes the size on disk
 * @param verification the running or last verification
 */
public record LedgerPage(
        PageLayoutData frame,
        String location,
        StatusBadge statusBadge,
        long bytes,
        List<StreamRow> streamRows,
        Optional<VerificationView> verification) {
    public LedgerPage {
        streamRows = List.copyOf(streamRows);
    }

    /**
     * A stream of the ledger, which forms a separate hash chain.
     *
     * @param description what the stream contains
     */
    public record StreamRow(String name, String description, long first, long last) {
        /** The largest possible number of events; how many of them retention has removed in between is not known. */
        public long events() {
            return Math.max(0, last - first + 1);
        }
    }

    /**
     * The progress or the result of a verification.
     *
     * @param requestedBy the admin who requested it
     * @param endedAt empty while the verification runs
     * @param events the number of events verified so far
     * @param totalEvents the number of events when the verification started
     * @param failure why the verification could not finish
     */
    public record VerificationView(
            String requestedBy,
            Instant startedAt,
            Optional<Instant> endedAt,
            long events,
            long totalEvents,
            Optional<String> failure,
            List<HeadRow> headRows,
            List<FindingRow> findingRows,
            long hiddenFindings,
            String command) {
        public VerificationView {
            headRows = List.copyOf(headRows);
            findingRows = List.copyOf(findingRows);
        }

        public boolean running() {
            return endedAt.isEmpty();
        }

        /** The progress in percent. */
        public long percent() {
            return totalEvents <= 0 ? 0 : Math.min(100, 100 * events / totalEvents);
        }

        /** The number of all findings, including those that are not shown. */
        public long findingCount() {
            return findingRows.size() + hiddenFindings;
        }

        /** All heads, one per line, for the admin to note down. */
        public String headsText() {
            return String.join(
                    "\n",
                    headRows.stream()
                            .map(HeadRow::head)
                            .filter(head -> !head.isEmpty())
                            .toList());
        }
    }

    /**
     * The result of verifying one stream.
     *
     * @param head the head to compare with later; empty if the stream has none
     */
    public record HeadRow(String stream, long events, long forgotten, String head) {}

    /** A part of the ledger that is not as it was written. */
    public record FindingRow(String location, String kind, String detail) {}

    /** The size as text: {@code 1.4 MB}. */
    public String size() {
        if (bytes < 1000) {
            return bytes + " bytes";
        }
        return bytes < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                : bytes < 1_000_000_000
                        ? String.format(Locale.ROOT, "%.1f MB", bytes / 1e6)
                        : String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
