package dev.gavel.gateway.bus.cluster;

import dev.gavel.mcpx.ValueParseResult;

/** Decodes a bus message in a test and fails on malformed bytes. */
final class TestMessageDecoder {
    private TestMessageDecoder() {}

    static BusMessage decode(byte[] message) {
        return switch (BusMessageCodec.decode(message)) {
            case ValueParseResult.Valid<BusMessage.ReceivedMessage>(BusMessage.ReceivedMessage receivedMessage) ->
                receivedMessage.message();
            case ValueParseResult.Invalid<BusMessage.ReceivedMessage>(String problem) ->
                throw new AssertionError(problem);
        };
    }
}
