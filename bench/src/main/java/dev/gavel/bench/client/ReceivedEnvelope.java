package dev.gavel.bench.client;

/**
 * An envelope as a client received it, with its fields found by text search instead of JSON parsing. The first
 * occurrence of a name counts. This is sufficient for what the test participants send and for what the gateway adds:
 * both write the fields of the envelope before its payload.
 *
 * @param seq the position that the event stream reported; -1 if unknown
 */
public record ReceivedEnvelope(String text, long seq) {
    public ReceivedEnvelope(String text) {
        this(text, -1);
    }

    public String id() {
        return textField("id");
    }

    public String kind() {
        return textField("kind");
    }

    public String correlationId() {
        return textField("correlationId");
    }

    /** The code of a {@code system.error}. */
    public String errorCode() {
        return textField("error");
    }

    /** The value of the first text field with a name; empty if there is none. */
    public String textField(String name) {
        String start = "\"" + name + "\":\"";
        int at = text.indexOf(start);
        if (at < 0) {
            return "";
        }
        int from = at + start.length();
        return text.substring(from, text.indexOf('"', from));
    }

    /** The value of the last number field with a name; -1 if there is none. */
    public long numberField(String name) {
        String start = "\"" + name + "\":";
        int at = text.lastIndexOf(start);
        if (at < 0) {
            return -1;
        }
        int from = at + start.length();
        int end = from;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return end == from ? -1 : Long.parseLong(text, from, end, 10);
    }
}
