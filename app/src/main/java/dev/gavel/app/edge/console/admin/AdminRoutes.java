package dev.gavel.app.edge.console.admin;

import dev.gavel.app.edge.Orders;
import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.app.register.Registrar;
import dev.gavel.console.admin.AdminPages;
import dev.gavel.console.admin.BridgesPage;
import dev.gavel.console.admin.Condition;
import dev.gavel.console.admin.Overview;
import dev.gavel.console.admin.Paths;
import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.directory.Directory;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The pages for admins. Thread-safe. */
public final class AdminRoutes {
    private final Admins admins;
    private final WebConfig config;
    private final Registrar registrar;
    private final Glance glance;
    private final Optional<Auditor> auditor;
    private final InstantSource clock;
    private final Instant began;
    private final IdentityRoutes identities;
    private final CapabilityRoutes capabilities;
    private final LedgerRoutes ledger;

    /**
     * The pages of a server that begins now.
     *
     * @param bridges how each bridge is
     * @param auditor none where nothing is kept
     */
    public AdminRoutes(
            Guard guard,
            Live live,
            WebConfig config,
            Gateway gateway,
            Registrar registrar,
            Directory directory,
            Supplier<List<Status>> bridges,
            Optional<Auditor> auditor,
            InstantSource clock) {
        this.admins = new Admins(guard, live);
        this.config = config;
        this.registrar = registrar;
        this.glance = new Glance(gateway, directory, bridges);
        this.auditor = auditor;
        this.clock = clock;
        this.began = clock.instant();
        Orders orders = new Orders(registrar, config.roles());
        this.identities = new IdentityRoutes(admins, config, registrar, orders, clock);
        this.capabilities = new CapabilityRoutes(admins, gateway, glance, registrar, orders, clock);
        this.ledger = new LedgerRoutes(admins, auditor, clock);
    }

    public void mount(Router router) {
        router.get(Admins.LIVE).handler(admins::listen);
        router.get(Paths.HOME).handler(context -> admins.page(context, visitor -> overview(context, visitor)));
        router.get(Paths.BRIDGES)
                .handler(context -> admins.page(
                        context,
                        visitor -> Replies.page(
                                context,
                                200,
                                AdminPages.bridges(
                                        new BridgesPage(admins.frame(visitor, "Bridges"), glance.bridges()),
                                        clock.instant()))));
        identities.mount(router);
        capabilities.mount(router);
        ledger.mount(router);
    }

    private void overview(RoutingContext context, Visitor visitor) {
        Waiting.on(glance.topics(), context, topics -> {
            People people = new People(registrar.register(), config.identities(), clock.instant());
            Replies.page(
                    context,
                    200,
                    AdminPages.overview(
                            new Overview(
                                    admins.frame(visitor, "Administration"),
                                    config.version(),
                                    began,
                                    people.register().names().size(),
                                    people.admins(),
                                    topics,
                                    glance.bridges(),
                                    auditor.map(kept -> LedgerWords.condition(kept.writable()))
                                            .orElse(Condition.quiet("there is none")),
                                    config.roles()),
                            people.now()));
        });
    }
}
