package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The page that shows the ledger's streams and the result of its verification.
 *
 * @param location where it is kept
 * @param bytes how large that is
 * @param verification how verifying it stands
 */
public record LedgerPage(
        PageFrame frame,
        String location,
        StatusBadge statusBadge,
        long bytes,
        List<StreamRow> streamRows,
        Optional<VerificationView> verification) {
    public LedgerPage {
        streamRows = List.copyOf(streamRows);
    }

    /**
     * A part of the ledger that is a chain of its own.
     *
     * @param description what is in it, in words; empty for a topic's
     */
    public record StreamRow(String name, String description, long first, long last) {
        /** How many events it has at most: those that retention forgot in between are not known. */
        public long events() {
            return Math.max(0, last - first + 1);
        }
    }

    /**
     * A verification.
     *
     * @param requestedBy who wanted it
     * @param endedAt when it did; nothing while it runs
     * @param events how many were looked at so far
     * @param totalEvents how many there were when it began
     * @param failure why it could not be brought to an end
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

        /** How far it has come, in hundredths. */
        public long percent() {
            return totalEvents <= 0 ? 0 : Math.min(100, 100 * events / totalEvents);
        }

        /** How many findings there are in all. */
        public long findingCount() {
            return findingRows.size() + hiddenFindings;
        }

        /** All heads, to be noted: one on a line. */
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
     * What a part came to.
     *
     * @param head as it is compared later; empty where it is destroyed
     */
    public record HeadRow(String stream, long events, long forgotten, String head) {}

    /** Something that is not as it was written. */
    public record FindingRow(String where, String what, String detail) {}

    /** As people read it: {@code 1.4 MB}. */
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
