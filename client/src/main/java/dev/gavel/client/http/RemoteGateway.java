package dev.gavel.client.http;

import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
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
 * A running gateway, asked by plain HTTP. Where it has several addresses, one is asked after the other until one answers.
 * Thread-safe.
 */
public final class RemoteGateway implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** A page of large proposals is a few megabytes; what is much larger is no gateway's answer. */
    private static final int LONGEST_ANSWER = 64 * 1024 * 1024;

    private volatile Access access;

    /** Redirects are not followed: a token goes where its owner said, and nowhere else. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    public RemoteGateway(Access access) {
        this.access = access;
    }

    /** Where it is asked now. */
    public Access access() {
        return access;
    }

    /** Asks at the next address from now on, unless that is done already. */
    public synchronized void turn(Access from) {
        if (access.equals(from)) {
            access = from.next();
        }
    }

    /**
     * Posts an envelope, and again where the connection broke before the answer came: the same id is not done twice.
     *
     * @return what was refused of it, while the rest was taken
     */
    public List<Problem> post(String topic, byte[] envelope) throws RemoteException, InterruptedException {
        Wish wish = new Wish(
                path(topic, "messages"),
                request -> request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(envelope)),
                true);
        Json answer;
        try {
            answer = ask(wish, ANSWER);
        } catch (Unreachable e) {
            if (!e.sent()) {
                throw e;
            }
            answer = ask(wish, ANSWER);
        }
        return errors(answer, 0);
    }

    /** What it says of itself when asked whether it is ready: {@code ready}, or why it is not. */
    public String readiness() throws RemoteException, InterruptedException {
        HttpResponse<String> response = await(
                client.sendAsync(
                        request("/health/ready").build(),
                        BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST_ANSWER)),
                ANSWER);
        Optional<Json> body = Json.parse(response.body());
        return body.map(json -> json.at("status").text())
                .filter(word -> !word.isEmpty())
                .orElseThrow(() -> refusal(response.statusCode(), body));
    }

    /** The topics there are for whoever asks. */
    public Json topics() throws RemoteException, InterruptedException {
        return get("/topics", ANSWER);
    }

    /** Who may do what in a topic. */
    public Json members(String topic) throws RemoteException, InterruptedException {
        return get(path(topic, "members"), ANSWER);
    }

    /** Makes somebody a member of a topic, or changes what they may do there; gives the member. */
    public Json setMember(String topic, String name, Json capabilities) throws RemoteException, InterruptedException {
        return send("PUT", path(topic, "members", name), object("capabilities", capabilities));
    }

    /** Takes a member out of a topic. */
    public Json removeMember(String topic, String name) throws RemoteException, InterruptedException {
        return send("DELETE", path(topic, "members", name), Optional.empty());
    }

    /** Makes a member again what the configuration says. */
    public Json resetMember(String topic, String name) throws RemoteException, InterruptedException {
        return send("POST", path(topic, "members", name, "reset"), Optional.empty());
    }

    /** The tokens there are; never a secret. */
    public Json tokens() throws RemoteException, InterruptedException {
        return get("/tokens", ANSWER);
    }

    /** Makes a token; the answer has its secret, which nobody can ask for again. */
    public Json createToken(Json wish) throws RemoteException, InterruptedException {
        return send("POST", "/tokens", Optional.of(wish));
    }

    /** Revokes one of an identity's tokens, or all of them. */
    public Json revokeTokens(String name, Optional<String> id) throws RemoteException, InterruptedException {
        if (id.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("a token's id is empty: that would be all of '" + name + "'");
        }
        return send(
                "DELETE",
                "/tokens/" + encoded(name) + id.map(one -> "/" + encoded(one)).orElse(""),
                Optional.empty());
    }

    /** Sets somebody's roles; gives them. */
    public Json setRoles(String name, Json roles) throws RemoteException, InterruptedException {
        return send("PUT", "/tokens/" + encoded(name) + "/roles", object("roles", roles));
    }

    /**
     * Asks something of the SEP desk.
     *
     * @param path with everything in it encoded
     */
    public Json desk(String method, String path, Map<String, String> query, Optional<Json> body)
            throws RemoteException, InterruptedException {
        return send(method, query.isEmpty() ? path : path + query(query), body);
    }

    /** A topic as it is now: who is there, and how far its ledger has come. */
    public Json topic(String topic) throws RemoteException, InterruptedException {
        return get(path(topic), ANSWER);
    }

    /** A proposal, as the one who asks is shown it. */
    public Json proposal(String topic, String id) throws RemoteException, InterruptedException {
        return get(path(topic, "proposals", id), ANSWER);
    }

    /** One page of proposals, newest first. */
    public Json proposals(String topic, ProposalQuery query) throws RemoteException, InterruptedException {
        return get(path(topic, "proposals") + query(query.parameters()), ANSWER);
    }

    /** What happened in a topic since then; waits for something to happen, but no longer than that. */
    public Json since(String topic, long seq, Duration wait) throws RemoteException, InterruptedException {
        Map<String, String> parameters = Map.of("since", Long.toString(seq), "wait", Long.toString(wait.toSeconds()));
        return get(path(topic, "messages") + query(parameters), wait.plus(ANSWER));
    }

    /** Everything sent in a topic from now on, or from then on. */
    public RemoteEvents events(String topic, OptionalLong since) throws RemoteException, InterruptedException {
        String query = since.isPresent() ? query(Map.of("since", Long.toString(since.getAsLong()))) : "";
        return inTurn(
                new Wish(
                        path(topic, "messages") + query,
                        request -> request.header("Accept", "text/event-stream"),
                        true),
                this::stream);
    }

    private RemoteEvents stream(Access at, HttpRequest request) throws RemoteException, InterruptedException {
        HttpResponse<InputStream> response = await(at, client.sendAsync(request, BodyHandlers.ofInputStream()), ANSWER);
        if (response.statusCode() == 200) {
            return new RemoteEvents(response.body());
        }
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
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
    private record Wish(String path, UnaryOperator<HttpRequest.Builder> wording, boolean repeatable) {}

    /** One way of asking. */
    private interface Asking<T> {
        T ask(Access at, HttpRequest request) throws RemoteException, InterruptedException;
    }

    /** Asks at one address after the other, until one answers; each once. */
    private <T> T inTurn(Wish wish, Asking<T> asking) throws RemoteException, InterruptedException {
        for (int left = access.urls().size(); ; left--) {
            Access at = access;
            try {
                return asking.ask(at, wish.wording().apply(request(at, wish.path())).build());
            } catch (Unreachable e) {
                turn(at);
                if (left <= 1 || (e.sent() && !wish.repeatable())) {
                    throw e;
                }
            }
        }
    }

    private Json get(String path, Duration longest) throws RemoteException, InterruptedException {
        return ask(new Wish(path, request -> request.header("Accept", "application/json"), true), longest);
    }

    /** Asks for a change. It is not sent twice: what was done already would be refused the second time. */
    private Json send(String method, String path, Optional<Json> body) throws RemoteException, InterruptedException {
        UnaryOperator<HttpRequest.Builder> wording = request -> {
            body.ifPresent(json -> request.header("Content-Type", "application/json"));
            return request.header("Accept", "application/json")
                    .method(
                            method,
                            body.map(json -> HttpRequest.BodyPublishers.ofString(json.raw()))
                                    .orElseGet(HttpRequest.BodyPublishers::noBody));
        };
        return ask(new Wish(path, wording, method.equals("GET")), ANSWER);
    }

    private static Optional<Json> object(String name, Json value) {
        return Optional.of(Json.write(json -> {
            json.writeStartObject();
            json.writeName(name);
            json.writeRawValue(value.raw());
            json.writeEndObject();
        }));
    }

    private Json ask(Wish wish, Duration longest) throws RemoteException, InterruptedException {
        return inTurn(wish, (at, request) -> send(at, request, longest));
    }

    private Json send(Access at, HttpRequest request, Duration longest) throws RemoteException, InterruptedException {
        HttpResponse<String> response = await(
                at,
                client.sendAsync(
                        request, BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), LONGEST_ANSWER)),
                longest);
        Optional<Json> body = Json.parse(response.body());
        if (response.statusCode() / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        throw refusal(at, response.statusCode(), body);
    }

    private static RemoteException refusal(Access at, int status, Optional<Json> answer) {
        Optional<Json> body = answer.filter(json -> json.at("code").there());
        if (body.isEmpty()) {
            return new Unreachable(
                    "what answers at " + at + " (HTTP " + status + ") is not a gateway; check the address", true);
        }
        Problem problem = Problem.of(status, body.get());
        return status == 502 || status == 503 || status == 504
                ? new Unreachable("the server at " + at + " cannot do it now: " + problem.detail(), true)
                : new Refused(all(problem, body.get()));
    }

    private static List<Problem> all(Problem first, Json body) {
        List<Problem> errors = errors(body, first.status());
        return errors.isEmpty() ? List.of(first) : errors;
    }

    private static List<Problem> errors(Json body, int status) {
        return body.at("errors").elements().stream()
                .map(each -> Problem.of(status, each))
                .toList();
    }

    private static <T> T await(Access at, CompletableFuture<T> answer, Duration longest)
            throws Unreachable, InterruptedException {
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new Unreachable(
                    "the server at " + at + " did not answer within " + longest.toSeconds() + " s", true);
        } catch (ExecutionException e) {
            throw unreachable(at, e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static Unreachable unreachable(Access at, @Nullable Throwable cause) {
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

    private static HttpRequest.Builder request(Access at, String path) {
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
