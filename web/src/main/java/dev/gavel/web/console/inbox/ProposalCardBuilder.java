package dev.gavel.web.console.inbox;

import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage.Rejection;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.proposal.RejectionReason;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
import dev.gavel.web.console.inbox.ProposalCard.AllowedActions;
import dev.gavel.web.console.inbox.ProposalCard.CardOutcome;
import dev.gavel.web.console.inbox.ProposalCard.Tone;
import dev.gavel.web.console.json.JsonDiff;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the card that shows a proposal to one reader, from the proposal's state in the gateway. The proposal is
 * untrusted input, so characters that would reorder or hide text are shown as escapes. Immutable.
 *
 * @param reader the id of the reader
 * @param showsAll whether to show everything, however long; lists of proposals show only the beginning
 * @param maySendStatus whether the reader may send a status
 * @param tools looks up the descriptions of tools and prompts
 * @param names the names by which the card calls the members; each proposal brings its own
 */
public record ProposalCardBuilder(
        String reader, boolean showsAll, boolean maySendStatus, ToolDescription.ToolLookup tools, MemberNames names) {
    /** Lists show at most this many characters of an answer: a reader does not read more in passing. */
    private static final int MAX_ANSWER_LENGTH = 20_000;

    public ProposalCardBuilder(
            String reader, boolean showsAll, boolean maySendStatus, ToolDescription.ToolLookup tools) {
        this(reader, showsAll, maySendStatus, tools, MemberNames.IDS);
    }

    public ProposalCard build(String topic, ProposalView view) {
        return new ProposalCardBuilder(reader, showsAll, maySendStatus, tools, view.names()).buildNamed(topic, view);
    }

    private ProposalCard buildNamed(String topic, ProposalView view) {
        Json payload = Json.parse(view.effectivePayload().toString()).orElseGet(Json::object);
        Optional<CardOutcome> cardOutcome = outcome(view);
        return new ProposalCard(
                topic,
                view.id(),
                SafeText.line(names.withId(view.proposer())),
                view.to().stream().map(this::name).toList(),
                call(topic, view, payload),
                view.timeline().getFirst().at(),
                view.guidance()
                        .nextDeadline()
                        .map(LifecycleGuidance.Deadline::at)
                        .orElseGet(view::expiresAt),
                view.callerDisconnection().isPresent(),
                cardOutcome.isPresent() ? AllowedActions.NONE : actions(view),
                waitingText(view.guidance()),
                remarks(view),
                cardOutcome,
                Optional.empty());
    }

    private ProposalCard.ProposedCall call(String topic, ProposalView view, Json payload) {
        String method = payload.at("method").text();
        String target =
                CallParameters.ofMethod(method, payload.at("params"), view.id()).target();
        // A call without a target is named by its method. Other fields are not names: the proposer chooses them freely.
        String what = target.isEmpty() ? method : target;
        List<String> runners = Stream.of(view.possibleRunners(), view.alternativeRunners(), view.to())
                .filter(group -> !group.isEmpty())
                .findFirst()
                .orElse(List.of());
        return new ProposalCard.ProposedCall(
                SafeText.line(what),
                SafeText.line(method),
                tools.find(topic, runners, view.kind().withContext(what)),
                view.risk(),
                ToolDefinitionNotice.of(view),
                ArgumentsView.of(method, payload.at("params"), view.id(), view.redacted(), showsAll));
    }

    private String clip(String text) {
        if (showsAll || text.length() <= MAX_ANSWER_LENGTH) {
            return text;
        }
        // Does not split a surrogate pair.
        int end = Character.isHighSurrogate(text.charAt(MAX_ANSWER_LENGTH - 1))
                ? MAX_ANSWER_LENGTH - 1
                : MAX_ANSWER_LENGTH;
        return text.substring(0, end) + "\n… (" + String.format(Locale.ROOT, "%,d", text.length() - end)
                + " more characters)";
    }

    private AllowedActions actions(ProposalView view) {
        boolean approve = canMoveTo(view, ProposalState.FULFILLED);
        return new AllowedActions(
                approve,
                canMoveTo(view, ProposalState.REJECTED),
                approve && ReviewDecisionSubmitter.hasArguments(view.kind()) && editable(view),
                maySendStatus && statuses(view).get(reader) == null,
                view.possibleRunners(),
                view.alternativeRunners(),
                view.redacted() && view.mayReveal());
    }

    /** Whether the arguments are an object or absent: only these can be replaced by an object. */
    private static boolean editable(ProposalView view) {
        Json arguments = Json.parse(view.payload().toString())
                .orElseGet(Json::object)
                .at("params")
                .at("arguments");
        return !arguments.isPresent() || arguments.type() == Json.Type.OBJECT;
    }

    private static boolean canMoveTo(ProposalView view, ProposalState end) {
        return view.guidance().moves().stream().anyMatch(each -> each.to().equals(end.label()) && each.isPossible());
    }

    private String waitingText(LifecycleGuidance guidance) {
        List<String> presentActors = guidance.mustAct().stream()
                .map(each -> name(each.party().toString()))
                .toList();
        if (!presentActors.isEmpty()) {
            return "Waiting for " + joinWithOr(presentActors) + ".";
        }
        List<String> absentActors = guidance.waitingOn().stream()
                .map(PersonOrGroup::toString)
                .map(this::name)
                .toList();
        if (absentActors.isEmpty()) {
            return "";
        }
        // The reader is present, even if the reader's page cannot report this to the gateway.
        return "Waiting for " + joinWithOr(absentActors) + (absentActors.contains("you") ? "." : " (not connected).");
    }

    private List<String> remarks(ProposalView view) {
        List<String> remarks = new ArrayList<>();
        if (view.state() == ProposalState.OPEN) {
            view.rejections()
                    .forEach(each ->
                            remarks.add(capitalizeYou(name(each.from())) + rejectionVerb(view, each) + reason(each)));
        }
        if (view.heldApproval().isPresent()) {
            Fulfilled approval = view.heldApproval().get().approval();
            remarks.add("Approved by " + name(approval.actor())
                    + (approval.edited() ? " with edited arguments" : "") + ", to run on "
                    + approval.storedEnvelope().to().stream().map(this::name).collect(Collectors.joining(", "))
                    + ". The caller lost its connection. The call runs when the caller calls again.");
        } else if (view.callerDisconnection().isPresent()) {
            remarks.add(
                    "The caller lost its connection. If you approve the call, it runs when the caller calls again.");
        }
        statuses(view)
                .values()
                .forEach(given -> remarks.add(
                        (given.actor().equals(reader) ? "Your status: " : "Status from " + name(given.actor()) + ": ")
                                + SafeText.line(given.status())
                                + (given.note() == null ? "" : " (" + SafeText.line(given.note()) + ")")));
        return remarks;
    }

    /** Says what a member's rejection of an open proposal means. */
    private static String rejectionVerb(ProposalView view, Rejection rejection) {
        if (RejectionReason.isAbstention(rejection.reason())) {
            return " abstained: ";
        }
        boolean counts = view.guidance().moves().stream()
                .filter(move -> move.to().equals(ProposalState.REJECTED.label()))
                .anyMatch(move -> move.allowedParties().stream()
                        .anyMatch(party -> party.toString().equals(rejection.from())));
        return counts ? " voted to reject it: " : " voted to reject it, but cannot close it: ";
    }

    /** Returns the latest status of each participant. */
    private static Map<String, StatusReported> statuses(ProposalView view) {
        Map<String, StatusReported> latest = new LinkedHashMap<>();
        events(view).forEach(event -> {
            if (event instanceof StatusReported given) {
                latest.put(given.actor(), given);
            }
        });
        return latest;
    }

    private static List<ProposalEvent> events(ProposalView view) {
        return view.timeline().stream().map(ProposalTimelineEntry::event).toList();
    }

    private static <T extends ProposalEvent> Optional<T> last(ProposalView view, Class<T> type) {
        return events(view).reversed().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    private Optional<CardOutcome> outcome(ProposalView view) {
        return switch (view.state()) {
            case OPEN -> Optional.empty();
            case FULFILLED ->
                Optional.of(approvedOutcome(view, last(view, Fulfilled.class).orElseThrow()));
            case REJECTED ->
                Optional.of(new CardOutcome(
                        Tone.BAD,
                        "Rejected by "
                                + view.rejections().stream()
                                        .map(each -> name(each.from()) + ": " + reason(each))
                                        .collect(Collectors.joining("; ")),
                        view.rejections().stream().anyMatch(each -> each.from().equals(reader)),
                        false,
                        Optional.empty(),
                        Optional.empty()));
            case WITHDRAWN ->
                Optional.of(neutralOutcome("Withdrawn by "
                        + (last(view, Withdrawn.class)
                                        .filter(Withdrawn::isByGateway)
                                        .isPresent()
                                ? "Gavel"
                                : name(view.proposer()))
                        + last(view, Withdrawn.class)
                                .map(Withdrawn::reason)
                                .map(reason -> ": " + SafeText.line(reason))
                                .orElse(".")));
            case EXPIRED -> Optional.of(neutralOutcome("Expired: no reviewer decided in time."));
        };
    }

    private static CardOutcome neutralOutcome(String words) {
        return new CardOutcome(Tone.QUIET, words, false, false, Optional.empty(), Optional.empty());
    }

    private CardOutcome approvedOutcome(ProposalView view, Fulfilled call) {
        boolean mine = call.actor().equals(reader);
        String runner =
                joinWithOr(call.storedEnvelope().to().stream().map(this::name).toList());
        String approved = (call.edited() ? "Edited and approved by " : "Approved by ") + name(call.actor())
                + ", run by " + runner;
        Optional<String> answer = mine || showsAll
                ? view.answer()
                        .flatMap(each -> Json.parse(each.payload().toString()))
                        .map(ToolResultTextRenderer::render)
                        .map(this::clip)
                : Optional.empty();
        Optional<JsonDiff> edited =
                call.edited() && (mine || showsAll) ? Optional.of(argumentChanges(view, call)) : Optional.empty();
        return switch (view.outcome().orElse(FulfilmentOutcome.PENDING)) {
            case PENDING ->
                new CardOutcome(
                        Tone.QUIET, approved + ". Waiting for the result.", mine, true, Optional.empty(), edited);
            case SUCCEEDED -> new CardOutcome(Tone.GOOD, approved + ". It succeeded.", mine, false, answer, edited);
            case FAILED -> new CardOutcome(Tone.BAD, approved + ". It failed.", mine, false, answer, edited);
            case UNKNOWN ->
                new CardOutcome(
                        Tone.BAD,
                        approved + ". The result is unknown: "
                                + (last(view, RunCancelled.class).isPresent()
                                        ? "the call was cancelled while it ran."
                                        : runner + " did not answer.")
                                + " Check whether the call ran before it is proposed again.",
                        mine,
                        false,
                        answer,
                        edited);
        };
    }

    /** Compares the arguments of the approved call with the proposed ones. */
    private static JsonDiff argumentChanges(ProposalView view, Fulfilled call) {
        Json proposed = params(view.payload());
        Json approved = params(call.payload());
        boolean otherArguments = !proposed.at("arguments").equals(approved.at("arguments"));
        return otherArguments
                ? JsonDiff.between(proposed.at("arguments"), approved.at("arguments"))
                : JsonDiff.between(proposed, approved);
    }

    private static Json params(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }

    private String reason(Rejection rejection) {
        return SafeText.line(rejection.reason())
                + (rejection.note() == null ? "" : " (" + SafeText.line(rejection.note()) + ")");
    }

    private String name(String id) {
        return id.equals(reader) ? "you" : SafeText.line(names.of(id));
    }

    private static String joinWithOr(List<String> names) {
        return names.size() < 2
                ? String.join("", names)
                : String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
    }

    private static String capitalizeYou(String words) {
        return words.equals("you") ? "You" : words;
    }
}
