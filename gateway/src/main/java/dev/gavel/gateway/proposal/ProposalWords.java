package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts into words how a proposal stands. Times are UTC; those of another day carry their date. */
record ProposalWords(Proposal proposal, Circle circle, Presence presence, Instant now) {
    private static final int LONGEST = 200;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY_AND_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    String status() {
        return switch (proposal.state()) {
            case OPEN -> open() + remarks() + "; expires " + time(proposal.expiresAt());
            case FULFILLED -> fulfilled(Objects.requireNonNull(proposal.fulfilment()));
            case REJECTED -> "rejected at " + time(proposal.since()) + ": " + reasons();
            case WITHDRAWN -> "withdrawn by " + proposal.proposer() + " at " + time(proposal.since()) + withdrawal();
            case EXPIRED -> "expired at " + time(proposal.expiresAt()) + ": nobody decided it in time" + remarks();
        };
    }

    /** Who would be waited for if only they were here. */
    List<String> awaited() {
        Fulfilment call = proposal.fulfilment();
        List<String> wanted = call != null
                ? call.outcome() == Outcome.PENDING ? call.addressees() : List.of()
                : proposal.state() == ProposalState.OPEN ? deciders() : List.of();
        return presence.anyHere(wanted) ? List.of() : wanted;
    }

    List<String> deciders() {
        return circle.deciders(rejecters(proposal));
    }

    static Set<String> rejecters(Proposal proposal) {
        return proposal.rejections().stream().map(SystemMessage.Rejection::from).collect(Collectors.toSet());
    }

    private String open() {
        List<String> deciders = deciders();
        List<String> here = presence.hereOf(deciders);
        if (!here.isEmpty()) {
            return "waiting for " + choice(here) + (here.size() == 1 ? ", who is here" : ", who are here");
        }
        List<String> others = presence.hereOf(circle.couldFulfil());
        if (deciders.isEmpty()) {
            return circle.couldFulfil().isEmpty()
                    ? "nobody in this topic may do this"
                    : "nobody is left in this topic who could decide it";
        }
        // That they are not here keeps nobody from deciding: the command line and the console are enough for that.
        String away = "waiting for " + choice(deciders)
                + (deciders.size() == 1 ? ", who is not here now" : ", who are not here now");
        if (others.isEmpty()) {
            return away;
        }
        return away + "; " + choice(others)
                + (others.size() == 1 ? ", who is here, could do it too" : ", who are here, could do it too");
    }

    private String remarks() {
        var remarks = new StringBuilder();
        if (!proposal.rejections().isEmpty()) {
            remarks.append("; rejected so far: ").append(reasons());
        }
        for (StatusGiven given : proposal.statuses().values()) {
            remarks.append("; ").append(given.by()).append(" says ").append(given.status());
            if (given.note() != null) {
                remarks.append(" (").append(brief(given.note())).append(")");
            }
        }
        return remarks.toString();
    }

    private String fulfilled(Fulfilment call) {
        String approved = "approved by " + call.request().by()
                + (call.request().edited() ? ", with other arguments," : "") + " at " + time(proposal.since());
        String who = choice(call.addressees());
        return approved
                + switch (call.outcome()) {
                    case PENDING ->
                        "; waiting for " + who + " to answer by "
                                + time(call.request().answerBy())
                                + (presence.anyHere(call.addressees()) ? "" : ", but nobody of these is connected");
                    case SUCCEEDED -> "; it succeeded";
                    case FAILED -> "; it failed";
                    case UNKNOWN ->
                        call.unknown() == OutcomeUnknown.Why.ADDRESSEE_LEFT
                                ? "; whether it was done is unknown, because " + who + " left before answering"
                                : "; whether it was done is unknown, because " + who + " did not answer in time";
                };
    }

    private String reasons() {
        return proposal.rejections().stream()
                .map(each -> each.from() + " (" + brief(each.reason())
                        + (each.note() == null ? "" : ": " + brief(each.note())) + ")")
                .collect(Collectors.joining(", "));
    }

    private String withdrawal() {
        return proposal.timeline().stream()
                .map(Step::event)
                .filter(Withdrawn.class::isInstance)
                .map(event -> ((Withdrawn) event).reason())
                .filter(Objects::nonNull)
                .map(reason -> ": " + brief(reason))
                .findFirst()
                .orElse("");
    }

    /** A sentence stays one, however much somebody wrote; the whole of it stands in the timeline. */
    private static String brief(String text) {
        String line = text.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
        return line.codePointCount(0, line.length()) <= LONGEST
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST)) + "…";
    }

    String time(Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
        return time.toLocalDate().equals(today) ? TIME.format(time) : DAY_AND_TIME.format(time);
    }

    /** "alice", "alice or bob", "alice, bob or carol". */
    static String choice(Collection<String> names) {
        List<String> all = List.copyOf(names);
        return switch (all.size()) {
            case 0 -> "nobody";
            case 1 -> all.getFirst();
            default -> String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.getLast();
        };
    }
}
