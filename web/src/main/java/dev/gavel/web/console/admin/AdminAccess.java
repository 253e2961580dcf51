package dev.gavel.web.console.admin;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.api.AdminCommandExecutor;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.live.PageReloadUpdateSource;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.http.HttpProblem;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Lets only admins use the console's admin pages and forms. Thread-safe. */
final class AdminAccess {
    /** The path of the event stream of the admin pages. */
    static final String LIVE = AdminPaths.HOME + "/live";

    private final ConsoleRequestGuard guard;
    private final LiveUpdateEndpoint liveUpdateEndpoint;

    AdminAccess(ConsoleRequestGuard guard, LiveUpdateEndpoint liveUpdateEndpoint) {
        this.guard = guard;
        this.liveUpdateEndpoint = liveUpdateEndpoint;
    }

    void handlePage(RoutingContext context, Consumer<ConsoleUser> then) {
        guard.handlePage(context, consoleUser -> {
            if (requireAdmin(context, consoleUser)) {
                then.accept(consoleUser);
            }
        });
    }

    void handleForm(RoutingContext context, BiConsumer<ConsoleUser, FormFields> then) {
        guard.handleForm(context, (consoleUser, fields) -> {
            if (requireAdmin(context, consoleUser)) {
                then.accept(consoleUser, fields);
            }
        });
    }

    private static boolean requireAdmin(RoutingContext context, ConsoleUser consoleUser) {
        if (!consoleUser.isAdmin()) {
            ConsoleResponses.refuse(
                    context, 403, "Admins only", "This page requires the role admin. Ask an admin for access.");
        }
        return consoleUser.isAdmin();
    }

    PageLayoutData frame(ConsoleUser consoleUser, String title) {
        return consoleUser.frame(title, PageLayoutData.Section.ADMIN).live(LIVE, liveUpdateEndpoint.mark());
    }

    /**
     * Opens the event stream of an admin page. The stream reports no changes, because admin pages refresh by time. But
     * it keeps the user present in the user's topics, and signs the user out as soon as the token is revoked.
     */
    void openStream(RoutingContext context) {
        liveUpdateEndpoint.openStream(context, consoleUser -> new PageReloadUpdateSource(changeSubject -> false));
    }

    static AdminCommandExecutor.AdminCaller adminCaller(ConsoleUser consoleUser) {
        return new AdminCommandExecutor.AdminCaller(consoleUser.id(), consoleUser.accessGrant());
    }

    /**
     * Continues when a command is done, or with the problem if it was refused. If the user may no longer use admin
     * commands, redirects to the sign-in page or sends a refusal page.
     */
    static <T> void whenComplete(
            CompletionStage<AdminCommandExecutor.AdminCommandResult<T>> future,
            RoutingContext context,
            Consumer<T> then,
            Consumer<HttpProblem> otherwise) {
        AsyncPageContinuation.whenLoaded(future, context, adminCommandResult -> {
            switch (adminCommandResult) {
                case AdminCommandExecutor.AdminCommandResult.Done<T>(T value) -> then.accept(value);
                case AdminCommandExecutor.AdminCommandResult.Refused<T>(HttpProblem problem) -> {
                    switch (problem.status()) {
                        case 401 -> ConsoleResponses.redirect(context, "/sign-in");
                        case 403 -> ConsoleResponses.refuse(context, 403, "Not allowed", sentence(problem));
                        default -> otherwise.accept(problem);
                    }
                }
            }
        });
    }

    /** Returns a problem's detail as a sentence for people. */
    static String sentence(HttpProblem problem) {
        String text = SafeText.line(problem.detail());
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + (text.endsWith(".") ? "" : ".");
    }
}
