package dev.gavel.app.edge.console.sepact;

import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.sep.act.Answered;
import dev.gavel.console.sep.act.Checked;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.render.Renderer;
import dev.gavel.sep.render.SafeHtml;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Draws documents that are being written, and has them looked through. Drawing takes long, so it is done beside the loops
 * that serve requests, and for each visitor one at a time. Thread-safe.
 */
final class Previews {
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** Goes on with how a document looks; of a visitor whose last one is not ready yet, says so. */
    void of(RoutingContext context, Counter counter, Optional<Long> number, String text, Consumer<Checked> then) {
        String visitor = counter.visitor().id();
        if (!busy.add(visitor)) {
            if (Replies.byScript(context)) {
                Replies.refuse(context, 429, "One moment", "The preview before this one is still being made.");
            } else {
                then.accept(Checked.NOTHING);
            }
            return;
        }
        CompletableFuture<Checked> coming;
        try {
            coming = coming(context, counter, number, text);
        } catch (RuntimeException e) {
            coming = CompletableFuture.failedFuture(e);
        }
        Waiting.on(coming.whenComplete((checked, failure) -> busy.remove(visitor)), context, then);
    }

    private static CompletableFuture<Checked> coming(
            RoutingContext context, Counter counter, Optional<Long> number, String text) {
        String shown = text.substring(0, Math.min(Checked.LONGEST_PREVIEW, text.length()));
        CompletableFuture<SafeHtml> drawn = new CompletableFuture<>();
        context.vertx()
                .executeBlocking(() -> drawn.complete(Renderer.render(shown)), false)
                .onFailure(drawn::completeExceptionally);
        Json document = Json.object().with("document", Json.ofText(text));
        CompletableFuture<Reply> found = counter.ask(
                        Verb.LINT,
                        number.map(known -> document.with("number", Json.of(known)))
                                .orElse(document))
                .toCompletableFuture();
        CompletableFuture<Reply> alike = number.isPresent() || text.isBlank()
                ? CompletableFuture.completedFuture(new Reply.Done(Json.object()))
                : counter.ask(Verb.SIMILAR, Json.object().with("text", Json.ofText(text)))
                        .toCompletableFuture();
        return CompletableFuture.allOf(drawn, found, alike)
                .thenApply(done -> checked(drawn.join(), found.join(), alike.join(), shown.length() < text.length()));
    }

    private static Checked checked(SafeHtml drawn, Reply found, Reply alike, boolean cut) {
        return new Checked(
                found instanceof Reply.Done(Json findings) ? Checked.findings(findings) : List.of(),
                found instanceof Reply.Done ? Optional.empty() : Optional.of(Answered.words(found)),
                alike instanceof Reply.Done(Json similar) ? Checked.similar(similar) : List.of(),
                drawn,
                cut);
    }
}
