package dev.gavel.web.console;

import dev.gavel.web.console.admin.AdminController;
import dev.gavel.web.console.inbox.InboxController;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.page.ConsoleAssets;
import dev.gavel.web.console.page.FaviconRenderer;
import dev.gavel.web.console.sep.SepController;
import dev.gavel.web.console.sep.action.SepActionController;
import dev.gavel.web.console.sep.action.SepEditorController;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.SessionCookies;
import dev.gavel.web.console.session.SignInController;
import dev.gavel.web.console.topic.TopicController;
import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.ProxyAddresses;
import dev.gavel.web.http.ResponseBodies;
import dev.gavel.web.http.RouteGroup;
import dev.gavel.web.http.StreamAndPollQuota;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.InitialTokenFiles;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** Creates the console's controllers and mounts the console's routes, static files and not-found page. Thread-safe. */
public final class ConsoleRoutes implements RouteGroup {
    private static final String CACHE_FOREVER = "public, max-age=31536000, immutable";
    private static final String CACHE_ONE_DAY = "public, max-age=86400";

    private final ConsoleRequestGuard guard;
    private final SignInController signInController;
    private final InboxController inbox;
    private final TopicController topics;
    private final SepActionController sepActions;
    private final SepEditorController editor;
    private final SepController seps;
    private final AdminController admin;
    private final LiveUpdateEndpoint liveUpdateEndpoint;

    public ConsoleRoutes(ConsoleServices services) {
        WebConfig config = services.config();
        boolean tls = config.tls().isPresent();
        SessionCookies sessionCookies =
                new SessionCookies(services.sessionSigningKey(), config.consoleHost(), services.clock());
        this.guard = new ConsoleRequestGuard(
                config.consoleHost(),
                new AllowedOrigins(config.publicUrl(), tls),
                services.tokenAuthenticator(),
                sessionCookies,
                services.gateway(),
                config.isSecure(),
                config.publicUrl(),
                config.processDefinition().terms());
        this.signInController = new SignInController(
                guard,
                services.tokenAuthenticator(),
                sessionCookies,
                services.signInCodes(),
                ProxyAddresses.of(config),
                services.failedSignIns(),
                services.clock());
        this.liveUpdateEndpoint = new LiveUpdateEndpoint(
                guard, services.gateway(), services.changeFeed(), new StreamAndPollQuota(config.maxConnections()));
        this.inbox = new InboxController(
                guard,
                services.gateway(),
                services.catalogRegistry(),
                services.sepService(),
                liveUpdateEndpoint,
                config::apiBaseUrl,
                new InitialTokenFiles(config.dataDirectory()),
                services.clock());
        this.topics = new TopicController(
                guard, services.gateway(), services.catalogRegistry(), liveUpdateEndpoint, services.clock());
        this.sepActions = new SepActionController(guard, services.sepService(), config.processDefinition());
        this.editor =
                new SepEditorController(guard, services.sepService(), config.processDefinition(), services.clock());
        this.seps = new SepController(
                guard, liveUpdateEndpoint, services.sepService(), config.processDefinition(), services.clock());
        this.admin = new AdminController(
                guard,
                liveUpdateEndpoint,
                config,
                services.gateway(),
                services.identityRegistry(),
                services.catalogRegistry(),
                services.bridges(),
                services.ledgerInspector(),
                services.clock());
    }

    @Override
    public void mount(Router router) {
        signInController.mount(router);
        inbox.mount(router);
        topics.mount(router);
        admin.mount(router);
        router.get(FaviconRenderer.PATH + ":count").handler(this::icon);
        // Mounted before the SEP pages, whose route takes a SEP number: 'new' is not a number.
        editor.mount(router);
        sepActions.mount(router);
        seps.mount(router);
        router.get(ConsoleAssets.PATH + "/:hash/:name").handler(this::asset);
        // Mounted last: a person who follows a wrong address gets a page that says so.
        router.get("/console/*").handler(this::notFound);
    }

    private void notFound(RoutingContext context) {
        if (context.normalizedPath().startsWith(ConsoleAssets.PATH + "/")) {
            context.next();
            return;
        }
        guard.handlePage(
                context,
                consoleUser -> ConsoleResponses.refuse(
                        context, 404, "Not found", "There is no page at this address. Check the address."));
    }

    @Override
    public int openConnectionCount() {
        return liveUpdateEndpoint.connections();
    }

    private void icon(RoutingContext context) {
        String count = Objects.requireNonNull(context.pathParam("count"));
        if (!guard.requireOwnHost(context)) {
            return;
        }
        if (!count.matches("\\d{1,6}")) {
            context.fail(404);
            return;
        }
        ConsoleResponses.withSecurityHeaders(context)
                .putHeader(HttpHeaders.CONTENT_TYPE, "image/svg+xml")
                .putHeader(HttpHeaders.CACHE_CONTROL, CACHE_ONE_DAY)
                .end(FaviconRenderer.withCount(Integer.parseInt(count)));
    }

    private void asset(RoutingContext context) {
        if (!guard.requireOwnHost(context)) {
            return;
        }
        ConsoleAssets.find(context.pathParam("hash"), context.pathParam("name"))
                .ifPresentOrElse(
                        asset -> {
                            ConsoleResponses.withSecurityHeaders(context)
                                    .putHeader(HttpHeaders.CONTENT_TYPE, asset.type())
                                    .putHeader(HttpHeaders.CACHE_CONTROL, CACHE_FOREVER);
                            ResponseBodies.end(context.request(), Buffer.buffer(asset.text()), problem -> {
                                context.response().headers().remove(HttpHeaders.CACHE_CONTROL);
                                problem.send(context.response());
                            });
                        },
                        () -> context.fail(404));
    }
}
