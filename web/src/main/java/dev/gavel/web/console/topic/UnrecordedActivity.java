package dev.gavel.web.console.topic;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Activity in a topic that no ledger stores: a chat message, a presence change or a direct call. Immutable. */
sealed interface UnrecordedActivity {
    /** Its place among all that was heard in the topic. */
    long number();

    /** What kind of row it becomes. */
    ActivityRow.Category category();

    /**
     * The row it becomes for a reader.
     *
     * @param edition what ids of this process begin with
     */
    ActivityRow row(String edition, String reader);

    /** How the row of a number is called. */
    static String rowId(String edition, long number) {
        return "h-" + edition + "-" + number;
    }

    /**
     * Somebody said something.
     *
     * @param payload of the message, read when somebody looks: they may be many, and nobody be looking
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ChatMessage(long number, Instant at, String from, byte[] payload) implements UnrecordedActivity {
        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.CHAT;
        }

        @Override
        public ActivityRow row(String edition, String reader) {
            String text = Json.parse(new String(payload, StandardCharsets.UTF_8))
                    .map(json -> json.at("text").text())
                    .orElse("");
            return ActivityRow.chat(rowId(edition, number), at, from, text, reader);
        }
    }

    /** Somebody came, or left. */
    record PresenceChange(long number, Instant at, String participant, boolean joined) implements UnrecordedActivity {
        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.PRESENCE;
        }

        @Override
        public ActivityRow row(String edition, String reader) {
            return ActivityRow.presence(rowId(edition, number), at, participant, joined, reader);
        }
    }

    /** Somebody who had left a moment ago is back, so that their leaving is not worth a row. */
    record Reconnected(long number, Instant at, String participant, long replacedNumber) implements UnrecordedActivity {
        @Override
        public ActivityRow.Category category() {
            return ActivityRow.Category.PRESENCE;
        }

        @Override
        public ActivityRow row(String edition, String reader) {
            return ActivityRow.reconnected(rowId(edition, number), at, participant, rowId(edition, replacedNumber));
        }
    }

    /** Somebody sent something else: a call without a proposal, or, where there is no ledger, something about one. */
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
        public ActivityRow row(String edition, String reader) {
            return ActivityRow.sent(rowId(edition, number), at, category, from, verb, what, to, reader);
        }
    }
}
