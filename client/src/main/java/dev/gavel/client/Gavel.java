package dev.gavel.client;

import dev.gavel.client.connection.ReconnectingConnection;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configures and opens a participant's connection to a gateway: addresses, token, topic and listeners. Not thread-safe;
 * the {@link Participant} that {@link #connect} returns is.
 *
 * <p>A complete agent, which proposes a call and waits for its end:
 *
 * {@snippet :
 * try (Participant agent =
 *         Gavel.at(args[0]).token(Token.env("HELPER_TOKEN")).topic("main").connect()) {
 *     Pending pending = agent.propose(Call.tool("delete_file").argument("path", "notes.txt"))
 *             .ttl(Duration.ofMinutes(5))
 *             .onGuidance(guidance -> System.out.println(guidance.status()))
 *             .send();
 *     System.out.println(
 *             switch (pending.await()) {
 *                 case End.Succeeded end -> "done: " + end.text();
 *                 case End.Failed end -> "failed: " + end.text();
 *                 case End.Unknown end -> "result unknown: " + end.why();
 *                 case End.Rejected end -> "rejected: " + end.reasons();
 *                 case End.Withdrawn _ -> "withdrawn";
 *                 case End.Expired _ -> "no reviewer decided in time";
 *                 case End.Refused end -> "refused: " + end.problem().detail();
 *             });
 * }
 * }
 */
public final class Gavel {
    private final List<URI> urls;
    private @Nullable Token token;
    private @Nullable String topic;
    private boolean directed;
    private Consumer<LinkEvent> onLink = event -> {};
    private @Nullable Consumer<Envelope> onEnvelope;

    private Gavel(List<URI> urls) {
        this.urls = urls;
    }

    /**
     * Starts the configuration for a gateway at an address such as {@code http://127.0.0.1:4285}. If there are several
     * addresses, the client tries the next one when one does not answer or announces that it stops.
     */
    public static Gavel at(String url, String... others) {
        return new Gavel(Stream.concat(Stream.of(url), Arrays.stream(others))
                .map(Gavel::address)
                .toList());
    }

    private static URI address(String url) {
        return GatewayEndpoint.url(url)
                .orElseThrow(() -> new IllegalArgumentException(
                        "not a gateway address such as http://127.0.0.1:4285: " + url.replaceFirst("(?s)^.*@", "…@")));
    }

    /** Sets the token, which alone determines the participant's identity. */
    public Gavel token(Token secret) {
        token = secret;
        return this;
    }

    /** Sets the topic to join. */
    public Gavel topic(String name) {
        topic = switch (TopicName.parse(name)) {
            case ValueParseResult.Valid<TopicName>(TopicName valid) -> valid.value();
            case ValueParseResult.Invalid<TopicName>(String problem) -> throw new IllegalArgumentException(problem);
        };
        return this;
    }

    /**
     * Requests fewer envelopes: only broadcasts, envelopes addressed to this participant, and those about its own
     * proposals. That is enough for agents and tool servers.
     */
    public Gavel directed() {
        directed = true;
        return this;
    }

    /** Sets the listener for changes of the connection. It is called on a virtual thread, with one event at a time. */
    public Gavel onLink(Consumer<LinkEvent> listener) {
        onLink = listener;
        return this;
    }

    /**
     * Sets a listener for all envelopes, including the first one. {@link Participant#onEnvelope} in contrast adds a
     * listener for the envelopes that arrive after the call.
     */
    public Gavel onEnvelope(Consumer<Envelope> listener) {
        onEnvelope = listener;
        return this;
    }

    /**
     * Connects to the gateway. Tries every address once and does not retry. Once connected, the participant reconnects
     * automatically.
     *
     * @throws GavelException.Unreachable if no gateway answers
     * @throws GavelException.Unauthenticated if the gateway does not know the token
     * @throws GavelException.NotAMember if the token's identity is not a member of the topic
     * @throws GavelException.NoSuchTopic if the topic does not exist
     */
    public Participant connect() {
        if (token == null || topic == null) {
            throw new IllegalStateException("token(…) and topic(…) must both be set");
        }
        RemoteGateway gateway = new RemoteGateway(GatewayEndpoint.of(urls, Optional.of(token.read())));
        ReconnectingConnection reconnectingConnection = new ReconnectingConnection(gateway, topic, directed);
        Participant participant = new Participant(gateway, topic, reconnectingConnection, onLink);
        if (onEnvelope != null) {
            participant.onEnvelope(onEnvelope);
        }
        try {
            participant.open();
            return participant;
        } catch (GavelException e) {
            participant.close();
            throw e;
        }
    }
}
