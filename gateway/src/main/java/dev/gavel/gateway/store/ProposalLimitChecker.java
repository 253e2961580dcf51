package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.proposal.ProposalLimits.AskLimit;
import dev.gavel.gateway.proposal.ProposalLimits.ByteQuota;
import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Checks whether an envelope exceeds what its sender may ask reviewers to decide, or may store in the ledger. Approvals
 * and responses are not limited: each belongs to a proposal, which was. Withdrawals and small rejections are not limited
 * either, so that a proposer can always withdraw and a reviewer can always reject.
 */
record ProposalLimitChecker(ProposalLimits limits) {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int SMALL_BYTES = 4 * 1024;
    private static final long BYTES_PER_MIB = 1L << 20;

    /**
     * Returns why the envelope is refused, if it exceeds a limit.
     *
     * @param usage returns the sender's usage of the ledger with this number of latest starts
     */
    Optional<ProposalRefusal> check(AdmittedEnvelope admittedEnvelope, Instant now, IntFunction<OwnerUsage> usage) {
        Envelope envelope = admittedEnvelope.envelope();
        return switch (envelope.category()) {
            case PROPOSAL -> checkProposal(envelope, limits.askLimitOf(admittedEnvelope.from()), now, usage);
            case REJECT -> storedBytes(envelope) <= SMALL_BYTES ? Optional.empty() : checkUpdate(envelope, now, usage);
            case STATUS -> checkUpdate(envelope, now, usage);
            case REQUEST, RESPONSE, WITHDRAW, CHAT, SYSTEM, OTHER -> Optional.empty();
        };
    }

    private Optional<ProposalRefusal> checkUpdate(Envelope envelope, Instant now, IntFunction<OwnerUsage> usage) {
        return limits.bytes().equals(ByteQuota.OFF) ? Optional.empty() : checkDay(envelope, usage.apply(0), now);
    }

    /** Returns about how many bytes of the ledger an envelope needs: it is stored once for each proposal it is about. */
    private static long storedBytes(Envelope envelope) {
        return (long) envelope.length() * Math.max(1, envelope.correlationIds().size());
    }

    private Optional<ProposalRefusal> checkProposal(
            Envelope envelope, AskLimit ask, Instant now, IntFunction<OwnerUsage> usageReader) {
        if (ask.equals(AskLimit.OFF) && limits.bytes().equals(ByteQuota.OFF)) {
            return Optional.empty();
        }
        OwnerUsage usage = usageReader.apply(ask.hour() == Integer.MAX_VALUE ? 0 : ask.hour());
        if (usage.open() >= ask.open()) {
            return Optional.of(refuse(
                    envelope,
                    EnvelopeErrorCode.ASK_LIMIT,
                    "Denied: " + ask.open() + " of your proposals wait for a decision, which is the limit."
                            + " Do not propose this call now. Wait until reviewers have decided, or withdraw proposals"
                            + " that you no longer need."));
        }
        if (usage.latestStarts().size() >= ask.hour()) {
            Duration wait = Duration.between(
                    now, usage.latestStarts().get(ask.hour() - 1).plus(WINDOW));
            if (wait.isPositive()) {
                return Optional.of(refuse(
                                envelope,
                                EnvelopeErrorCode.ASK_LIMIT,
                                "Denied: you made " + ask.hour()
                                        + " proposals within the last hour, which is the limit."
                                        + " You can propose again in " + minutes(wait)
                                        + ". Until then, continue without this call.")
                        .withRetryAfter(wait));
            }
        }
        if (usage.openBytes() + envelope.length() > limits.bytes().open()) {
            return Optional.of(refuse(
                    envelope,
                    EnvelopeErrorCode.QUOTA_EXCEEDED,
                    "Denied: with this proposal, your open proposals would exceed your quota of "
                            + size(limits.bytes().open())
                            + ". Wait until reviewers have decided some, withdraw some, or send less data."));
        }
        return checkDay(envelope, usage, now);
    }

    private Optional<ProposalRefusal> checkDay(Envelope envelope, OwnerUsage usage, Instant now) {
        if (usage.dayBytes() + storedBytes(envelope) <= limits.bytes().day()) {
            return Optional.empty();
        }
        Duration wait = Duration.between(now, now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS));
        return Optional.of(refuse(
                        envelope,
                        EnvelopeErrorCode.QUOTA_EXCEEDED,
                        "Denied: you have used your quota of "
                                + size(limits.bytes().day())
                                + " for data in the ledger today. It is renewed at 00:00 UTC. Until then, send less data"
                                + " or ask an admin to raise limits.bytes.day.")
                .withRetryAfter(wait));
    }

    private static ProposalRefusal refuse(Envelope envelope, EnvelopeErrorCode code, String message) {
        return new ProposalRefusal(envelope.refuse(code, message), Optional.empty(), Optional.empty());
    }

    private static String minutes(Duration wait) {
        long minutes = Math.max(1, wait.plusSeconds(59).toMinutes());
        return minutes == 1 ? "1 minute" : minutes + " minutes";
    }

    private static String size(long bytes) {
        return bytes % BYTES_PER_MIB == 0 ? bytes / BYTES_PER_MIB + " MiB" : bytes + " bytes";
    }
}
