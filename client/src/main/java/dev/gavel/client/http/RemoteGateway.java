package dev.gavel.client.http;

import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Calls a gateway's HTTP API, and tries the gateway's next address when one does not answer. Each request tries every
 * address at most once. Thread-safe.
 */
public final class RemoteGateway implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

    /** A page of large proposals has a few megabytes; a much larger response is not from a gateway. */
    private static final int MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

    private volatile GatewayEndpoint endpoint;

    /** Does not follow redirects: the token is sent only to the configured addresses. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    public RemoteGateway(GatewayEndpoint gatewayEndpoint) {
        this.endpoint = gatewayEndpoint;
    }

    /** Returns the endpoint with the current address first. */
    public GatewayEndpoint endpoint() {
        return endpoint;
    }

    /** Switches to the next address, unless another call has already switched away from {@code from}. */
    public synchronized void switchAddress(GatewayEndpoint from) {
        if (endpoint.equals(from)) {
            endpoint = from.rotate();
        }
    }

    /**
     * Posts an envelope. Posts it again if the connection broke before the response arrived, since the gateway does not
     * process the same id twice.
     *
     * @return the gateway's answer, with the problems of the parts that were refused
     */
    public RemotePostResult post(String topic, byte[] envelope) throws RemoteGatewayException, InterruptedException {
        ApiRequest apiRequest = new ApiRequest(
                path(topic, "messages"),
                request -> request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(envelope)),
                true);
        Json answer;
        try {
            answer = exchange(apiRequest, RESPONSE_TIMEOUT);
        } catch (Unreachable e) {
            if (!e.maybeSent()) {
                throw e;
            }
            answer = exchange(apiRequest, RESPONSE_TIMEOUT);
        }
        return RemotePostResult.of(answer, problemsOf(answer, 0));
    }

    /**
     * Returns the gateway's health. The field {@code status} is {@code ready}, or says why the gateway is not.
     */
    public Json health() throws RemoteGatewayException, InterruptedException {
        GatewayEndpoint target = endpoint;
        HttpResponse<String> response = await(
                target,
                client.sendAsync(
                        request(target, "/health/ready").build(),
                        BodyHandlers.limiting(BodyHandlers.ofString(), MAX_RESPONSE_BYTES)),
                RESPONSE_TIMEOUT);
        Optional<Json> body = Json.parse(response.body());
        return body.filter(json -> !json.at("status").text().isEmpty())
                .orElseThrow(() -> refusal(target, response.statusCode(), body));
    }

    /** Returns the topics that are visible to this token. */
    public Json topics() throws RemoteGatewayException, InterruptedException {
        return get("/topics", RESPONSE_TIMEOUT);
    }

    /** Returns the members of a topic with their capabilities. */
    public Json members(String topic) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "members"), RESPONSE_TIMEOUT);
    }

    /** Adds a member to a topic or changes its capabilities; returns the member. */
    public Json setMember(String topic, String name, Json capabilities)
            throws RemoteGatewayException, InterruptedException {
        return send("PUT", path(topic, "members", name), object("capabilities", capabilities));
    }

    /** Removes a member from a topic. */
    public Json removeMember(String topic, String name) throws RemoteGatewayException, InterruptedException {
        return send("DELETE", path(topic, "members", name), Optional.empty());
    }

    /** Resets a member to the configuration. */
    public Json resetMember(String topic, String name) throws RemoteGatewayException, InterruptedException {
        return send("POST", path(topic, "members", name, "reset"), Optional.empty());
    }

    /** Returns the tokens, without their secrets. */
    public Json tokens() throws RemoteGatewayException, InterruptedException {
        return get("/tokens", RESPONSE_TIMEOUT);
    }

    /** Creates a token; the response contains its secret, which cannot be read again. */
    public Json createToken(Json tokenRequest) throws RemoteGatewayException, InterruptedException {
        return send("POST", "/tokens", Optional.of(tokenRequest));
    }

    /** Revokes one of an identity's tokens, or all of them. */
    public Json revokeTokens(String name, Optional<String> id) throws RemoteGatewayException, InterruptedException {
        if (id.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("the token id is empty; that would revoke all tokens of '" + name + "'");
        }
        return send(
                "DELETE",
                "/tokens/" + encoded(name) + id.map(one -> "/" + encoded(one)).orElse(""),
                Optional.empty());
    }

    /** Sets the roles of an identity; returns them. */
    public Json setRoles(String name, Json roles) throws RemoteGatewayException, InterruptedException {
        return send("PUT", "/tokens/" + encoded(name) + "/roles", object("roles", roles));
    }

    /**
     * Sends a request to the SEP service.
     *
     * @param path the path, with all parts URL-encoded
     */
    public Json requestSep(String method, String path, Map<String, String> query, Optional<Json> body)
            throws RemoteGatewayException, InterruptedException {
        return send(method, query.isEmpty() ? path : path + query(query), body);
    }

    /** Returns the current state of a topic: its participants and the last seq of its ledger. */
    public Json topic(String topic) throws RemoteGatewayException, InterruptedException {
        return get(path(topic), RESPONSE_TIMEOUT);
    }

    /** Returns a proposal as it is visible to this token. */
    public Json proposal(String topic, String id) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "proposals", id), RESPONSE_TIMEOUT);
    }

    /**
     * Returns what a reviewer must know before approving a call with other arguments, or on one participant.
     *
     * @param draft the fields {@code arguments} and {@code to}, both optional
     */
    public Json assess(String topic, String id, Json draft) throws RemoteGatewayException, InterruptedException {
        return send("POST", path(topic, "proposals", id, "assess"), Optional.of(draft));
    }

    /** Returns a proposal with its secret arguments; the gateway records that they were shown. */
    public Json reveal(String topic, String id) throws RemoteGatewayException, InterruptedException {
        return send("POST", path(topic, "proposals", id, "reveal"), Optional.empty());
    }

    /** Returns one page of recorded calls, newest first. */
    public Json calls(String topic, CallListQuery query) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "calls") + query(query.toParameters()), RESPONSE_TIMEOUT);
    }

    /** Returns one page of proposals, newest first. */
    public Json proposals(String topic, ProposalQuery query) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "proposals") + query(query.toParameters()), RESPONSE_TIMEOUT);
    }

    /** Returns the messages of a topic after a seq; if there are none, waits for at most {@code wait}. */
    public Json messagesSince(String topic, long seq, Duration wait)
            throws RemoteGatewayException, InterruptedException {
        Map<String, String> parameters = Map.of("since", Long.toString(seq), "wait", Long.toString(wait.toSeconds()));
        return get(path(topic, "messages") + query(parameters), wait.plus(RESPONSE_TIMEOUT));
    }

    /** Opens a stream of all envelopes of a topic from now on, or after a seq. */
    public RemoteEventStream openEventStream(String topic, OptionalLong since)
            throws RemoteGatewayException, InterruptedException {
        String query = since.isPresent() ? query(Map.of("since", Long.toString(since.getAsLong()))) : "";
        return tryEachAddress(
                new ApiRequest(
                        path(topic, "messages") + query,
                        request -> request.header("Accept", "text/event-stream"),
                        true),
                this::openStream);
    }

    private RemoteEventStream openStream(GatewayEndpoint target, HttpRequest request)
            throws RemoteGatewayException, InterruptedException {
        HttpResponse<InputStream> response =
                await(target, client.sendAsync(request, BodyHandlers.ofInputStream()), RESPONSE_TIMEOUT);
        if (response.statusCode() == 200) {
            return new RemoteEventStream(response.body());
        }
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(MAX_RESPONSE_BYTES), StandardCharsets.UTF_8);
            throw refusal(target, response.statusCode(), Json.parse(text));
        } catch (IOException e) {
            throw unreachable(target, e);
        }
    }

    /**
     * A request to the API.
     *
     * @param repeatable whether the request may be sent twice
     */
    private record ApiRequest(String path, UnaryOperator<HttpRequest.Builder> customizer, boolean repeatable) {}

    /** Sends a request to one address. */
    private interface RequestSender<T> {
        T send(GatewayEndpoint target, HttpRequest request) throws RemoteGatewayException, InterruptedException;
    }

    /** Sends a request to one address after the other until one answers; each once. */
    private <T> T tryEachAddress(ApiRequest apiRequest, RequestSender<T> requestSender)
            throws RemoteGatewayException, InterruptedException {
        for (int left = endpoint.urls().size(); ; left--) {
            GatewayEndpoint target = endpoint;
            try {
                return requestSender.send(
                        target,
                        apiRequest
                                .customizer()
                                .apply(request(target, apiRequest.path()))
                                .build());
            } catch (Unreachable e) {
                switchAddress(target);
                if (left <= 1 || (e.maybeSent() && !apiRequest.repeatable())) {
                    throw e;
                }
            }
        }
    }

    private Json get(String path, Duration timeout) throws RemoteGatewayException, InterruptedException {
        return exchange(new ApiRequest(path, request -> request.header("Accept", "application/json"), true), timeout);
    }

    /**
     * Sends a request that may change something. Unless it is a GET, it is not repeated once it may have arrived: the
     * gateway would refuse the second one.
     */
    private Json send(String method, String path, Optional<Json> body)
            throws RemoteGatewayException, InterruptedException {
        UnaryOperator<HttpRequest.Builder> customize = request -> {
            body.ifPresent(json -> request.header("Content-Type", "application/json"));
            return request.header("Accept", "application/json")
                    .method(
                            method,
                            body.map(json -> HttpRequest.BodyPublishers.ofString(json.raw()))
                                    .orElseGet(HttpRequest.BodyPublishers::noBody));
        };
        return exchange(new ApiRequest(path, customize, method.equals("GET")), RESPONSE_TIMEOUT);
    }

    private static Optional<Json> object(String name, Json value) {
        return Optional.of(Json.write(json -> {
            json.writeStartObject();
            json.writeName(name);
            json.writeRawValue(value.raw());
            json.writeEndObject();
        }));
    }

    private Json exchange(ApiRequest apiRequest, Duration timeout) throws RemoteGatewayException, InterruptedException {
        return tryEachAddress(apiRequest, (target, request) -> send(target, request, timeout));
    }

    private Json send(GatewayEndpoint target, HttpRequest request, Duration timeout)
            throws RemoteGatewayException, InterruptedException {
        HttpResponse<String> response = await(
                target,
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_RESPONSE_BYTES)),
                timeout);
        Optional<Json> body = Json.parse(response.body());
        if (response.statusCode() / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        throw refusal(target, response.statusCode(), body);
    }

    private static RemoteGatewayException refusal(GatewayEndpoint target, int status, Optional<Json> answer) {
        Optional<Json> body = answer.filter(json -> json.at("code").isPresent());
        if (body.isEmpty()) {
            return new Unreachable(
                    "the server at " + target + " (HTTP " + status + ") is not a gateway; check the address", true);
        }
        RemoteProblem problem = RemoteProblem.of(status, body.get());
        return status == 502 || status == 503 || status == 504
                ? new Unreachable("the server at " + target + " is unavailable: " + problem.detail(), true)
                : new Refused(allProblems(problem, body.get()));
    }

    private static List<RemoteProblem> allProblems(RemoteProblem first, Json body) {
        List<RemoteProblem> errors = problemsOf(body, first.status());
        return errors.isEmpty() ? List.of(first) : errors;
    }

    private static List<RemoteProblem> problemsOf(Json body, int status) {
        return body.at("errors").elements().stream()
                .map(each -> RemoteProblem.of(status, each))
                .toList();
    }

    private static <T> T await(GatewayEndpoint target, CompletableFuture<T> answer, Duration timeout)
            throws Unreachable, InterruptedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new Unreachable(
                    "the server at " + target + " did not respond within " + timeout.toSeconds() + " s", true);
        } catch (ExecutionException e) {
            throw unreachable(target, e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static Unreachable unreachable(GatewayEndpoint target, @Nullable Throwable cause) {
        return switch (cause) {
            case ConnectException _, HttpConnectTimeoutException _ ->
                new Unreachable("cannot reach a server at " + target, false);
            case SSLException ssl ->
                new Unreachable(
                        "cannot connect securely to the server at " + target + ": " + ssl.getMessage()
                                + " (certificates are checked against Java's trust store)",
                        false);
            case null, default ->
                new Unreachable("the connection to the server at " + target + " was lost: " + cause, true);
        };
    }

    private static HttpRequest.Builder request(GatewayEndpoint target, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.url() + path));
        target.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private static String path(String topic, String... more) {
        StringBuilder path = new StringBuilder("/topics/").append(encoded(topic));
        for (String each : more) {
            path.append('/').append(encoded(each));
        }
        return path.toString();
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
