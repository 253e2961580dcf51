package dev.gavel.mcp.bridge;

import dev.gavel.mcp.bridge.BridgeStatus.UndeliveredMessages;
import dev.gavel.mcpx.text.SafeText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the messages of a bridged server that were too long or could not be read, so that the bridge did not forward
 * them: logs and counts them. Thread-safe.
 */
final class UndeliveredMessageRecorder {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);
    private static final int MAX_PROBLEM_LENGTH = 500;

    private final String name;
    private final NotificationRateLimiter logLimiter = new NotificationRateLimiter();
    private UndeliveredMessages messages = UndeliveredMessages.NONE;

    /** Creates a recorder for the bridge of this name. */
    UndeliveredMessageRecorder(String name) {
        this.name = name;
    }

    /** Records that a message was not forwarded, with the problem. */
    void record(String problem) {
        String text = SafeText.brief(problem, MAX_PROBLEM_LENGTH);
        synchronized (this) {
            messages = new UndeliveredMessages(messages.count() + 1, text);
        }
        if (logLimiter.tryAcquire()) {
            log.warn("Bridge {}: a message of the server was not forwarded: {}", name, text);
        }
    }

    synchronized UndeliveredMessages messages() {
        return messages;
    }
}
