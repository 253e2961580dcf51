package dev.gavel.client;

import dev.gavel.client.connection.ReconnectingConnection;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.TextParseResult;
import dev.gavel.mcpx.TopicName;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configures and opens a participant's connection to a gateway: addresses, token, topic and listeners. Not thread-safe;
 * what {@link #connect} gives is.
 *
 * <p>A whole agent, which proposes and waits:
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
 *                 case End.Unknown end -> "perhaps done: " + end.why();
 *                 case End.Rejected end -> "rejected: " + end.reasons();
 *                 case End.Withdrawn _ -> "withdrawn";
 *                 case End.Expired _ -> "nobody decided in time";
 *                 case End.Refused end -> "not taken: " + end.problem().detail();
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
     * A gateway at an address such as {@code http://127.0.0.1:4285}, or at several: where one does not answer, or says
     * that it stops, the next is tried.
     */
    public static Gavel at(String url, String... others) {
        return new Gavel(Stream.concat(Stream.of(url), Arrays.stream(others))
                .map(Gavel::address)
                .toList());
    }

    private static URI address(String url) {
        return GatewayEndpoint.url(url)
                .orElseThrow(() ->
                        new IllegalArgumentException("not the address of a gateway, such as http://127.0.0.1:4285: "
                                + url.replaceFirst("(?s)^.*@", "…@")));
    }

    /** Who to be: the token alone says so. */
    public Gavel token(Token secret) {
        token = secret;
        return this;
    }

    /** The topic to take part in. */
    public Gavel topic(String name) {
        topic = switch (TopicName.parse(name)) {
            case TextParseResult.Valid<TopicName>(TopicName valid) -> valid.value();
            case TextParseResult.Invalid<TopicName>(String problem) -> throw new IllegalArgumentException(problem);
        };
        return this;
    }

    /**
     * Asks for less: only broadcasts, what names this participant, and what concerns its own proposals. Enough for agents
     * and tool servers.
     */
    public Gavel directed() {
        directed = true;
        return this;
    }

    /** Hears what happens to the connection: on a thread of its own, one at a time. */
    public Gavel onLink(Consumer<LinkEvent> listener) {
        onLink = listener;
        return this;
    }

    /** Hears every envelope, the first included, as {@link Participant#onEnvelope} does from when it is called. */
    public Gavel onEnvelope(Consumer<Envelope> listener) {
        onEnvelope = listener;
        return this;
    }

    /**
     * Connects. Tries every address once; a participant that was connected comes back by itself.
     *
     * @throws GavelException.Unreachable where no gateway answers
     * @throws GavelException.Unauthenticated where it does not know the token
     * @throws GavelException.NotAMember where the token's identity is no member of the topic
     * @throws GavelException.NoSuchTopic where there is no such topic
     */
    public Participant connect() {
        if (token == null || topic == null) {
            throw new IllegalStateException("say both who to be, by token(…), and where, by topic(…)");
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
