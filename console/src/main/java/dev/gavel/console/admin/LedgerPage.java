package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The page of the ledger.
 *
 * @param file where it is kept
 * @param bytes how large that is
 * @param check how verifying it stands
 */
public record LedgerPage(
        Frame frame, String file, Condition condition, long bytes, List<Stream> streams, Optional<Check> check) {
    public LedgerPage {
        streams = List.copyOf(streams);
    }

    /**
     * A part of the ledger that is a chain of its own.
     *
     * @param what what is in it, in words; empty for a topic's
     */
    public record Stream(String name, String what, long first, long last) {
        /** How many events it has at most: those that retention forgot in between are not known. */
        public long events() {
            return Math.max(0, last - first + 1);
        }
    }

    /**
     * A verification.
     *
     * @param by who wanted it
     * @param ended when it did; nothing while it runs
     * @param events how many were looked at so far
     * @param of how many there were when it began
     * @param failure why it could not be brought to an end
     */
    public record Check(
            String by,
            Instant began,
            Optional<Instant> ended,
            long events,
            long of,
            Optional<String> failure,
            List<Head> heads,
            List<Finding> findings,
            long more,
            String command) {
        public Check {
            heads = List.copyOf(heads);
            findings = List.copyOf(findings);
        }

        public boolean running() {
            return ended.isEmpty();
        }

        /** How far it has come, in hundredths. */
        public long percent() {
            return of <= 0 ? 0 : Math.min(100, 100 * events / of);
        }

        /** How many findings there are in all. */
        public long found() {
            return findings.size() + more;
        }

        /** All heads, to be noted: one on a line. */
        public String noted() {
            return String.join(
                    "\n",
                    heads.stream()
                            .map(Head::head)
                            .filter(head -> !head.isEmpty())
                            .toList());
        }
    }

    /**
     * What a part came to.
     *
     * @param head as it is compared later; empty where it is destroyed
     */
    public record Head(String stream, long events, long forgotten, String head) {}

    /** Something that is not as it was written. */
    public record Finding(String where, String what, String detail) {}

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
