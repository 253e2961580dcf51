package dev.gavel.web.console.topic;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * Something that happened in a topic but is not stored in the ledger: a chat message, a presence change or a direct
 * call. Immutable.
 */
sealed interface UnrecordedActivity {
    /** The position among all unrecorded activity in the topic. */
    long number();

    /** The category of the row. */
    ActivityRow.Category category();

    /**
     * Returns the row for a reader.
     *
     * @param bufferId the prefix of all row ids of this process
     */
    ActivityRow row(String bufferId, ParticipantNameFormatter formatter);

    /** Whether a member took part in it, or all members of the topic received it. */
    default boolean involves(String member) {
        return true;
    }

    /** Returns the id of the row with this number. */
    static String rowId(String bufferId, long number) {
        return "h-" + bufferId + "-" + number;
    }

    private static boolean isBetween(String from, List<String> to, String member) {
        return to.isEmpty() || from.equals(member) || to.contains(member);
    }

    /**
     * A chat message.
     *
     * @param to the members it was addressed to; empty if it was sent to all
     * @param payload the payload of the message, parsed only when a reader opens the page: there may be many messages
     *     and no reader
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ChatMessage(long number, Instant at, String from, List<String> to, byte[] payload)
            implements UnrecordedActivity {
        @Override
        public boolean involves(String member) {
            return isBetween(from, to, member);
        }

        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.CHAT;
        }

        @Override
        public ActivityRow row(String bufferId, ParticipantNameFormatter formatter) {
            String text = Json.parse(new String(payload, StandardCharsets.UTF_8))
                    .map(json -> json.at("text").text())
                    .orElse("");
            return ActivityRow.chat(rowId(bufferId, number), at, from, text, formatter);
        }
    }

    /** A participant joined or left. */
    record PresenceChange(long number, Instant at, String participant, boolean joined) implements UnrecordedActivity {
        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.PRESENCE;
        }

        @Override
        public ActivityRow row(String bufferId, ParticipantNameFormatter formatter) {
            return ActivityRow.presence(rowId(bufferId, number), at, participant, joined, formatter);
        }
    }

    /** A participant reconnected a moment after it left, so the row about its leaving is removed. */
    record Reconnected(long number, Instant at, String participant, long replacedNumber) implements UnrecordedActivity {
        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.PRESENCE;
        }

        @Override
        public ActivityRow row(String bufferId, ParticipantNameFormatter formatter) {
            return ActivityRow.reconnected(rowId(bufferId, number), at, participant, rowId(bufferId, replacedNumber));
        }
    }

    /** Another envelope: a call without a proposal or, if the topic has no ledger, an envelope about a proposal. */
    record SentEnvelope(
            long number,
            Instant at,
            ActivityRow.Category category,
            String from,
            String verb,
            String what,
            List<String> to)
            implements UnrecordedActivity {
        @Override
        public boolean involves(String member) {
            return isBetween(from, to, member);
        }

        @Override
        public ActivityRow row(String bufferId, ParticipantNameFormatter formatter) {
            return ActivityRow.sent(rowId(bufferId, number), at, category, from, verb, what, to, formatter);
        }
    }
}
