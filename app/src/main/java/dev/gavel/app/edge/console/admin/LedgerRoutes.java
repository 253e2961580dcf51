package dev.gavel.app.edge.console.admin;

import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.admin.AdminPages;
import dev.gavel.console.admin.Paths;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Where admins see what is kept, and have it verified. Thread-safe. */
final class LedgerRoutes {
    private final Admins admins;
    private final Optional<Auditor> auditor;
    private final InstantSource clock;

    LedgerRoutes(Admins admins, Optional<Auditor> auditor, InstantSource clock) {
        this.admins = admins;
        this.auditor = auditor;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(Paths.LEDGER)
                .handler(context ->
                        admins.page(context, visitor -> kept(context, ledger -> show(context, visitor, ledger))));
        router.post(Paths.LEDGER + "/verify")
                .handler(context -> admins.form(
                        context,
                        (visitor, fields) -> kept(context, ledger -> {
                            // Where one is running already, its page shows that one.
                            ledger.begin(visitor.id());
                            Replies.redirect(context, Paths.LEDGER);
                        })));
    }

    private void kept(RoutingContext context, Consumer<Auditor> then) {
        auditor.ifPresentOrElse(
                then,
                () -> Replies.refuse(
                        context,
                        404,
                        "No ledger",
                        "No topic keeps a ledger here, so there is nothing to verify, and identities cannot be changed"
                                + " while the server runs."));
    }

    private void show(RoutingContext context, Visitor visitor, Auditor ledger) {
        Waiting.on(
                ledger.look(),
                context,
                holdings -> Replies.page(
                        context,
                        200,
                        AdminPages.ledger(
                                LedgerWords.page(admins.frame(visitor, "Ledger"), ledger, holdings), clock.instant())));
    }
}
