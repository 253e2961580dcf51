package dev.gavel.mcp.facade;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The progress a client is told of one call: first of the waiting, then the tool's own above it, always more than before.
 * Confined to the topic's loop.
 */
final class Progress {
    /** What a sign of life adds where nothing has moved: too little to reach the tool's next step. */
    private static final double TRIFLE = 0.001;

    private static final int LONGEST_TOKEN = 300;

    private final Json token;
    private double last;
    private double base;
    private boolean told;
    private boolean tools;

    /** The progress that is told under a token; nothing where it is none. */
    static Optional<Progress> of(Json token) {
        return switch (token.type()) {
            case TEXT, NUMBER ->
                token.raw().length() <= LONGEST_TOKEN ? Optional.of(new Progress(token)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    Progress(Json token) {
        this.token = token;
    }

    /** It still waits. */
    Message waiting(String words) {
        last += tools ? TRIFLE : 1;
        return message(last, Optional.empty(), words);
    }

    /** The tool itself says how far it is. */
    Message tool(Json params) {
        if (!tools) {
            tools = true;
            base = last;
        }
        double said = base + number(params.at("progress")).orElse(0.0);
        last = said > last || !told ? said : last + TRIFLE;
        Optional<Double> total =
                number(params.at("total")).map(all -> base + all).filter(all -> all >= last);
        return message(last, total, params.at("message").text());
    }

    private static Optional<Double> number(Json value) {
        if (value.type() != Json.Type.NUMBER) {
            return Optional.empty();
        }
        double number = Double.parseDouble(value.text());
        return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
    }

    private Message message(double progress, Optional<Double> total, String words) {
        told = true;
        return Answers.notification("notifications/progress", json -> {
            json.writeName("progressToken");
            json.writeRawValue(token.raw());
            json.writeName("progress");
            json.writeRawValue(plain(progress));
            total.ifPresent(all -> {
                json.writeName("total");
                json.writeRawValue(plain(all));
            });
            if (!words.isEmpty()) {
                json.writeStringProperty("message", words);
            }
        });
    }

    /** A whole number without a point: some clients show it as it comes. */
    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
