package dev.gavel.app.edge.console.session;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.console.Frame;
import dev.gavel.console.Pages;
import dev.gavel.console.SignIn;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Where people sign in, by a token or a link, and out. Thread-safe. */
public final class Doorway {
    private final Guard guard;
    private final Identities identities;
    private final Sessions sessions;
    private final SignInCodes codes;

    public Doorway(Guard guard, Identities identities, Sessions sessions, SignInCodes codes) {
        this.guard = guard;
        this.identities = identities;
        this.sessions = sessions;
        this.codes = codes;
    }

    public void mount(Router router) {
        router.get("/sign-in").handler(this::ask);
        router.post("/sign-in").handler(context -> guard.form(context, fields -> signIn(context, fields)));
        router.post("/sign-out")
                .handler(context -> guard.form(context, (visitor, fields) -> {
                    guard.signOut(context, visitor);
                    Replies.redirect(context, "/sign-in");
                }));
    }

    /**
     * The page that asks. A link is not used up by asking for its page, which other programs than browsers do, to show
     * what it leads to; the page sends its code.
     */
    private void ask(RoutingContext context) {
        if (!guard.ours(context)) {
            return;
        }
        Optional<String> code = Optional.ofNullable(context.request().getParam("code"));
        boolean stranger = guard.visitor(context.request()).isEmpty();
        if (code.isEmpty() && !stranger) {
            Replies.redirect(context, "/");
            return;
        }
        Replies.page(context, 200, Pages.signIn(new SignIn(Frame.plain("Sign in"), code, stranger, Optional.empty())));
    }

    private void signIn(RoutingContext context, Fields fields) {
        Optional<String> code = fields.text("code");
        if (code.isPresent()) {
            codes.redeem(code.get())
                    .ifPresentOrElse(
                            token -> enter(context, token),
                            () -> Guard.door(
                                    context,
                                    403,
                                    "This link was used, or is too old: it is good once, for " + codes.goodFor()
                                            + ". Sign in with your token, or start the server anew for another"
                                            + " link."));
            return;
        }
        String token = fields.text("token").orElse("");
        switch (identities.authenticate("Bearer " + token)) {
            case Unauthenticated _ ->
                Guard.door(context, 403, "This token is unknown, expired or revoked. Is it all of it?");
            case Authenticated _ -> enter(context, TokenHash.of(token));
        }
    }

    private void enter(RoutingContext context, TokenHash token) {
        switch (identities.recognise(token)) {
            case Unauthenticated _ ->
                Guard.door(context, 403, "The token that this link stands for is expired or revoked.");
            case Authenticated _ -> {
                guard.signIn(context, sessions.begin(token));
                Replies.redirect(context, "/");
            }
        }
    }
}
