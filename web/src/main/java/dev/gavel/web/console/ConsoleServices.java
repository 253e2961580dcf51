package dev.gavel.web.console;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.admin.LedgerInspector;
import dev.gavel.web.console.live.ChangeFeed;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.SessionSigningKey;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.RefusedRequestCounter;
import dev.gavel.web.registry.IdentityRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Holds the services that the console's controllers use.
 *
 * @param sepService empty if there is no ledger to store SEPs in
 * @param bridges supplies the current status of each bridge
 * @param sessionSigningKey signs the session cookies
 * @param failedSignIns counts failed sign-ins by reason
 * @param ledgerInspector empty if there is no ledger
 */
public record ConsoleServices(
        WebConfig config,
        Gateway gateway,
        TokenAuthenticator tokenAuthenticator,
        IdentityRegistry identityRegistry,
        CatalogRegistry catalogRegistry,
        Optional<SepService> sepService,
        Supplier<List<BridgeStatus>> bridges,
        Optional<LedgerInspector> ledgerInspector,
        ChangeFeed changeFeed,
        SignInCodes signInCodes,
        SessionSigningKey sessionSigningKey,
        RefusedRequestCounter failedSignIns,
        InstantSource clock) {}
