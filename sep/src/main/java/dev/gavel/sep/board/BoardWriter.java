package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.sep.Sep;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsJsonCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the static SEP board, a website with an index, a page for each SEP, pending actions and statistics. Stateless.
 */
public final class BoardWriter {
    private BoardWriter() {}

    /**
     * Writes the whole site.
     *
     * @throws IOException if the sink fails; the sink has an incomplete site then
     */
    public static void write(BoardInput input, BoardFileSink sink, BoardPageWrittenListener boardPageWrittenListener)
            throws IOException {
        List<BoardEntry> entries = new ArrayList<>(input.seps().size());
        for (Sep sep : input.seps()) {
            entries.add(BoardEntry.of(sep, input));
        }
        BoardSepIndex boardSepIndex = new BoardSepIndex(input, entries);
        BoardAssetWriter.write(sink);
        for (BoardEntry entry : entries) {
            sink.write("seps/" + entry.number() + ".html", new BoardSepPage(input, entry, boardSepIndex).html());
            boardPageWrittenListener.onPageWritten(entry.number());
        }
        Stats stats = Stats.of(input.seps(), input.processDefinition(), input.externalFacts(), input.now());
        sink.write(
                "stats.html",
                new BoardStatsPage(input, stats.withNames(login -> input.name(new Person(login)))).html());
        sink.write("stats.json", StatsJsonCodec.encode(stats).raw() + "\n");
        sink.write("whose.html", new BoardPendingActionsPage(input, entries).html());
        sink.write("index.html", new BoardIndexPage(input, entries).html());
    }
}
