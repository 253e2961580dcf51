package dev.gavel.app.edge.console;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.Defaults;
import dev.gavel.app.edge.Annex;
import dev.gavel.app.edge.Hosts;
import dev.gavel.app.edge.Origins;
import dev.gavel.app.edge.Places;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.SessionKey;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.console.Assets;
import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Objects;

/** The console's place in the server. Thread-safe. */
public final class Console implements Annex {
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";

    private final Guard guard;
    private final Doorway doorway;
    private final Desk desk;
    private final Live live;

    public Console(
            Config config,
            Gateway gateway,
            Identities identities,
            Newsroom newsroom,
            SignInCodes codes,
            InstantSource clock) {
        boolean tls = config.tls().isPresent();
        boolean secure = tls
                || config.publicUrl()
                        .filter(url -> "https".equalsIgnoreCase(url.getScheme()))
                        .isPresent();
        Sessions sessions = new Sessions(SessionKey.in(config.data()), clock);
        this.guard = new Guard(
                new Hosts(config.listen().host(), config.publicUrl()),
                new Origins(config.publicUrl(), tls),
                identities,
                sessions,
                gateway,
                secure);
        this.doorway = new Doorway(guard, identities, sessions, codes);
        Hint hint = new Hint(
                // Set by the script that starts the program.
                Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"),
                config.publicUrl(),
                tls,
                new TokenFiles(config.data()).file(Defaults.AGENT));
        this.desk = new Desk(guard, gateway, newsroom, clock, hint);
        this.live =
                new Live(guard, gateway, newsroom, new Places(config.limits().connections()), clock);
    }

    @Override
    public void mount(Router router) {
        desk.mount(router);
        doorway.mount(router);
        live.mount(router);
        router.get(Assets.PATH + "/:hash/:name").handler(this::asset);
    }

    @Override
    public int connections() {
        return live.connections();
    }

    private void asset(RoutingContext context) {
        if (!guard.ours(context)) {
            return;
        }
        Assets.at(context.pathParam("hash"), context.pathParam("name"))
                .ifPresentOrElse(
                        asset -> Replies.guarded(context)
                                .putHeader(HttpHeaders.CONTENT_TYPE, asset.type())
                                .putHeader(HttpHeaders.CACHE_CONTROL, FOR_GOOD)
                                .end(asset.text()),
                        () -> context.fail(404));
    }
}
