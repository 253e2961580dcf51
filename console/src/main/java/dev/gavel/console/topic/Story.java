package dev.gavel.console.topic;

import dev.gavel.console.edit.Difference;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What happened to a proposal so far and what happens next, as its reader is told. Fit to be shown. Immutable.
 *
 * @param state the word for how it stands
 * @param steps the oldest first
 */
public record Story(String state, Tone tone, Next next, List<Line> steps) {
    public Story {
        steps = List.copyOf(steps);
    }

    /**
     * What happens next.
     *
     * @param words what the reader can do, or whom it waits for
     * @param act who is here and must act, with since when; empty where nobody must
     * @param away who would have to act, and is not connected
     * @param ways how it can end from here
     * @param until when something happens by itself, and what
     */
    public record Next(String words, Optional<Act> act, Optional<String> away, List<Way> ways, Optional<Until> until) {
        public Next {
            ways = List.copyOf(ways);
        }
    }

    /** Who must act. */
    public record Act(String who, Instant since) {}

    /**
     * A way it can end.
     *
     * @param what may approve, may reject or may withdraw
     * @param who who may
     * @param you whether the reader is one of them
     */
    public record Way(String what, String who, boolean you) {}

    /** Something that happens by itself. */
    public record Until(Instant at, String then) {}

    /**
     * Something that happened.
     *
     * @param quote what somebody wrote about it
     * @param difference what of the arguments was changed
     */
    public record Line(Instant at, String words, Tone tone, Optional<String> quote, Optional<Difference> difference) {}

    /** The story of a proposal, for a reader. */
    public static Story of(ProposalView view, String reader) {
        Names names = new Names(reader);
        return new Story(standing(view), Tone.of(view.state(), view.outcome()), next(view, names), lines(view, names));
    }

    /** How a proposal stands, in a word or two. */
    static String standing(ProposalView view) {
        return switch (view.state()) {
            case OPEN, REJECTED, WITHDRAWN, EXPIRED -> view.state().word();
            case FULFILLED ->
                switch (view.outcome().orElse(Outcome.PENDING)) {
                    case PENDING -> "approved, running";
                    case SUCCEEDED -> "succeeded";
                    case FAILED -> "failed";
                    case UNKNOWN -> "outcome unknown";
                };
        };
    }

    /** Those who could decide may come and go all day: what of that follows one on another is one line. */
    private static List<Line> lines(ProposalView view, Names names) {
        List<Line> lines = new ArrayList<>();
        List<Step> passing = new ArrayList<>();
        for (Step step : view.timeline()) {
            if (passing(step)) {
                passing.add(step);
                continue;
            }
            fold(view, passing, names).ifPresent(lines::add);
            passing.clear();
            lines.add(line(view, step, names));
        }
        fold(view, passing, names).ifPresent(lines::add);
        return lines;
    }

    /** That nobody in the topic may decide it is no coming and going: somebody has to see to it. */
    private static boolean passing(Step step) {
        return switch (step.event()) {
            case Reachable _ -> true;
            case Unreachable unreachable -> !unreachable.couldFulfil().isEmpty();
            default -> false;
        };
    }

    private static Optional<Line> fold(ProposalView view, List<Step> steps, Names names) {
        if (steps.size() < 2) {
            return steps.stream().findFirst().map(step -> line(view, step, names));
        }
        long left = steps.stream()
                .filter(step -> step.event() instanceof Unreachable)
                .count();
        long times = Math.max(left, steps.size() - left);
        return Optional.of(new Line(
                steps.getLast().at(),
                "Those who could decide it came and went" + (times == 1 ? "." : " (" + times + " times)."),
                Tone.QUIET,
                Optional.empty(),
                Optional.empty()));
    }

    private static Line line(ProposalView view, Step step, Names names) {
        Phrase phrase = Phrase.of(step.event(), names);
        return new Line(
                step.at(),
                phrase.sentence(),
                Tone.of(step.event()),
                phrase.quote(),
                step.event() instanceof Fulfilled fulfilled && fulfilled.edited()
                        ? Optional.of(Difference.between(parameters(view.payload()), parameters(fulfilled.payload())))
                        : Optional.empty());
    }

    private static Json parameters(Payload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }

    private static Next next(ProposalView view, Names names) {
        Guidance guidance = view.guidance();
        List<String> here =
                guidance.mustAct().stream().map(each -> each.who().toString()).toList();
        List<String> away = guidance.waitingOn().stream().map(Party::toString).toList();
        List<Way> ways = new ArrayList<>();
        for (Prospect prospect : guidance.toAdvance()) {
            ways.add(new Way(
                    move(prospect.to()),
                    prospect.barred()
                            .map(SafeText::line)
                            .orElseGet(() -> names.choice(prospect.whoMay().stream()
                                    .map(Party::toString)
                                    .toList())),
                    prospect.possible()));
        }
        return new Next(
                words(view, names),
                here.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Act(
                                names.choice(here),
                                guidance.mustAct().getFirst().since())),
                away.isEmpty() ? Optional.empty() : Optional.of(names.choice(away)),
                ways,
                guidance.expected().map(expected -> new Until(expected.by(), expected.then())));
    }

    private static String move(String state) {
        return switch (state) {
            case "fulfilled" -> "May approve";
            case "rejected" -> "May reject";
            case "withdrawn" -> "May withdraw";
            default -> SafeText.line(state);
        };
    }

    /** The guidance's next step speaks of envelopes where the reader decides; here they have buttons for that. */
    private static String words(ProposalView view, Names names) {
        if (view.state() != ProposalState.OPEN || names.reads(view.from())) {
            return SafeText.line(view.guidance().nextStep());
        }
        if (may(view, ProposalState.FULFILLED)) {
            return may(view, ProposalState.REJECTED)
                    ? "Read what is to be called, then approve or reject it above."
                    : "Read what is to be called, then approve it above.";
        }
        String approvers = view.guidance().toAdvance().stream()
                .filter(each -> each.to().equals(ProposalState.FULFILLED.word()))
                .map(each ->
                        names.choice(each.whoMay().stream().map(Party::toString).toList()))
                .findFirst()
                .orElse("nobody");
        return may(view, ProposalState.REJECTED)
                ? "If you object, reject it above. It is up to " + approvers + " to approve it."
                : "Nothing for you to do: it is up to " + approvers + " to approve it.";
    }

    private static boolean may(ProposalView view, ProposalState end) {
        return view.guidance().toAdvance().stream().anyMatch(each -> each.to().equals(end.word()) && each.possible());
    }
}
