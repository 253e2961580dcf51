package dev.gavel.web.console.admin;

import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.registry.IdentityRegistry;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the page on which admins see the ledger's contents and start its verification. Thread-safe. */
final class LedgerController {
    private final AdminAccess adminAccess;
    private final IdentityRegistry identityRegistry;
    private final Optional<LedgerInspector> ledgerInspector;
    private final InstantSource clock;

    LedgerController(
            AdminAccess adminAccess,
            IdentityRegistry identityRegistry,
            Optional<LedgerInspector> ledgerInspector,
            InstantSource clock) {
        this.adminAccess = adminAccess;
        this.identityRegistry = identityRegistry;
        this.ledgerInspector = ledgerInspector;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(AdminPaths.LEDGER)
                .handler(context -> adminAccess.handlePage(
                        context, consoleUser -> withLedger(context, ledger -> show(context, consoleUser, ledger))));
        router.post(AdminPaths.LEDGER + "/verify")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) -> withLedger(context, ledger -> {
                            // If a verification is already running, the page shows that one.
                            ledger.startVerification(consoleUser.id());
                            ConsoleResponses.redirect(context, AdminPaths.LEDGER);
                        })));
    }

    private void withLedger(RoutingContext context, Consumer<LedgerInspector> then) {
        ledgerInspector.ifPresentOrElse(
                then,
                () -> ConsoleResponses.refuse(
                        context,
                        404,
                        "No ledger",
                        "No topic of this server has a ledger. There is nothing to verify, and identities cannot be"
                                + " changed at run time."));
    }

    private void show(RoutingContext context, ConsoleUser consoleUser, LedgerInspector ledger) {
        AsyncPageContinuation.whenLoaded(
                ledger.loadContents(),
                context,
                ledgerContents -> ConsoleResponses.sendPage(
                        context,
                        200,
                        AdminPageRenderer.ledger(
                                LedgerPageBuilder.build(
                                        adminAccess.frame(consoleUser, "Ledger"),
                                        ledger,
                                        ledgerContents,
                                        identityRegistry.snapshot().displayNames()),
                                clock.instant())));
    }
}
