package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Negotiates the protocol with an MCP server: tries {@code server/discover} first and falls back to {@code initialize}.
 * Used once, by one thread.
 */
final class ProtocolNegotiator {
    private static final int MAX_DESCRIPTION_LENGTH = 1024 * 1024;

    private final McpClientSession session;
    private final McpClientSession.ClientInfo client;
    private final Timeouts timeouts;
    private final long deadlineNanos;

    /**
     * Limits on the waiting times.
     *
     * @param total for the whole negotiation
     * @param probe for a response to {@code server/discover}, before {@code initialize} is tried as well
     */
    record Timeouts(Duration total, Duration probe) {}

    /** Which protocols are tried. */
    enum Strategy {
        /** Stateless first, then stateful. */
        STATELESS_FIRST,
        /** Stateful only: the server ended when it received {@code server/discover}. */
        STATEFUL_ONLY,
        /** Stateless only: the server is known to support it. */
        STATELESS_ONLY
    }

    /** The result of a negotiation. */
    sealed interface NegotiationResult {
        /** The protocol is negotiated. */
        record Negotiated(NegotiatedProtocol protocol) implements NegotiationResult {}

        /** The protocol is known, but the server must be restarted to use it. */
        record RestartRequired(Strategy strategy) implements NegotiationResult {}
    }

    ProtocolNegotiator(McpClientSession session, McpClientSession.ClientInfo client, Timeouts timeouts) {
        this.session = session;
        this.client = client;
        this.timeouts = timeouts;
        this.deadlineNanos = System.nanoTime() + timeouts.total().toNanos();
    }

    /** Returns all supported versions as text for people. */
    static String supportedVersionsText() {
        return StatelessProtocol.VERSION + ", " + String.join(", ", StatefulProtocol.SUPPORTED_VERSIONS);
    }

    /**
     * Negotiates the protocol. Blocks until that is done.
     *
     * @throws IOException if no protocol could be negotiated, with a message that gives the reason
     */
    NegotiationResult negotiate(Strategy strategy) throws IOException, InterruptedException {
        return switch (strategy) {
            case STATEFUL_ONLY -> new NegotiationResult.Negotiated(awaitStateful(sendInitialize()));
            case STATELESS_ONLY -> new NegotiationResult.Negotiated(awaitStateless(sendDiscover()));
            case STATELESS_FIRST -> negotiateEither(sendDiscover());
        };
    }

    private NegotiationResult negotiateEither(CompletableFuture<RpcMessage.Response> discoverResponse)
            throws IOException, InterruptedException {
        Optional<RpcMessage.Response> response =
                awaitFor(discoverResponse, Math.min(timeouts.probe().toNanos(), remainingNanos()));
        if (response.isEmpty()) {
            return awaitEither(discoverResponse, sendInitialize());
        }
        if (session.isClosed()) {
            // Some servers exit if the first message is not what they expect.
            return new NegotiationResult.RestartRequired(Strategy.STATEFUL_ONLY);
        }
        Optional<Json> stateless = statelessDescription(response.get());
        return new NegotiationResult.Negotiated(
                stateless.isPresent()
                        ? new StatelessProtocol(client, stateless.get())
                        : awaitStateful(sendInitialize()));
    }

    /**
     * The server starts slowly or leaves unknown requests unanswered. The first response shows which protocol it
     * supports.
     */
    private NegotiationResult awaitEither(
            CompletableFuture<RpcMessage.Response> discoverResponse,
            CompletableFuture<RpcMessage.Response> initializeResponse)
            throws IOException, InterruptedException {
        awaitFor(CompletableFuture.anyOf(discoverResponse, initializeResponse), remainingNanos());
        if (!discoverResponse.isDone()) {
            Optional<RpcMessage.Response> initializeResult = awaitFor(initializeResponse, 0);
            return initializeResult.isPresent() && initializeResult.get() instanceof RpcMessage.ErrorResponse
                    ? awaitDiscoverAfterRefusal(discoverResponse, initializeResponse)
                    : new NegotiationResult.Negotiated(awaitStateful(initializeResponse));
        }
        if (session.isClosed()) {
            return new NegotiationResult.RestartRequired(Strategy.STATEFUL_ONLY);
        }
        Optional<Json> stateless = statelessDescription(discoverResponse.join());
        if (stateless.isEmpty()) {
            return new NegotiationResult.Negotiated(awaitStateful(initializeResponse));
        }
        Optional<RpcMessage.Response> initializeResult =
                awaitFor(initializeResponse, Math.min(timeouts.probe().toNanos(), remainingNanos()));
        // A server that supports both protocols has chosen the stateful one by now, for as long as it runs.
        return initializeResult.isPresent() && initializeResult.get() instanceof RpcMessage.ResultResponse
                ? new NegotiationResult.RestartRequired(Strategy.STATELESS_ONLY)
                : new NegotiationResult.Negotiated(new StatelessProtocol(client, stateless.get()));
    }

    /**
     * The server does not know {@code initialize}, so it is worth waiting for its response to {@code server/discover}.
     */
    private NegotiationResult awaitDiscoverAfterRefusal(
            CompletableFuture<RpcMessage.Response> discoverResponse,
            CompletableFuture<RpcMessage.Response> initializeResponse)
            throws IOException, InterruptedException {
        Optional<RpcMessage.Response> response = awaitFor(discoverResponse, remainingNanos());
        Optional<Json> stateless = response.isPresent() ? statelessDescription(response.get()) : Optional.empty();
        return new NegotiationResult.Negotiated(
                stateless.isPresent()
                        ? new StatelessProtocol(client, stateless.get())
                        : awaitStateful(initializeResponse));
    }

