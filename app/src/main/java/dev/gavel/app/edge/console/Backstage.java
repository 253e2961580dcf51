package dev.gavel.app.edge.console;

import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.console.admin.Auditor;
import dev.gavel.app.edge.console.live.Newsroom;
import dev.gavel.app.edge.console.session.SignInCodes;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.SessionKey;
import dev.gavel.app.register.Registrar;
import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.sep.desk.Desk;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the console shows and works on.
 *
 * @param desk none where there is no ledger to keep SEPs in
 * @param bridges how each bridge is
 * @param key what sessions are sealed with
 * @param auditor looks after the ledger; none where there is none
 */
public record Backstage(
        WebConfig config,
        Gateway gateway,
        Identities identities,
        Registrar registrar,
        Directory directory,
        Optional<Desk> desk,
        Supplier<List<Status>> bridges,
        Optional<Auditor> auditor,
        Newsroom newsroom,
        SignInCodes codes,
        SessionKey key,
        InstantSource clock) {}
