package dev.gavel.faults.repeatedcalls;

import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The events of one proposal in the exported ledger, in order. Immutable. */
final class ProposalHistory {
    /** The events after which a proposal is not open any more. */
    private static final Set<String> DECISIONS =
            Set.of("fulfilled", "rejected", "withdrawn", "expired", "closed_by_rejections");

    /** The events that record the outcome of an approved call, or that its outcome is unknown. */
    private static final Set<String> OUTCOMES = Set.of("answered", "outcome_unknown", "run_cancelled");

    private static final Pattern PATH = Pattern.compile("\"path\":\"([^\"]+)\"");

    private final String id;
    private final String proposer;
    private final String path;
    private final List<Event> events;

    /**
     * One event.
     *
     * @param process the gateway process that it names; empty if there is none
     */
    record Event(long seq, Instant at, String type, String by, String note, String process) {
        Event(long seq, Instant at, String type, String by, String note) {
            this(seq, at, type, by, note, "");
        }

        @Override
        public String toString() {
            return "ledger " + seq + ": " + type + " by " + by + (note.isEmpty() ? "" : " (" + note + ")");
        }
    }

    private ProposalHistory(String id, String proposer, String path, List<Event> events) {
        this.id = id;
        this.proposer = proposer;
        this.path = path;
        this.events = List.copyOf(events);
    }

    /** Creates a history from its events; the first one is the proposal. */
    static ProposalHistory of(String id, String path, List<Event> events) {
        return new ProposalHistory(id, events.getFirst().by(), path, events);
    }

    /** Reads the proposals of the topic from the exported lines, in the order in which they were made. */
    static List<ProposalHistory> readAll(List<String> lines) {
        Map<String, List<Event>> events = new LinkedHashMap<>();
        Map<String, String> paths = new LinkedHashMap<>();
        for (String line : lines) {
            Json json = Json.parse(line).orElseThrow();
            if (json.at("topic").text().equals(RepeatedCallsTopicConfig.TOPIC)) {
                String proposal = json.at("proposal").text();
                events.computeIfAbsent(proposal, _ -> new ArrayList<>()).add(event(json));
                Matcher path = PATH.matcher(line);
                if (json.at("type").text().equals("proposed") && path.find()) {
                    paths.put(proposal, path.group(1));
                }
            }
        }
        return paths.keySet().stream()
                .map(id -> of(id, String.valueOf(paths.get(id)), events.getOrDefault(id, List.of())))
                .toList();
    }

    private static Event event(Json json) {
        String note = switch (json.at("type").text()) {
            case "withdrawn",
                    "status",
                    "forwarded",
                    "not_forwarded",
                    "caller_waits",
                    "caller_disconnected",
                    "outcome_unknown" ->
                json.at("body").members().values().stream()
                        .map(Json::text)
                        .filter(text -> !text.isEmpty())
                        .reduce((first, second) -> first + ", " + second)
                        .orElse("");
            default -> "";
        };
        return new Event(
                json.at("seq").asLong(0),
                Instant.parse(json.at("at").text()),
                json.at("type").text(),
                json.at("by").text(),
                note,
                json.at("body").at("process").text());
    }

    String id() {
        return id;
    }

    String path() {
        return path;
    }

    List<Event> events() {
        return events;
    }

    Event proposed() {
        return events.getFirst();
    }

    Optional<Event> find(String type) {
        return events.stream().filter(event -> event.type().equals(type)).findFirst();
    }

    boolean isOpen() {
        return events.stream().noneMatch(event -> DECISIONS.contains(event.type()));
    }

    /** Whether it was approved and has no outcome yet. */
    boolean isRunning() {
        return find("fulfilled").isPresent() && events.stream().noneMatch(event -> OUTCOMES.contains(event.type()));
    }

    /** Whether it was decided, and its outcome was known or known to be unknown, before an event of the ledger. */
    private boolean hasEndedBefore(long seq) {
        List<Event> earlier = events.stream().filter(event -> event.seq() < seq).toList();
        boolean approved = earlier.stream().anyMatch(event -> event.type().equals("fulfilled"));
        return earlier.stream()
                .anyMatch(event -> approved ? OUTCOMES.contains(event.type()) : DECISIONS.contains(event.type()));
    }

    /**
     * Why an equal call had to join this proposal instead of creating another one; empty if it was a new call. An equal
     * call is new if this proposal was withdrawn, or if it has ended and its result was forwarded to a client.
     *
     * @param later the event with which the equal call was proposed
     * @param tolerance how long before that event the gateway may have decided that the call is new
     */
    Optional<String> reasonToJoin(Event later, java.time.Duration tolerance) {
        List<Event> earlier =
                events.stream().filter(event -> event.seq() < later.seq()).toList();
        if (earlier.stream().anyMatch(event -> event.type().equals("withdrawn"))) {
            return Optional.empty();
        }
        if (earlier.stream().noneMatch(event -> DECISIONS.contains(event.type()))) {
            return Optional.of("was open");
        }
        if (!hasEndedBefore(later.seq())) {
            return Optional.of("was running");
        }
        Instant since = later.at().minus(tolerance);
        boolean forwardedLately = false;
        for (int i = 0; i < earlier.size(); i++) {
            forwardedLately |= earlier.get(i).at().isAfter(since) && isForwarded(earlier.subList(0, i));
        }
        return forwardedLately || isForwarded(earlier)
                ? Optional.empty()
                : Optional.of("had a result that no client had received");
    }

    /** Whether the ledger says that a client received its result. */
    boolean isForwarded() {
        return isForwarded(events);
    }

    /** Whether a process forwarded the result and has not revoked this. */
    private static boolean isForwarded(List<Event> events) {
        Set<String> processes = new HashSet<>();
        for (Event event : events) {
            if (event.type().equals("forwarded")) {
                processes.add(event.process());
            } else if (event.type().equals("not_forwarded")) {
                processes.removeIf(process -> event.process().isEmpty() || process.equals(event.process()));
            }
        }
        return !processes.isEmpty();
    }

    /** Whether it stays open without a client: the client was told to call again, or is configured to be absent. */
    boolean isKeptForCaller() {
        return proposer.equals(RepeatedCallsTopicConfig.KEEPING_AGENT)
                || events.stream()
                        .anyMatch(event ->
                                event.type().equals("status") && event.by().equals(proposer));
    }

    @Override
    public String toString() {
        return id;
    }
}
