package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/** A comment on a SEP, as its page lists it. */
public record SepCommentRow(String by, Instant at, String text) {
    /** Returns the latest comments, at most {@code most}, oldest first. */
    static List<SepCommentRow> of(Json show, int most, SepPageContext sepPageContext) {
        List<Json> all = show.at("comments").elements();
        return all.subList(Math.max(0, all.size() - most), all.size()).stream()
                .map(comment -> new SepCommentRow(
                        sepPageContext.personName(comment.at("by").text()),
                        Instant.parse(comment.at("at").text()),
                        SafeText.lines(comment.at("text").text())))
                .toList();
    }
}
