package dev.gavel.web.console.sep.action;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.render.SafeHtml;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.console.session.AsyncPageLoader;
import dev.gavel.web.console.session.ConsoleResponses;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Renders and lints a document that a user is writing, one at a time for each user. Rendering takes long, so it runs
 * outside the event loops. Thread-safe.
 */
final class SepPreviewRenderer {
    private final Set<String> activeUsers = ConcurrentHashMap.newKeySet();

    /**
     * Continues with the preview and the findings of a document. If the user's previous document is still being
     * rendered, a fragment request is refused with status 429, and a page request continues with {@link
     * SepDocumentCheckView#NOT_CHECKED}.
     */
    void render(
            RoutingContext context,
            ConsoleSepClient consoleSepClient,
            Optional<Long> number,
            String text,
            Consumer<SepDocumentCheckView> then) {
        String visitor = consoleSepClient.consoleUser().id();
        if (!activeUsers.add(visitor)) {
            if (ConsoleResponses.isHtmxRequest(context)) {
                ConsoleResponses.refuse(context, 429, "One moment", "The preview before this one is still being made.");
            } else {
                then.accept(SepDocumentCheckView.NOT_CHECKED);
            }
            return;
        }
        CompletableFuture<SepDocumentCheckView> coming;
        try {
            coming = renderAndLint(context, consoleSepClient, number, text);
        } catch (RuntimeException e) {
            coming = CompletableFuture.failedFuture(e);
        }
        AsyncPageLoader.whenLoaded(
                coming.whenComplete((sepDocumentCheckView, failure) -> activeUsers.remove(visitor)), context, then);
    }

    private static CompletableFuture<SepDocumentCheckView> renderAndLint(
            RoutingContext context, ConsoleSepClient consoleSepClient, Optional<Long> number, String text) {
        String shown = text.substring(0, Math.min(SepDocumentCheckView.MAX_PREVIEW_LENGTH, text.length()));
        CompletableFuture<SafeHtml> drawn = new CompletableFuture<>();
        context.vertx()
                .executeBlocking(() -> drawn.complete(MarkdownRenderer.render(shown)), false)
                .onFailure(drawn::completeExceptionally);
        Json document = Json.object().with("document", Json.ofText(text));
        CompletableFuture<SepResult> found = consoleSepClient
                .send(
                        SepOperation.LINT,
                        number.map(known -> document.with("number", Json.of(known)))
                                .orElse(document))
                .toCompletableFuture();
        CompletableFuture<SepResult> alike = number.isPresent() || text.isBlank()
                ? CompletableFuture.completedFuture(new SepResult.Success(Json.object()))
                : consoleSepClient
                        .send(SepOperation.SIMILAR, Json.object().with("text", Json.ofText(text)))
                        .toCompletableFuture();
        return CompletableFuture.allOf(drawn, found, alike)
                .thenApply(done -> toView(drawn.join(), found.join(), alike.join(), shown.length() < text.length()));
    }

    private static SepDocumentCheckView toView(SafeHtml drawn, SepResult found, SepResult alike, boolean cut) {
        return new SepDocumentCheckView(
                found instanceof SepResult.Success(Json findings) ? SepDocumentCheckView.findings(findings) : List.of(),
                found instanceof SepResult.Success ? Optional.empty() : Optional.of(SepFormErrors.refusalText(found)),
                alike instanceof SepResult.Success(Json similar) ? SepDocumentCheckView.similar(similar) : List.of(),
                drawn,
                cut);
    }
}
