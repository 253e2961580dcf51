package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.proposal.RejectionReason;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the sentence that describes a proposal's current status. Times are UTC; times on another day include the date.
 */
record ProposalStatusDescriber(
        ProposalSnapshot proposalSnapshot,
        EligibleReviewers reviewers,
        PresenceSnapshot presenceSnapshot,
        MemberNames names,
        Instant now) {
    private static final int MAX_CODE_POINTS = 200;
    private static final String CONNECTED = " (connected)";
    private static final String NOT_CONNECTED = " (not connected)";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY_AND_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    String status() {
        return switch (proposalSnapshot.state()) {
            case OPEN ->
                openText()
                        + callerText()
                        + updatesText()
                        + (proposalSnapshot.callerDisconnection().isPresent()
                                ? ""
                                : "; expires " + time(proposalSnapshot.expiresAt()));
            case FULFILLED -> fulfilledText(Objects.requireNonNull(proposalSnapshot.fulfilment()));
            case REJECTED -> "rejected at " + time(proposalSnapshot.stateSince()) + " by " + reasonsText();
            case WITHDRAWN ->
                "withdrawn by "
                        + (proposalSnapshot
                                        .withdrawal()
                                        .filter(Withdrawn::isByGateway)
                                        .isPresent()
                                ? "the gateway"
                                : names.of(proposalSnapshot.proposer()))
                        + " at " + time(proposalSnapshot.stateSince())
                        + proposalSnapshot
                                .withdrawal()
                                .map(Withdrawn::reason)
                                .map(reason -> ": " + shorten(reason))
                                .orElse("");
            case EXPIRED ->
                "expired at " + time(proposalSnapshot.expiresAt()) + ": no reviewer decided in time" + updatesText();
        };
    }

    /** The absent members that the proposal waits for; empty if one of them is present. */
    List<String> awaitedMembers() {
        Fulfilment call = proposalSnapshot.fulfilment();
        List<String> candidates = proposalSnapshot.heldApproval().isPresent()
                ? List.of()
                : call != null
                        ? call.outcome() == FulfilmentOutcome.PENDING ? call.addressees() : List.of()
                        : proposalSnapshot.state() == ProposalState.OPEN ? deciders() : List.of();
        return presenceSnapshot.anyPresent(candidates) ? List.of() : candidates;
    }

    List<String> deciders() {
        return reviewers.pendingReviewers(rejecters(proposalSnapshot));
    }

    static Set<String> rejecters(ProposalSnapshot proposalSnapshot) {
        return proposalSnapshot.rejections().stream()
                .map(SystemMessage.Rejection::from)
                .collect(Collectors.toSet());
    }

    /** Says that the caller is disconnected, and what that means for an approval. */
    private String callerText() {
        return proposalSnapshot
                .callerDisconnection()
                .map(disconnection -> "; the caller lost its connection at " + time(disconnection.at())
                        + (proposalSnapshot.heldApproval().isPresent()
                                ? ""
                                : ", so an approval takes effect only when it calls again")
                        + " (until " + time(proposalSnapshot.dueAt().orElseThrow())
                        + ", then the proposal is withdrawn)")
                .orElse("");
    }

    private String openText() {
        Optional<ProposalSnapshot.HeldApproval> held = proposalSnapshot.heldApproval();
        if (held.isPresent()) {
            Fulfilled approval = held.get().approval();
            return "approved by " + names.of(approval.actor()) + (approval.edited() ? " with edited arguments" : "")
                    + " at " + time(held.get().at()) + "; runs when the caller calls again";
        }
        List<String> deciders = deciders();
        List<String> present = presenceSnapshot.presentAmong(deciders);
        if (!present.isEmpty()) {
            return "waiting for " + names.joinWithOr(present) + CONNECTED;
        }
        List<String> others = presenceSnapshot.presentAmong(reviewers.couldFulfil());
        if (deciders.isEmpty()) {
            return reviewers.couldFulfil().isEmpty()
                    ? "no member of this topic is allowed to approve this call"
                    : "no reviewer is left to decide";
        }
        // Absent members can still decide: they can use the command line or the console without a connection.
        String text = "waiting for " + names.joinWithOr(deciders) + NOT_CONNECTED;
        return others.isEmpty() ? text : text + "; " + names.joinWithOr(others) + CONNECTED + " can also decide";
    }

    private String updatesText() {
        var remarks = new StringBuilder();
        for (SystemMessage.Rejection each : proposalSnapshot.rejections()) {
            remarks.append("; ")
                    .append(names.of(each.from()))
                    .append(rejectionVerb(each))
                    .append(reasonText(each));
        }
        for (StatusReported given : proposalSnapshot.statuses().values()) {
            remarks.append("; status from ")
                    .append(names.of(given.actor()))
                    .append(": ")
                    .append(given.status());
            if (given.note() != null) {
                remarks.append(" (").append(shorten(given.note())).append(")");
            }
        }
        return remarks.toString();
    }

    private String fulfilledText(Fulfilment call) {
        String approved = "approved by " + names.of(call.fulfilled().actor())
                + (call.fulfilled().edited() ? " with edited arguments" : "") + " at "
                + time(proposalSnapshot.stateSince());
        String runners = names.joinWithOr(call.addressees());
        if (!proposalSnapshot.redirectedFrom().isEmpty()) {
            approved += " to run on " + runners + " instead of " + names.joinWithOr(proposalSnapshot.redirectedFrom());
        }
        return switch (call.outcome()) {
            case PENDING ->
                approved + "; waiting for " + runners
                        + (presenceSnapshot.anyPresent(call.addressees()) ? "" : NOT_CONNECTED) + " to respond by "
                        + time(call.fulfilled().answerDeadline());
            case SUCCEEDED -> "succeeded: " + approved;
            case FAILED -> "failed: " + approved;
            case UNKNOWN ->
                "result unknown: " + approved
                        + (call.unknownReason() == OutcomeUnknown.Reason.CANCELLED
                                ? " and cancelled while it ran"
                                : ", but " + runners
                                        + (call.unknownReason() == OutcomeUnknown.Reason.ADDRESSEE_LEFT
                                                ? " disconnected before responding"
                                                : " did not respond in time"));
        };
    }

    private String reasonsText() {
        return proposalSnapshot.rejections().stream()
                .map(each -> names.of(each.from()) + reasonText(each))
                .collect(Collectors.joining(", "));
    }

    private static String reasonText(SystemMessage.Rejection rejection) {
        return " (" + shorten(rejection.reason()) + (rejection.note() == null ? "" : ": " + shorten(rejection.note()))
                + ")";
    }

    /** Says what a member's rejection means for a proposal that it did not close. */
    private String rejectionVerb(SystemMessage.Rejection rejection) {
        if (RejectionReason.isAbstention(rejection.reason())) {
            return " abstained";
        }
        return reviewers.includes(rejection.from()) ? " voted to reject" : " voted to reject it, but cannot close it";
    }

    /** Shortens text to one line of limited length; the timeline has the full text. */
    private static String shorten(String text) {
        String line = text.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
        return line.codePointCount(0, line.length()) <= MAX_CODE_POINTS
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_CODE_POINTS)) + "…";
    }

    String time(Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
        return time.toLocalDate().equals(today) ? TIME.format(time) : DAY_AND_TIME.format(time);
    }
}
