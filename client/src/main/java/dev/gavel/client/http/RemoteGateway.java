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
 * Calls a gateway's HTTP API, and tries the gateway's next address when one does not answer. Where it has several
 * addresses, one is asked after the other until one answers. Thread-safe.
 */
public final class RemoteGateway implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

    /** A page of large proposals is a few megabytes; what is much larger is no gateway's answer. */
    private static final int MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

    private volatile GatewayEndpoint endpoint;

    /** Redirects are not followed: a token goes where its owner said, and nowhere else. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    public RemoteGateway(GatewayEndpoint gatewayEndpoint) {
        this.endpoint = gatewayEndpoint;
    }

    /** Where it is asked now. */
    public GatewayEndpoint endpoint() {
        return endpoint;
    }

    /** Asks at the next address from now on, unless that is done already. */
    public synchronized void switchAddress(GatewayEndpoint from) {
        if (endpoint.equals(from)) {
            endpoint = from.rotate();
        }
    }

    /**
     * Posts an envelope, and again where the connection broke before the answer came: the same id is not done twice.
     *
     * @return what was refused of it, while the rest was taken
     */
    public List<RemoteProblem> post(String topic, byte[] envelope) throws RemoteGatewayException, InterruptedException {
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
        return problemsOf(answer, 0);
    }

    /** What it says of itself when asked whether it is ready: {@code ready}, or why it is not. */
    public String readiness() throws RemoteGatewayException, InterruptedException {
        GatewayEndpoint at = endpoint;
        HttpResponse<String> response = await(
                at,
                client.sendAsync(
                        request(at, "/health/ready").build(),
                        BodyHandlers.limiting(BodyHandlers.ofString(), MAX_RESPONSE_BYTES)),
                RESPONSE_TIMEOUT);
        Optional<Json> body = Json.parse(response.body());
        return body.map(json -> json.at("status").text())
                .filter(word -> !word.isEmpty())
                .orElseThrow(() -> refusal(at, response.statusCode(), body));
    }

    /** The topics there are for whoever asks. */
    public Json topics() throws RemoteGatewayException, InterruptedException {
        return get("/topics", RESPONSE_TIMEOUT);
    }

    /** Who may do what in a topic. */
    public Json members(String topic) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "members"), RESPONSE_TIMEOUT);
    }

    /** Makes somebody a member of a topic, or changes what they may do there; gives the member. */
    public Json setMember(String topic, String name, Json capabilities)
            throws RemoteGatewayException, InterruptedException {
        return send("PUT", path(topic, "members", name), object("capabilities", capabilities));
    }

    /** Takes a member out of a topic. */
    public Json removeMember(String topic, String name) throws RemoteGatewayException, InterruptedException {
        return send("DELETE", path(topic, "members", name), Optional.empty());
    }

    /** Makes a member again what the configuration says. */
    public Json resetMember(String topic, String name) throws RemoteGatewayException, InterruptedException {
        return send("POST", path(topic, "members", name, "reset"), Optional.empty());
    }

    /** The tokens there are; never a secret. */
    public Json tokens() throws RemoteGatewayException, InterruptedException {
        return get("/tokens", RESPONSE_TIMEOUT);
    }

    /** Makes a token; the answer has its secret, which nobody can ask for again. */
    public Json createToken(Json wish) throws RemoteGatewayException, InterruptedException {
        return send("POST", "/tokens", Optional.of(wish));
    }

    /** Revokes one of an identity's tokens, or all of them. */
    public Json revokeTokens(String name, Optional<String> id) throws RemoteGatewayException, InterruptedException {
        if (id.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("a token's id is empty: that would be all of '" + name + "'");
        }
        return send(
                "DELETE",
                "/tokens/" + encoded(name) + id.map(one -> "/" + encoded(one)).orElse(""),
                Optional.empty());
    }

    /** Sets somebody's roles; gives them. */
    public Json setRoles(String name, Json roles) throws RemoteGatewayException, InterruptedException {
        return send("PUT", "/tokens/" + encoded(name) + "/roles", object("roles", roles));
    }

    /**
     * Asks something of the SEP desk.
     *
     * @param path with everything in it encoded
     */
    public Json requestSep(String method, String path, Map<String, String> query, Optional<Json> body)
            throws RemoteGatewayException, InterruptedException {
        return send(method, query.isEmpty() ? path : path + query(query), body);
    }

    /** A topic as it is now: who is there, and how far its ledger has come. */
    public Json topic(String topic) throws RemoteGatewayException, InterruptedException {
        return get(path(topic), RESPONSE_TIMEOUT);
    }

    /** A proposal, as the one who asks is shown it. */
    public Json proposal(String topic, String id) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "proposals", id), RESPONSE_TIMEOUT);
    }

    /** One page of proposals, newest first. */
    public Json proposals(String topic, ProposalQuery query) throws RemoteGatewayException, InterruptedException {
        return get(path(topic, "proposals") + query(query.toParameters()), RESPONSE_TIMEOUT);
    }

    /** What happened in a topic since then; waits for something to happen, but no longer than that. */
    public Json messagesSince(String topic, long seq, Duration wait)
            throws RemoteGatewayException, InterruptedException {
        Map<String, String> parameters = Map.of("since", Long.toString(seq), "wait", Long.toString(wait.toSeconds()));
        return get(path(topic, "messages") + query(parameters), wait.plus(RESPONSE_TIMEOUT));
    }

    /** Everything sent in a topic from now on, or from then on. */
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

    private RemoteEventStream openStream(GatewayEndpoint at, HttpRequest request)
            throws RemoteGatewayException, InterruptedException {
        HttpResponse<InputStream> response =
                await(at, client.sendAsync(request, BodyHandlers.ofInputStream()), RESPONSE_TIMEOUT);
        if (response.statusCode() == 200) {
            return new RemoteEventStream(response.body());
        }
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(MAX_RESPONSE_BYTES), StandardCharsets.UTF_8);
            throw refusal(at, response.statusCode(), Json.parse(text));
        } catch (IOException e) {
            throw unreachable(at, e);
        }
    }

    /**
     * Something that is asked.
     *
     * @param repeatable whether asking it twice does no harm
     */
    private record ApiRequest(String path, UnaryOperator<HttpRequest.Builder> customizer, boolean repeatable) {}

    /** One way of asking. */
    private interface RequestSender<T> {
        T send(GatewayEndpoint at, HttpRequest request) throws RemoteGatewayException, InterruptedException;
    }

    /** Asks at one address after the other, until one answers; each once. */
    private <T> T tryEachAddress(ApiRequest apiRequest, RequestSender<T> requestSender)
            throws RemoteGatewayException, InterruptedException {
        for (int left = endpoint.urls().size(); ; left--) {
            GatewayEndpoint at = endpoint;
            try {
                return requestSender.send(
                        at,
                        apiRequest
                                .customizer()
                                .apply(request(at, apiRequest.path()))
                                .build());
            } catch (Unreachable e) {
                switchAddress(at);
                if (left <= 1 || (e.maybeSent() && !apiRequest.repeatable())) {
                    throw e;
                }
            }
        }
    }

    private Json get(String path, Duration longest) throws RemoteGatewayException, InterruptedException {
        return exchange(new ApiRequest(path, request -> request.header("Accept", "application/json"), true), longest);
    }

    /** Asks for a change. It is not sent twice: what was done already would be refused the second time. */
    private Json send(String method, String path, Optional<Json> body)
            throws RemoteGatewayException, InterruptedException {
        UnaryOperator<HttpRequest.Builder> wording = request -> {
            body.ifPresent(json -> request.header("Content-Type", "application/json"));
            return request.header("Accept", "application/json")
                    .method(
                            method,
                            body.map(json -> HttpRequest.BodyPublishers.ofString(json.raw()))
                                    .orElseGet(HttpRequest.BodyPublishers::noBody));
        };
        return exchange(new ApiRequest(path, wording, method.equals("GET")), RESPONSE_TIMEOUT);
    }

    private static Optional<Json> object(String name, Json value) {
        return Optional.of(Json.write(json -> {
            json.writeStartObject();
            json.writeName(name);
            json.writeRawValue(value.raw());
            json.writeEndObject();
        }));
    }

    private Json exchange(ApiRequest apiRequest, Duration longest) throws RemoteGatewayException, InterruptedException {
        return tryEachAddress(apiRequest, (at, request) -> send(at, request, longest));
    }

    private Json send(GatewayEndpoint at, HttpRequest request, Duration longest)
            throws RemoteGatewayException, InterruptedException {
        HttpResponse<String> response = await(
                at,
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_RESPONSE_BYTES)),
                longest);
        Optional<Json> body = Json.parse(response.body());
        if (response.statusCode() / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        throw refusal(at, response.statusCode(), body);
    }

    private static RemoteGatewayException refusal(GatewayEndpoint at, int status, Optional<Json> answer) {
        Optional<Json> body = answer.filter(json -> json.at("code").isPresent());
        if (body.isEmpty()) {
            return new Unreachable(
                    "what answers at " + at + " (HTTP " + status + ") is not a gateway; check the address", true);
        }
        RemoteProblem problem = RemoteProblem.of(status, body.get());
        return status == 502 || status == 503 || status == 504
                ? new Unreachable("the server at " + at + " cannot do it now: " + problem.detail(), true)
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

    private static <T> T await(GatewayEndpoint at, CompletableFuture<T> answer, Duration longest)
            throws Unreachable, InterruptedException {
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new Unreachable("the server at " + at + " did not answer within " + longest.toSeconds() + " s", true);
        } catch (ExecutionException e) {
            throw unreachable(at, e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static Unreachable unreachable(GatewayEndpoint at, @Nullable Throwable cause) {
        return switch (cause) {
            case ConnectException _, HttpConnectTimeoutException _ ->
                new Unreachable("cannot reach a server at " + at, false);
            case SSLException ssl ->
                new Unreachable(
                        "cannot reach the server at " + at + " safely: " + ssl.getMessage()
                                + " (certificates are checked against Java's trust store)",
                        false);
            case null, default -> new Unreachable("lost the server at " + at + ": " + cause, true);
        };
    }

    private static HttpRequest.Builder request(GatewayEndpoint at, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(at.url() + path));
        at.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
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
