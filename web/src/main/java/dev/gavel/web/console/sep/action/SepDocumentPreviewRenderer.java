package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.render.SafeHtml;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleResponses;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Renders and lints the SEP document that a user is writing and finds similar SEPs, with at most one such job per user.
 * Rendering takes long, so it runs outside the event loops. Thread-safe.
 */
final class SepDocumentPreviewRenderer {
    private final Set<String> activeUsers = ConcurrentHashMap.newKeySet();

    /**
     * Continues with the preview and the findings of a document. If the user's previous document is still being
     * rendered, a fragment request is refused with status 429, and a page request continues with {@link
     * SepDocumentCheckView#notChecked}.
     */
    void render(
            RoutingContext context,
            ConsoleSepClient consoleSepClient,
            Optional<Long> number,
            String text,
            Consumer<SepDocumentCheckView> then) {
        String userId = consoleSepClient.consoleUser().id();
        if (!activeUsers.add(userId)) {
            if (ConsoleResponses.isHtmxRequest(context)) {
                ConsoleResponses.refuse(
                        context,
                        429,
                        "Preview not ready",
                        "The previous preview is still being rendered. Try again in a moment.");
            } else {
                then.accept(SepDocumentCheckView.notChecked(
                        consoleSepClient.consoleUser().terms()));
            }
            return;
        }
        CompletableFuture<SepDocumentCheckView> future;
        try {
            future = renderAndLint(context, consoleSepClient, number, text);
        } catch (RuntimeException e) {
            future = CompletableFuture.failedFuture(e);
        }
        AsyncPageContinuation.whenLoaded(
                future.whenComplete((sepDocumentCheckView, failure) -> activeUsers.remove(userId)), context, then);
    }

    private static CompletableFuture<SepDocumentCheckView> renderAndLint(
            RoutingContext context, ConsoleSepClient consoleSepClient, Optional<Long> number, String text) {
        String previewText = text.substring(0, Math.min(SepDocumentCheckView.MAX_PREVIEW_LENGTH, text.length()));
        CompletableFuture<SafeHtml> preview = new CompletableFuture<>();
        context.vertx()
                .executeBlocking(() -> preview.complete(MarkdownRenderer.render(previewText)), false)
                .onFailure(preview::completeExceptionally);
        Json document = Json.object().with("document", Json.ofText(text));
        CompletableFuture<SepResult> lintResult = consoleSepClient
                .send(
                        SepOperation.LINT,
                        number.map(known -> document.with("number", Json.of(known)))
                                .orElse(document))
                .toCompletableFuture();
        CompletableFuture<SepResult> similarResult = number.isPresent() || text.isBlank()
                ? CompletableFuture.completedFuture(new SepResult.Success(Json.object()))
                : consoleSepClient
                        .send(SepOperation.SIMILAR, Json.object().with("text", Json.ofText(text)))
                        .toCompletableFuture();
        return CompletableFuture.allOf(preview, lintResult, similarResult)
                .thenApply(done -> toView(
                        preview.join(),
                        lintResult.join(),
                        similarResult.join(),
                        previewText.length() < text.length(),
                        consoleSepClient.consoleUser().terms()));
    }

    private static SepDocumentCheckView toView(
            SafeHtml preview, SepResult lintResult, SepResult similarResult, boolean truncated, ProposalTerms terms) {
        return new SepDocumentCheckView(
                lintResult instanceof SepResult.Success(Json findings)
                        ? SepDocumentCheckView.findings(findings)
                        : List.of(),
                lintResult instanceof SepResult.Success
                        ? Optional.empty()
                        : Optional.of(SepFormErrorMarker.refusalText(lintResult)),
                similarResult instanceof SepResult.Success(Json similar)
                        ? SepDocumentCheckView.similar(similar)
                        : List.of(),
                preview,
                truncated,
                terms);
    }
}
