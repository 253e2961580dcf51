package dev.gavel.app.client;

import dev.gavel.app.TestProcess;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.client.Gavel;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A server with a ledger, client-library participants and a cutting proxy between them, for tests. The topic is
 * {@code ops}; {@code plain} has no ledger. Alice and bob can fulfil tool calls and may reject, helper proposes, files
 * and search answer.
 */
final class ClientTestServer implements AutoCloseable {
    private final String config;
    private final Optional<Path> process;
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final Map<String, RemoteGateway> gateways = new ConcurrentHashMap<>();
    private final ConnectionCuttingProxy connectionCuttingProxy;
    private Runnable server;

    /** Runs a server in the process of the test. */
    ClientTestServer(Path data, String... rules) throws IOException {
        this(config(data, "", rules), Optional.empty());
    }

    private ClientTestServer(String config, Optional<Path> process) throws IOException {
        this.config = config;
        this.process = process;
        this.connectionCuttingProxy = new ConnectionCuttingProxy(0);
        this.server = start(config);
    }

    /** Runs a server in a separate process, which is killed when it is stopped. */
    static ClientTestServer inSeparateProcess(Path directory) throws IOException {
        return new ClientTestServer(config(directory.resolve("data"), ""), Optional.of(directory));
    }

    /** The configuration, with a suffix for every token. */
    static String config(Path data, String suffix, String... rules) {
        StringBuilder text = new StringBuilder("listen: 127.0.0.1:0\ndata: \"" + data + "\"\n");
        text.append("limits: {ask: off, bytes: off, rate: 100000/s}\nidentities:\n");
        for (String identity : List.of("alice", "bob", "helper", "files", "search", "mallory")) {
            text.append("  " + identity + ": {token: " + identity + TestServer.SECRET + suffix + "}\n");
        }
        String members = """
                    participants:
                      alice: ["*"]
                      bob: ["mcp.request.*", "mcpx.*", "chat.*"]
                      helper: ["mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"]
                      files: ["mcp.response.*", "chat.*"]
                      search: ["mcp.response.*", "mcpx.reject.proposal", "chat.*"]
                """.indent(0);
        text.append("topics:\n  ops:\n");
        for (String rule : rules) {
            text.append("    " + rule + "\n");
        }
        return text + members + "  plain:\n    ledger: off\n" + members;
    }

    private Runnable start(String with) throws IOException {
        if (process.isPresent()) {
            TestProcess started = new TestProcess(process.get(), with);
            connectionCuttingProxy.target(started.port());
            return started::close;
        }
        TestServer started = new TestServer(with, 2);
        connectionCuttingProxy.target(started.listen().port());
        return started::close;
    }

    ConnectionCuttingProxy cutter() {
        return connectionCuttingProxy;
    }

    String url() {
        return "http://127.0.0.1:" + connectionCuttingProxy.port();
    }

    Gavel gavel(String identity) {
        return Gavel.at(url()).token(Token.of(identity + TestServer.SECRET)).topic("ops");
    }

    Participant join(String identity) {
        return closeLater(gavel(identity).connect());
    }

    Participant join(String identity, Consumer<LinkEvent> onLink) {
        return closeLater(gavel(identity).onLink(onLink).connect());
    }

    private <T extends AutoCloseable> T closeLater(T closeable) {
        toClose.add(closeable);
        return closeable;
    }

    /** Connects a participant by a plain socket. */
    TestSocket socket(String identity, String extraQuery) throws IOException {
        return closeLater(new TestSocket(
                new Socket(InetAddress.getLoopbackAddress(), connectionCuttingProxy.port()),
                "/ws?topic=ops" + extraQuery,
                "Authorization: Bearer " + identity + TestServer.SECRET));
    }

    RemoteGateway gateway(String identity) {
        return gateways.computeIfAbsent(
                identity,
                name -> closeLater(new RemoteGateway(
                        new GatewayEndpoint(URI.create(url()), Optional.of(name + TestServer.SECRET)))));
    }

    /** A proposal as stored in the ledger. */
    Json ledger(String id) throws RemoteGatewayException, InterruptedException {
        return gateway("alice").proposal("ops", id);
    }

    /** The ids of all envelopes in the ledger, in order. */
    List<String> history() throws RemoteGatewayException, InterruptedException {
        List<String> ids = new ArrayList<>();
        RemoteGateway gateway = gateway("alice");
        long seq = 0;
        while (true) {
            Json page = gateway.messagesSince("ops", seq, Duration.ZERO);
            page.at("messages").elements().forEach(each -> ids.add(each.at("id").text()));
            if (page.at("seq").asLong(0) == seq) {
                return ids;
            }
            seq = page.at("seq").asLong(0);
        }
    }

    void stop() {
        server.run();
    }

    void start() throws IOException {
        server = start(config);
    }

    void restart() throws IOException {
        stop();
        start();
    }

    void restartWith(String other) throws IOException {
        stop();
        server = start(other);
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable each : toClose.reversed()) {
            try {
                each.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
        server.run();
        connectionCuttingProxy.close();
    }
}