    // --- stateless protocol

    private CompletableFuture<RpcMessage.Response> sendDiscover() {
        return session.sendUnprepared(
                StatelessProtocol.DISCOVER,
                new StatelessProtocol(client, Json.object()).prepareParams(Optional.empty(), false));
    }

    private NegotiatedProtocol awaitStateless(CompletableFuture<RpcMessage.Response> discoverResponse)
            throws IOException, InterruptedException {
        RpcMessage.Response response = awaitResponse(discoverResponse, StatelessProtocol.DISCOVER);
        return new StatelessProtocol(
                client,
                statelessDescription(response)
                        .orElseThrow(() -> new IOException("the server first reported that it supports MCP "
                                + StatelessProtocol.VERSION + " and then refused it"
                                + (response instanceof RpcMessage.ErrorResponse errorResponse
                                        ? ": " + errorResponse.message()
                                        : ""))));
    }

    /**
     * Returns the server's description if it supports the stateless protocol, or empty if {@code initialize} should be
     * tried.
     */
    private static Optional<Json> statelessDescription(RpcMessage.Response response) throws IOException {
        return switch (response) {
            case RpcMessage.ResultResponse(String _, String raw) -> {
                Json result = parseDescription(raw);
                yield supportsStateless(result.at("supportedVersions").texts())
                        ? Optional.of(result)
                        : Optional.empty();
            }
            case RpcMessage.ErrorResponse errorResponse -> {
                boolean stateless = errorResponse.code() == RpcErrorCode.HEADER_MISMATCH.code()
                        || errorResponse.code() == RpcErrorCode.MISSING_CAPABILITY.code()
                        || (errorResponse.code() == RpcErrorCode.UNSUPPORTED_VERSION.code()
                                && supportsStateless(supportedVersions(errorResponse)));
                if (stateless) {
                    throw new IOException("the server supports MCP " + StatelessProtocol.VERSION
                            + ", but did not answer '" + StatelessProtocol.DISCOVER + "': " + errorResponse.message());
                }
                yield Optional.empty();
            }
        };
    }

    private static List<String> supportedVersions(RpcMessage.ErrorResponse errorResponse) {
        return RawJsonEditor.at(errorResponse.error(), "data", "supported")
                .flatMap(Json::parse)
                .map(Json::texts)
                .orElse(List.of());
    }

    /** Whether the stateless version is among these. A server that names no version may support the stateful ones. */
    private static boolean supportsStateless(List<String> versions) throws IOException {
        boolean newest = versions.contains(StatelessProtocol.VERSION);
        if (!newest
                && !versions.isEmpty()
                && versions.stream().noneMatch(StatefulProtocol.SUPPORTED_VERSIONS::contains)) {
            throw new IOException("the server supports only MCP " + String.join(", ", versions)
                    + "; the bridge supports " + supportedVersionsText());
        }
        return newest;
    }

    // --- stateful protocol

    private CompletableFuture<RpcMessage.Response> sendInitialize() {
        return session.sendUnprepared(
                StatefulProtocol.INITIALIZE, Optional.of(StatefulProtocol.initializeParams(client)));
    }

    private NegotiatedProtocol awaitStateful(CompletableFuture<RpcMessage.Response> initializeResponse)
            throws IOException, InterruptedException {
        return switch (awaitResponse(initializeResponse, StatefulProtocol.INITIALIZE)) {
            case RpcMessage.ResultResponse(String _, String raw) -> {
                NegotiatedProtocol negotiatedProtocol = StatefulProtocol.fromInitializeResult(parseDescription(raw));
                session.send(new RpcMessage.Notification(StatefulProtocol.INITIALIZED, Optional.empty()));
                yield negotiatedProtocol;
            }
            case RpcMessage.ErrorResponse errorResponse
            when errorResponse.code() == RpcErrorCode.UNAVAILABLE.code() ->
                throw new IOException(errorResponse.message());
            case RpcMessage.ErrorResponse errorResponse ->
                throw new IOException("the server refused to initialize: " + errorResponse.message());
        };
    }

    private static Json parseDescription(String raw) throws IOException {
        if (raw.length() > MAX_DESCRIPTION_LENGTH) {
            throw new IOException("the server's description has " + raw.length() + " characters; the limit is "
                    + MAX_DESCRIPTION_LENGTH);
        }
        return Json.parse(raw).orElseGet(Json::object);
    }

    // --- waiting for responses

    private long remainingNanos() {
        return Math.max(0, deadlineNanos - System.nanoTime());
    }

    private RpcMessage.Response awaitResponse(CompletableFuture<RpcMessage.Response> response, String method)
            throws IOException, InterruptedException {
        return awaitFor(response, remainingNanos())
                .orElseThrow(() -> new IOException("the server did not answer '" + method + "' within "
                        + timeouts.total().toSeconds() + " s"));
    }

    private static <T> Optional<T> awaitFor(CompletableFuture<T> future, long nanos) throws InterruptedException {
        try {
            return Optional.of(future.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
