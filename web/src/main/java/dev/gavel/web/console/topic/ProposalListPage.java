package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page that lists a topic's proposals, newest first.
 *
 * @param state only those that stand like this
 * @param from only those of this one
 * @param first whether these are the newest
 * @param next where to go on, where there are more
 */
public record ProposalListPage(
        PageFrame frame,
        String topic,
        Optional<ProposalState> state,
        Optional<String> from,
        List<ProposalRow> proposals,
        boolean first,
        Optional<String> next) {
    private static final int BRIEF = 160;

    public ProposalListPage {
        proposals = List.copyOf(proposals);
    }

    /**
     * A proposal at a glance, fit to be shown.
     *
     * @param arguments the beginning of its arguments
     * @param lastEvent what happened to it last
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
        /** A proposal of a topic, as its reader sees it. */
        public static ProposalRow of(String topic, ProposalView view, String reader) {
            Json params = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params");
            ParticipantNameFormatter participantNameFormatter = new ParticipantNameFormatter(reader);
            return new ProposalRow(
                    TopicPaths.proposal(topic, view.id()),
                    SafeText.brief(
                            params.at("name")
                                    .asText()
                                    .or(() -> params.at("uri").asText())
                                    .orElseGet(() -> view.kind().toString()),
                            BRIEF),
                    params.at("arguments").isPresent()
                            ? SafeText.brief(params.at("arguments").compact(), BRIEF)
                            : "",
                    participantNameFormatter.name(view.from()),
                    BadgeTone.of(view.state(), view.outcome()),
                    ProposalHistoryView.stateText(view),
                    view.timeline().getFirst().at(),
                    lastEvent(view, participantNameFormatter));
        }

        /** Who rejected it says more than that it is closed by that. */
        private static String lastEvent(ProposalView view, ParticipantNameFormatter participantNameFormatter) {
            return view.timeline().reversed().stream()
                    .map(ProposalTimelineEntry::event)
                    .filter(event -> !(event instanceof ProposalEvent.ClosedByRejections))
                    .filter(event -> !(event instanceof ProposalEvent.Proposed))
                    .findFirst()
                    .map(event -> ProposalEventSentence.of(event, participantNameFormatter)
                            .sentence())
                    .orElse("");
        }
    }

    /** The query of the same list with another state: empty for all. */
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

    /** What a state is called where one chooses: as the proposals in it are, which say that they were approved. */
    public static String label(ProposalState state) {
        return state == ProposalState.FULFILLED ? "approved" : state.word();
    }

    /** The word of the state that is looked at; empty for all. */
    public String stateValue() {
        return state.map(ProposalState::word).orElse("");
    }

    /** Where the list is. */
    public String path() {
        return TopicPaths.proposals(topic);
    }
}
