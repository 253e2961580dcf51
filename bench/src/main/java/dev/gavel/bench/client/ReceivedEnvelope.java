package dev.gavel.bench.client;

/**
 * An envelope as a client received it, with its fields found by text search instead of JSON parsing. Its fields are
 * found by their names' first occurrence, which is enough for what trials send and for what the gateway adds: both
 * write what concerns the envelope itself before its payload.
 *
 * @param seq where an event stream said it stands; -1 where nobody said
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

    /** The value of the first text field of a name; empty where there is none. */
    public String textField(String name) {
        String start = "\"" + name + "\":\"";
        int at = text.indexOf(start);
        if (at < 0) {
            return "";
        }
        int from = at + start.length();
        return text.substring(from, text.indexOf('"', from));
    }

    /** The value of the last number field of a name; -1 where there is none. */
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
