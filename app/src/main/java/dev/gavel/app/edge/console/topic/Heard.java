package dev.gavel.app.edge.console.topic;

import dev.gavel.console.topic.Row;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Something that went on in a topic and is kept nowhere. Immutable. */
sealed interface Heard {
    /** Its place among all that was heard in the topic. */
    long number();

    /** What kind of row it becomes. */
    Row.Sort sort();

    /**
     * The row it becomes for a reader.
     *
     * @param edition what ids of this process begin with
     */
    Row row(String edition, String reader);

    /** How the row of a number is called. */
    static String id(String edition, long number) {
        return "h-" + edition + "-" + number;
    }

    /**
     * Somebody said something.
     *
     * @param payload of the message, read when somebody looks: they may be many, and nobody be looking
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Said(long number, Instant at, String from, byte[] payload) implements Heard {
        @Override
        public Row.Sort sort() {
            return Row.Sort.CHAT;
        }

        @Override
        public Row row(String edition, String reader) {
            String text = Json.parse(new String(payload, StandardCharsets.UTF_8))
                    .map(json -> json.at("text").text())
                    .orElse("");
            return Row.chat(id(edition, number), at, from, text, reader);
        }
    }

    /** Somebody came, or left. */
    record Moved(long number, Instant at, String who, boolean came) implements Heard {
        @Override
        public Row.Sort sort() {
            return Row.Sort.PRESENCE;
        }

        @Override
        public Row row(String edition, String reader) {
            return Row.presence(id(edition, number), at, who, came, reader);
        }
    }

    /** Somebody who had left a moment ago is back, so that their leaving is not worth a row. */
    record Back(long number, Instant at, String who, long undone) implements Heard {
        @Override
        public Row.Sort sort() {
            return Row.Sort.PRESENCE;
        }

        @Override
        public Row row(String edition, String reader) {
            return Row.back(id(edition, number), at, who, id(edition, undone));
        }
    }

    /** Somebody sent something else: a call without a proposal, or, where there is no ledger, something about one. */
    record Sent(long number, Instant at, Row.Sort sort, String from, String verb, String what, List<String> to)
            implements Heard {
        @Override
        public Row row(String edition, String reader) {
            return Row.sent(id(edition, number), at, sort, from, verb, what, to, reader);
        }
    }
}
