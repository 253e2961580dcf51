package dev.gavel.console.topic;

import dev.gavel.console.Frame;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page of a topic's proposals, the newest first.
 *
 * @param state only those that stand like this
 * @param from only those of this one
 * @param first whether these are the newest
 * @param next where to go on, where there are more
 */
public record ProposalsPage(
        Frame frame,
        String topic,
        Optional<ProposalState> state,
        Optional<String> from,
        List<Entry> proposals,
        boolean first,
        Optional<String> next) {
    private static final int BRIEF = 160;

    public ProposalsPage {
        proposals = List.copyOf(proposals);
    }

    /**
     * A proposal at a glance, fit to be shown.
     *
     * @param with the beginning of its arguments
     * @param last what happened to it last
     */
    public record Entry(
            String path, String what, String with, String from, Tone tone, String state, Instant at, String last) {
        /** A proposal of a topic, as its reader sees it. */
        public static Entry of(String topic, ProposalView view, String reader) {
            Json params = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params");
            Names names = new Names(reader);
            return new Entry(
                    Paths.proposal(topic, view.id()),
                    SafeText.brief(
                            params.at("name")
                                    .ifText()
                                    .or(() -> params.at("uri").ifText())
                                    .orElseGet(() -> view.kind().toString()),
                            BRIEF),
                    params.at("arguments").there()
                            ? SafeText.brief(params.at("arguments").compact(), BRIEF)
                            : "",
                    names.name(view.from()),
                    Tone.of(view.state(), view.outcome()),
                    Story.standing(view),
                    view.timeline().getFirst().at(),
                    last(view, names));
        }

        /** Who rejected it says more than that it is closed by that. */
        private static String last(ProposalView view, Names names) {
            return view.timeline().reversed().stream()
                    .map(Step::event)
                    .filter(event -> !(event instanceof ProposalEvent.ClosedByRejections))
                    .filter(event -> !(event instanceof ProposalEvent.Proposed))
                    .findFirst()
                    .map(event -> Phrase.of(event, names).sentence())
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
            query.append(query.isEmpty() ? "?" : "&").append(name).append('=').append(Paths.part(value));
        }
    }

    /** What a state is called where one chooses: as the proposals in it are, which say that they were approved. */
    public static String label(ProposalState state) {
        return state == ProposalState.FULFILLED ? "approved" : state.word();
    }

    /** The word of the state that is looked at; empty for all. */
    public String word() {
        return state.map(ProposalState::word).orElse("");
    }

    /** Where the list is. */
    public String path() {
        return Paths.proposals(topic);
    }
}
