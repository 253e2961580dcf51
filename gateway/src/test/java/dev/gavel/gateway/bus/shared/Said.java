package dev.gavel.gateway.bus.shared;

import dev.gavel.mcpx.Parsed;

/** What a message says, for tests. */
final class Said {
    private Said() {}

    static Message read(byte[] message) {
        return switch (MessageFormat.read(message)) {
            case Parsed.Valid<Message.Heard>(Message.Heard heard) -> heard.message();
            case Parsed.Invalid<Message.Heard>(String problem) -> throw new AssertionError(problem);
        };
    }
}
