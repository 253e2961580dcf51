package dev.gavel.faults.repeatedcalls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists everything about the calls with one key in the order of time, for people. Immutable. */
final class CallTimeline {
    private final List<Entry> entries;

    private record Entry(Instant at, String text) {}

    private CallTimeline(List<Entry> entries) {
        this.entries = entries.stream().sorted(Comparator.comparing(Entry::at)).toList();
    }

    static CallTimeline of(
            String path, List<ProposalHistory> proposals, List<ToolRun> runs, List<CallAttempt> attempts) {
        List<Entry> entries = new ArrayList<>();
        proposals.stream()
                .filter(proposal -> proposal.path().equals(path))
                .forEach(proposal ->
                        proposal.events().forEach(event -> entries.add(new Entry(event.at(), proposal + " " + event))));
        runs.stream()
                .filter(run -> run.name().path().equals(path))
                .forEach(run -> entries.add(new Entry(
                        run.at(), run.proposal() + " tool server: " + run.name().number() + ". run")));
        attempts.stream()
                .filter(attempt -> attempt.callKey().path().equals(path))
                .forEach(attempt -> {
                    entries.add(new Entry(attempt.startedAt(), attempt.toString()));
                    attempt.response()
                            .ifPresent(response ->
                                    entries.add(new Entry(response.at(), "  → " + attempt + " got " + response)));
                });
        return new CallTimeline(entries);
    }

    List<String> lines() {
        return entries.stream()
                .map(entry -> entry.at().toString().substring(11) + "  " + entry.text())
                .toList();
    }
}
