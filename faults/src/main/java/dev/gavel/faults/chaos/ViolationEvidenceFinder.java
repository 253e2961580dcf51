package dev.gavel.faults.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the ledger events and journal lines about given envelope ids, to explain a violation. Immutable, as long as the
 * journals do not grow.
 */
final class ViolationEvidenceFinder {
    private static final int MOST_LINES = 60;
    private static final int LONGEST = 260;

    private final ChaosLedgerHistory chaosLedgerHistory;
    private final List<ParticipantJournal> journals;

    ViolationEvidenceFinder(ChaosLedgerHistory chaosLedgerHistory, List<ParticipantJournal> journals) {
        this.chaosLedgerHistory = chaosLedgerHistory;
        this.journals = List.copyOf(journals);
    }

    /** The lines of the ledger and of all journals about these ids. */
    List<String> find(String... ids) {
        Set<String> wanted = Set.of(ids);
        List<String> lines = new ArrayList<>();
        for (ChaosLedgerHistory.LedgerEvent event : chaosLedgerHistory.events()) {
            if (wanted.contains(event.envelope())
                    || wanted.contains(event.proposal())
                    || wanted.contains("system:event-" + event.seq())) {
                lines.add("ledger " + event.line());
            }
        }
        journals.stream()
                .flatMap(journal -> journal.lines(wanted::contains).stream())
                .sorted()
                .map(ParticipantJournal.JournalLine::toString)
                .forEach(lines::add);
        return lines.stream()
                .limit(MOST_LINES)
                .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line)
                .toList();
    }
}
