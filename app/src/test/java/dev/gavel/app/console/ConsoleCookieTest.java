package dev.gavel.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that another program on the same machine does not receive the reviewer's session from the browser. */
class ConsoleCookieTest extends BrowserTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer other;

    /** Starts a program that records what browsers send it, as an agent could on the reviewer's machine. */
    @BeforeEach
    void listen() throws Exception {
        other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("Host") + " "
                    + Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Cookie"), "no cookie") + " "
                    + Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Referer"), "no referer"));
            byte[] page = "<title>other</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        other.start();
    }

    @AfterEach
    void stop() {
        other.stop(0);
    }

    @Test
    void aPageOnAnotherPortGetsNoSession() {
        Page page = windows.signedOut();
        page.navigate(consoleTestServer.signInLink("alice"));
        page.waitForURL(consoleTestServer.url("/"));
        assertThat(page.context().cookies()).hasSize(1);

        for (String host : new String[] {"127.0.0.1", "localhost", "gavel.localhost", "evil.localhost"}) {
            page.navigate("http://" + host + ":" + other.getAddress().getPort() + "/");
        }
        assertThat(received).hasSizeGreaterThanOrEqualTo(4).allMatch(request -> request.contains(" no cookie "));
    }

    @Test
    void aLinkFromTheConsoleDoesNotTellItsName() {
        Page page = windows.inboxOf("alice");
        String name = URI.create(page.url()).getHost();
        page.evaluate(
                "url => { location.href = url }",
                "http://127.0.0.1:" + other.getAddress().getPort() + "/");
        page.waitForURL("http://127.0.0.1:*/");
        assertThat(received).isNotEmpty().noneMatch(request -> request.contains(name));
    }

    @Test
    void aPageThatKnowsTheNameCannotUseTheSession() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", "{}");
        Page page = windows.inboxOf("alice");
        page.navigate("http://127.0.0.1:" + other.getAddress().getPort() + "/");
        Object status = page.evaluate(
                "url => fetch(url, {method: 'POST', mode: 'no-cors', credentials: 'include',"
                        + " headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body: 'reason=x'})"
                        + ".then(() => 'sent', () => 'refused')",
                consoleTestServer.url("/console/proposals/ops/p-1/reject"));
        assertThat(status).isIn("sent", "refused");
        assertThat(consoleTestServer.proposal("p-1").path("state").asString()).isEqualTo("open");
    }
}
