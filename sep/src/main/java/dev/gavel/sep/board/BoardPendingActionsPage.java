package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.sep.chart.MarkupBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the board page that lists every person and role that must act, with the SEPs that wait for them. */
record BoardPendingActionsPage(BoardInput input, List<BoardEntry> entries) {
    private record PendingAction(BoardEntry entry, Instant since) {}

    String html() {
        Map<PersonOrGroup, List<PendingAction>> byParty = new LinkedHashMap<>();
        for (BoardEntry entry : entries) {
            for (LifecycleGuidance.Assignment assignment : entry.guidance().mustAct()) {
                byParty.computeIfAbsent(assignment.party(), _ -> new ArrayList<>())
                        .add(new PendingAction(entry, assignment.since()));
            }
        }
        MarkupBuilder main = new MarkupBuilder();
        main.add("<h1>Pending actions</h1>\n");
        main.add(
                "<p class=\"lead\">People and roles that must act, each with the %s that wait for them. The %s that"
                        + " have waited longest come first. If a role is listed, any person with that role can act.</p>\n",
                input.terms().plural(), input.terms().plural());
        if (byParty.isEmpty()) {
            main.add("<p class=\"empty\">No action is needed.</p>\n");
        }
        byParty.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<PersonOrGroup, List<PendingAction>> each) ->
                                !(each.getKey() instanceof RoleGroup))
                        .thenComparing(each -> first(each.getValue())))
                .forEach(each -> section(main, each.getKey(), each.getValue()));
        return BoardPageFrameWriter.page(input, "Pending actions", BoardPageFrameWriter.Tab.PENDING_ACTIONS, "", main);
    }

    private static Instant first(List<PendingAction> pendingActions) {
        return pendingActions.stream()
                .map(PendingAction::since)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private void section(MarkupBuilder main, PersonOrGroup who, List<PendingAction> pendingActions) {
        main.add("<section class=\"state\">\n<h2><span dir=\"auto\">%s</span>", input.name(who));
        main.add(" <span class=\"count\">%s</span></h2>\n<ul class=\"seps\">\n", pendingActions.size());
        pendingActions.stream()
                .sorted(Comparator.comparing(PendingAction::since)
                        .thenComparingInt(pendingAction -> pendingAction.entry().number()))
                .forEach(pendingAction -> BoardIndexPage.row(main, pendingAction.entry(), input, "", false));
        main.add("</ul>\n</section>\n");
    }
}
