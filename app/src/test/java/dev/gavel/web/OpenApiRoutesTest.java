package dev.gavel.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.OpenApiDescription;
import dev.gavel.app.TestServer;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.facade.McpFacade;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.ConnectionLimitCounts;
import dev.gavel.web.metrics.MetricsExporter;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.UnwrittenRevocations;
import dev.gavel.web.sep.SepRoutes;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Checks that the OpenAPI description and the routes of the web server agree. */
class OpenApiRoutesTest {
    private static String resource(String name) throws IOException {
        try (InputStream in = OpenApiRoutesTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        }
    }

    private static Set<String> routes() {
        Vertx vertx = Vertx.vertx();
        try {
            WebConfig config = TestServer.config(TestServer.CONFIG).web("test");
            Gateway gateway = new Gateway(
                    Map.of(),
                    List.of(),
                    new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
                    FairExecutor.unlimited(Runnable::run),
                    InstantSource.system());
            MetricsExporter metricsExporter = new MetricsExporter(
                    "test",
                    gateway,
                    Optional::empty,
                    Optional::empty,
                    Optional::empty,
                    List::of,
                    () -> new ConnectionLimitCounts(0, Map.of()));
            TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(InstantSource.system());
            IdentityRegistry identityRegistry = new IdentityRegistry(
                    RegistrySnapshot.of(Map.of(), Map.of()),
                    Optional.empty(),
                    UnwrittenRevocations.inMemory(),
                    tokenAuthenticator,
                    gateway::topic,
                    InstantSource.system());
            McpFacade facade = new McpFacade(
                    gateway,
                    new CatalogRegistry(gateway, InstantSource.system(), topic -> Set.of()),
                    new ReviewDecisionSubmitter(gateway, InstantSource.system()),
                    InstantSource.system(),
                    Optional.empty(),
                    "test");
            SepRoutes seps = new SepRoutes(
                    TopicAccess.of(config, gateway, tokenAuthenticator, metricsExporter.refusedRequests()),
                    Optional.empty(),
                    identity -> CompletableFuture.completedStage(""),
                    ProposalTerms.DEFAULT);
            // The console's pages are for people and may change at any time: they are not part of the API.
            WebServer edge = new WebServer(
                    vertx,
                    1,
                    config,
                    gateway,
                    tokenAuthenticator,
                    Optional.empty(),
                    identityRegistry,
                    facade,
                    () -> true,
                    metricsExporter,
                    List.of(seps));
            Set<String> routes = new TreeSet<>();
            for (Route route : edge.router().getRoutes()) {
                if (route.getPath() == null) {
                    continue; // This route only rejects requests for which there is no other.
                }
                for (HttpMethod method : route.methods()) {
                    routes.add(method + " "
                            + Objects.requireNonNull(route.getPath()).replaceAll(":(\\w+)", "{$1}"));
                }
            }
            return routes;
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void everyRouteIsDescribedAndEveryDescribedOneIsThere() throws IOException {
        Set<String> described = new OpenApiDescription(resource("/openapi.json")).operations();
        Set<String> served = routes();
        // The WebSocket handshake, which does not use the router.
        served.add("GET /ws");

        assertThat(described).containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void theDescriptionIsProperOpenApi() throws IOException {
        assertThat(new OpenApiDescription(resource("/openapi.json")).mistakes()).isEmpty();
    }

    @Test
    void itsExamplesAreWhatItsSchemasSay() throws IOException {
        new OpenApiDescription(resource("/openapi.json")).assertExamplesValid();
    }

    @Test
    void theBuildWroteItsVersionIntoIt() throws IOException {
        assertThat(resource("/openapi.json")).doesNotContain("${").contains("\"version\": \"");
    }
}
