package dev.gavel.app.edge.console;

import dev.gavel.app.edge.Annex;
import dev.gavel.app.edge.Hosts;
import dev.gavel.app.edge.Origins;
import dev.gavel.app.edge.Places;
import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.console.admin.AdminRoutes;
import dev.gavel.app.edge.console.inbox.InboxRoutes;
import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.sepact.ActRoutes;
import dev.gavel.app.edge.console.sepact.EditorRoutes;
import dev.gavel.app.edge.console.seps.SepPageRoutes;
import dev.gavel.app.edge.console.session.Doorway;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Sessions;
import dev.gavel.app.edge.console.topic.TopicRoutes;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.console.Assets;
import dev.gavel.console.Icon;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** The console's place in the server. Thread-safe. */
public final class Console implements Annex {
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";
    private static final String A_DAY = "public, max-age=86400";

    private final Guard guard;
    private final Doorway doorway;
    private final InboxRoutes inbox;
    private final TopicRoutes topics;
    private final ActRoutes acts;
    private final EditorRoutes editor;
    private final SepPageRoutes seps;
    private final AdminRoutes admin;
    private final Live live;

    public Console(Backstage behind) {
        WebConfig config = behind.config();
        boolean tls = config.tls().isPresent();
        boolean secure = tls
                || config.publicUrl()
                        .filter(url -> "https".equalsIgnoreCase(url.getScheme()))
                        .isPresent();
        Sessions sessions = new Sessions(behind.key(), behind.clock());
        this.guard = new Guard(
                new Hosts(config.listen().host(), config.publicUrl()),
                new Origins(config.publicUrl(), tls),
                behind.identities(),
                sessions,
                behind.gateway(),
                secure,
                config.publicUrl());
        this.doorway = new Doorway(guard, behind.identities(), sessions, behind.codes());
        this.live = new Live(guard, behind.gateway(), behind.newsroom(), new Places(config.maxConnections()));
        this.inbox = new InboxRoutes(
                guard,
                behind.gateway(),
                behind.directory(),
                behind.desk(),
                live,
                config.publicUrl(),
                tls,
                new TokenFiles(config.data()),
                behind.clock());
        this.topics = new TopicRoutes(guard, behind.gateway(), behind.directory(), live, behind.clock());
        this.acts = new ActRoutes(guard, behind.desk(), config.process());
        this.editor = new EditorRoutes(guard, behind.desk(), config.process(), behind.clock());
        this.seps = new SepPageRoutes(guard, live, behind.desk(), config.process(), behind.clock());
        this.admin = new AdminRoutes(
                guard,
                live,
                config,
                behind.gateway(),
                behind.registrar(),
                behind.directory(),
                behind.bridges(),
                behind.auditor(),
                behind.clock());
    }

    @Override
    public void mount(Router router) {
        doorway.mount(router);
        inbox.mount(router);
        topics.mount(router);
        admin.mount(router);
        router.get(Icon.PATH + ":count").handler(this::icon);
        // Before the pages of SEPs: 'new' is no number of one.
        editor.mount(router);
        acts.mount(router);
        seps.mount(router);
        router.get(Assets.PATH + "/:hash/:name").handler(this::asset);
        // Behind everything else: an address with a slip in it is answered to a person.
        router.get("/console/*").handler(this::nowhere);
    }

    private void nowhere(RoutingContext context) {
        if (context.normalizedPath().startsWith(Assets.PATH + "/")) {
            context.next();
            return;
        }
        guard.page(
                context,
                visitor -> Replies.refuse(
                        context, 404, "Not found", "There is no page at this address. Is there a slip in it?"));
    }

    @Override
    public int connections() {
        return live.connections();
    }

    private void icon(RoutingContext context) {
        String count = Objects.requireNonNull(context.pathParam("count"));
        if (!guard.ours(context)) {
            return;
        }
        if (!count.matches("\\d{1,6}")) {
            context.fail(404);
            return;
        }
        Replies.guarded(context)
                .putHeader(HttpHeaders.CONTENT_TYPE, "image/svg+xml")
                .putHeader(HttpHeaders.CACHE_CONTROL, A_DAY)
                .end(Icon.with(Integer.parseInt(count)));
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
