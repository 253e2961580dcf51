package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The page that lists a topic's proposals, newest first.
 *
 * @param state the only state to list; empty for all
 * @param from the only proposer to list; empty for all
 * @param first whether this is the first page of the list
 * @param next the cursor of the next page, if there is one
 */
public record ProposalListPage(
        PageLayoutData frame,
        String topic,
        Optional<ProposalState> state,
        Optional<String> from,
        List<ProposalRow> proposals,
        boolean first,
        Optional<String> next) {
    private static final int MAX_TEXT_LENGTH = 160;

    public ProposalListPage {
        proposals = List.copyOf(proposals);
    }

    /**
     * A proposal in the list. All texts are sanitized for display.
     *
     * @param arguments the beginning of the arguments
     * @param lastEvent the last event of the proposal, as a sentence
     */
    public record ProposalRow(
            String path,
            String callName,
            String arguments,
            String from,
            BadgeTone tone,
            String state,
            Instant at,
            String lastEvent) {
        /** Creates the row of a proposal for a reader. */
        public static ProposalRow of(String topic, ProposalView view, String reader) {
            Json payload = Json.parse(view.effectivePayload().toString()).orElseGet(Json::object);
            Json params = payload.at("params");
            String target = CallParameters.ofMethod(payload.at("method").text(), params, view.id())
                    .target();
            ParticipantNameFormatter participantNameFormatter = new ParticipantNameFormatter(reader, view.names());
            return new ProposalRow(
                    TopicPaths.proposal(topic, view.id()),
                    SafeText.brief(target.isEmpty() ? view.kind().toString() : target, MAX_TEXT_LENGTH),
                    params.at("arguments").isPresent()
                            ? SafeText.excerpt(JsonTextLayout.line(params.at("arguments")), MAX_TEXT_LENGTH)
                                    + (view.isEdited() ? " (edited by the reviewer)" : "")
                            : "",
                    participantNameFormatter.name(view.proposer()),
                    BadgeTone.of(view.state(), view.outcome()),
                    ProposalHistoryView.stateText(view),
                    view.timeline().getFirst().at(),
                    lastEvent(view, participantNameFormatter));
        }

        /**
         * Skips the closing event, because who rejected the proposal says more than that it is closed, and answers that
         * changed nothing.
         */
        private static String lastEvent(ProposalView view, ParticipantNameFormatter participantNameFormatter) {
            List<ProposalEvent> events = view.timeline().reversed().stream()
                    .map(ProposalTimelineEntry::event)
                    .toList();
            return events.stream()
                    .filter(event -> !(event instanceof ProposalEvent.ClosedByRejections))
                    .filter(event -> !(event instanceof ProposalEvent.Proposed) && !view.isIgnoredAnswer(event))
                    .findFirst()
                    .map(event -> ProposalEventSentence.of(
                                    event, events.stream().findFirst(), participantNameFormatter)
                            .sentence())
                    .orElse("");
        }
    }

    /** Returns the query string of this list with another state, which is empty for all states. */
    public String query(String other, String cursor) {
        StringBuilder query = new StringBuilder();
        add(query, "state", other);
        add(query, "from", from.orElse(""));
        add(query, "cursor", cursor);
        return query.toString();
    }

    private static void add(StringBuilder query, String name, String value) {
        if (!value.isEmpty()) {
            query.append(query.isEmpty() ? "?" : "&").append(name).append('=').append(TopicPaths.encode(value));
        }
    }

    /** Returns the label of a state in the filter. Fulfilled proposals are labelled as approved, like their rows. */
    public static String label(ProposalState state) {
        String label = state == ProposalState.FULFILLED ? "approved" : state.label();
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }

    /** Whether the list is limited to a state or a proposer. */
    public boolean filtered() {
        return state.isPresent() || from.isPresent();
    }

    /** The value of the selected state; empty for all. */
    public String stateValue() {
        return state.map(ProposalState::label).orElse("");
    }

    public String path() {
        return TopicPaths.proposals(topic);
    }
}
