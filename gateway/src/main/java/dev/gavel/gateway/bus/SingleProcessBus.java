package dev.gavel.gateway.bus;

import dev.gavel.ledger.AppendedRange;
import java.util.concurrent.Executor;

/**
 * A bus that does nothing, for a gateway that runs as a single process and has no other processes to notify.
 * Thread-safe.
 */
public final class SingleProcessBus implements Bus {
    private static final InterProcessTopicChannel NO_CHANNEL = new InterProcessTopicChannel() {
        @Override
        public void open(Executor loop, TopicBusListener topicBusListener) {
            // There are no other processes to report on.
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public BusSendResult send(ForwardedEnvelope forwardedEnvelope) {
            return BusSendResult.SENT;
        }

        @Override
        public void announcePresent(MemberPresence memberPresence) {
            // There are no other processes to notify.
        }

        @Override
        public void announceAbsent(String member) {
            // There are no other processes to notify.
        }

        @Override
        public void setReceiving(boolean wanted) {
            // There are no other processes to receive from.
        }
    };

    private final String process;

    public SingleProcessBus(String process) {
        this.process = process;
    }

    @Override
    public String processId() {
        return process;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public boolean isAlive(String other) {
        return other.equals(process);
    }

    @Override
    public void announceWrite(AppendedRange appendedRange) {
        // There are no other processes to notify.
    }

    @Override
    public InterProcessTopicChannel topicChannel(String topic) {
        return NO_CHANNEL;
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
