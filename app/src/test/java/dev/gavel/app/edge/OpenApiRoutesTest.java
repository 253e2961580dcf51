package dev.gavel.app.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.ApiDescription;
import dev.gavel.app.TestServer;
import dev.gavel.app.edge.sep.SepRoutes;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.metrics.Metrics;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.facade.Facade;
import dev.gavel.mcpx.Limits;
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

/** Holds the description of the HTTP API against the routes there are. */
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
                    new Gateway.Bounds(Limits.DEFAULT, 1, 1),
                    Runnable::run,
                    InstantSource.system());
            Metrics metrics = new Metrics("test", gateway, Optional::empty, Optional::empty, Optional::empty, List::of);
            Identities identities = new Identities(InstantSource.system());
            Registrar registrar = new Registrar(
                    Register.of(Map.of(), Map.of()),
                    Optional.empty(),
                    identities,
                    gateway::topic,
                    InstantSource.system());
            Facade facade = new Facade(
                    gateway,
                    new Directory(gateway, InstantSource.system(), topic -> Set.of()),
                    new Decisions(gateway, InstantSource.system()),
                    InstantSource.system(),
                    Optional.empty(),
                    "test");
            SepRoutes seps = new SepRoutes(
                    Visits.of(config, gateway, identities, metrics.refusals()),
                    Optional.empty(),
                    () -> CompletableFuture.completedStage(""));
            // Pages are for people, and may change any day: they are no part of the API.
            HttpEdge edge = new HttpEdge(
                    vertx, 1, config, gateway, identities, registrar, facade, () -> true, metrics, List.of(seps));
            Set<String> routes = new TreeSet<>();
            for (Route route : edge.router().getRoutes()) {
                if (route.getPath() == null) {
                    continue; // It only sorts out what no route is for.
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
        Set<String> described = new ApiDescription(resource("/openapi.json")).operations();
        Set<String> served = routes();
        // The socket's own way in, beside the router.
        served.add("GET /ws");

        assertThat(described).containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void theDescriptionIsProperOpenApi() throws IOException {
        assertThat(new ApiDescription(resource("/openapi.json")).mistakes()).isEmpty();
    }

    @Test
    void itsExamplesAreWhatItsSchemasSay() throws IOException {
        new ApiDescription(resource("/openapi.json")).examplesFit();
    }

    @Test
    void theBuildWroteItsVersionIntoIt() throws IOException {
        assertThat(resource("/openapi.json")).doesNotContain("${").contains("\"version\": \"");
    }
}
