package dev.gavel.web.console.admin;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.web.api.AdminCommandExecutor;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.registry.IdentityRegistry;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Serves the admin overview and bridge pages, and registers the other controllers of the admin pages. Thread-safe. */
public final class AdminController {
    private final AdminAccess adminAccess;
    private final WebConfig config;
    private final IdentityRegistry identityRegistry;
    private final AdminStatusReader adminStatusReader;
    private final Optional<LedgerInspector> ledgerInspector;
    private final InstantSource clock;
    private final Instant startedAt;
    private final IdentityController identities;
    private final TopicMemberController capabilities;
    private final LedgerController ledger;

    /**
     * Creates the controller. The overview shows the time of this call as the server's start time.
     *
     * @param bridges supplies the current status of each bridge
     * @param ledgerInspector empty if there is no ledger
     */
    public AdminController(
            ConsoleRequestGuard guard,
            LiveUpdateEndpoint liveUpdateEndpoint,
            WebConfig config,
            Gateway gateway,
            IdentityRegistry identityRegistry,
            CatalogRegistry catalogRegistry,
            Supplier<List<BridgeStatus>> bridges,
            Optional<LedgerInspector> ledgerInspector,
            InstantSource clock) {
        this.adminAccess = new AdminAccess(guard, liveUpdateEndpoint);
        this.config = config;
        this.identityRegistry = identityRegistry;
        this.adminStatusReader = new AdminStatusReader(gateway, catalogRegistry, bridges);
        this.ledgerInspector = ledgerInspector;
        this.clock = clock;
        this.startedAt = clock.instant();
        AdminCommandExecutor adminCommandExecutor = new AdminCommandExecutor(identityRegistry, config.roles());
        this.identities = new IdentityController(adminAccess, config, identityRegistry, adminCommandExecutor, clock);
        this.capabilities = new TopicMemberController(
                adminAccess, gateway, adminStatusReader, identityRegistry, adminCommandExecutor, clock);
        this.ledger = new LedgerController(adminAccess, identityRegistry, ledgerInspector, clock);
    }

    public void mount(Router router) {
        router.get(AdminAccess.LIVE).handler(adminAccess::openStream);
        router.get(AdminPaths.HOME)
                .handler(context -> adminAccess.handlePage(context, consoleUser -> overview(context, consoleUser)));
        router.get(AdminPaths.BRIDGES)
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> ConsoleResponses.sendPage(
                                context,
                                200,
                                AdminPageRenderer.bridges(
                                        new BridgeListPage(
                                                adminAccess.frame(consoleUser, "Bridges"),
                                                adminStatusReader.bridges(),
                                                config.topics().getFirst()),
                                        clock.instant()))));
        identities.mount(router);
        capabilities.mount(router);
        ledger.mount(router);
    }

    private void overview(RoutingContext context, ConsoleUser consoleUser) {
        AsyncPageContinuation.whenLoaded(adminStatusReader.topics(), context, topics -> {
            IdentityRowBuilder identityRowBuilder = new IdentityRowBuilder(
                    identityRegistry.snapshot(), config.configuredIdentityIds(), clock.instant());
            ConsoleResponses.sendPage(
                    context,
                    200,
                    AdminPageRenderer.overview(
                            new AdminOverviewPage(
                                    adminAccess.frame(consoleUser, "Administration"),
                                    config.version(),
                                    startedAt,
                                    identityRowBuilder
                                            .registrySnapshot()
                                            .names()
                                            .size(),
                                    identityRowBuilder.admins(),
                                    topics,
                                    adminStatusReader.bridges(),
                                    ledgerInspector
                                            .map(inspector -> LedgerPageBuilder.statusBadge(inspector.writable()))
                                            .orElse(StatusBadge.quiet("none")),
                                    config.roles()),
                            identityRowBuilder.now()));
        });
    }
}
