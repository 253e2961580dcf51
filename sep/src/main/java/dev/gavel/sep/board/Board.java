package dev.gavel.sep.board;

import dev.gavel.sep.Sep;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes the static board. Stateless. */
public final class Board {
    private Board() {}

    /**
     * Writes the whole site.
     *
     * @throws IOException where the sink fails; what it has by then is half a site
     */
    public static void write(BoardInput input, Sink sink, Progress progress) throws IOException {
        List<Entry> entries = new ArrayList<>(input.seps().size());
        for (Sep sep : input.seps()) {
            entries.add(Entry.of(sep, input));
        }
        Kin kin = new Kin(input, entries);
        Assets.write(sink);
        for (Entry entry : entries) {
            sink.write("seps/" + entry.number() + ".html", new SepPage(input, entry, kin).html());
            progress.written(entry.number());
        }
        Stats stats = Stats.of(input.seps(), input.process(), input.circumstances(), input.now());
        sink.write("stats.html", new StatsPage(input, stats).html());
        sink.write("stats.json", StatsJson.of(stats).raw() + "\n");
        sink.write("whose.html", new WhosePage(input, entries).html());
        sink.write("index.html", new IndexPage(input, entries).html());
    }
}
