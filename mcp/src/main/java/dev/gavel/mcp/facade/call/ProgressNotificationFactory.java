package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates a call's progress notifications, whose values keep increasing while the call waits and then while the tool
 * reports progress. Confined to the topic's loop.
 */
public final class ProgressNotificationFactory {
    /** The increment of a notification without actual progress: too small to reach the tool's next step. */
    private static final double MIN_INCREMENT = 0.001;

    /** The limit of values, above which there are hardly any greater numbers left. */
    private static final double MAX_VALUE = 1e300;

    private static final int MAX_TOKEN_LENGTH = 256;

    private final Json token;
    private double last;
    private double base;
    private boolean anySent;
    private boolean toolStarted;

    private ProgressNotificationFactory(Json token) {
        // A call may last long, and the message that contains the token may be large.
        this.token = token.detached();
    }

    /**
     * Returns the progress for a client's token, or null if the token is neither a number nor a text of acceptable
     * length.
     */
    public static @Nullable ProgressNotificationFactory of(Json token) {
        return switch (token.type()) {
            case TEXT, NUMBER ->
                token.text().length() <= MAX_TOKEN_LENGTH ? new ProgressNotificationFactory(token) : null;
            default -> null;
        };
    }

    /** Returns the progress that a request with these parameters asks for, or null if it asks for none. */
    public static @Nullable ProgressNotificationFactory of(String params) {
        return RawJsonEditor.at(params, "_meta", "progressToken")
                .flatMap(Json::parse)
                .map(ProgressNotificationFactory::of)
                .orElse(null);
    }

    /** Returns a notification that the call is still waiting. */
    RpcMessage waitingNotification(String text) {
        last = toolStarted ? nextMinimalValue() : last + 1;
        return message(last, Optional.empty(), text);
    }

    /** Returns a notification of the tool's own progress. */
    RpcMessage toolNotification(Json params) {
        if (!toolStarted) {
            toolStarted = true;
            base = last;
        }
        double toolValue = Math.clamp(base + number(params.at("progress")).orElse(0.0), -MAX_VALUE, MAX_VALUE);
        last = toolValue > last || !anySent ? toolValue : nextMinimalValue();
        Optional<Double> total =
                number(params.at("total")).map(toolTotal -> base + toolTotal).filter(toolTotal -> toolTotal >= last);
        return message(last, total, params.at("message").text());
    }

    /**
     * Returns the next greater value. Next to a very large number the increment vanishes; then it is the next
     * representable number.
     */
    private double nextMinimalValue() {
        return Math.max(last + MIN_INCREMENT, Math.nextUp(last));
    }

    private static Optional<Double> number(Json value) {
        if (value.type() != Json.Type.NUMBER) {
            return Optional.empty();
        }
        double number = Double.parseDouble(value.text());
        return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
    }

    private RpcMessage message(double progress, Optional<Double> total, String text) {
        anySent = true;
        return ClientMessageFactory.notification("notifications/progress", json -> {
            json.writeName("progressToken");
            json.writeRawValue(token.raw());
            json.writeName("progress");
            json.writeRawValue(formatNumber(progress));
            total.ifPresent(toolTotal -> {
                json.writeName("total");
                json.writeRawValue(formatNumber(toolTotal));
            });
            if (!text.isEmpty()) {
                json.writeStringProperty("message", text);
            }
        });
    }

    /** Writes whole numbers without a decimal point, because some clients show the number as received. */
    private static String formatNumber(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
