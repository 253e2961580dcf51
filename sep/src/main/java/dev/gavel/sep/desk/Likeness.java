package dev.gavel.sep.desk;

import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.similar.Similar;
import dev.gavel.sep.similar.SimilarityIndex;
import java.util.List;

/**
 * Finds proposals like others. What they are found by is read from the disk when somebody first asks; not on an event
 * loop. Thread-safe.
 */
final class Likeness {
    private final Archive archive;
    private final Catalogue catalogue;
    private final Runnable follow;
    private final SimilarityIndex index = new SimilarityIndex();
    private boolean loaded;

    /**
     * One that knows nothing yet.
     *
     * @param follow has {@link #note} told of everything up to now, and of everything from then on; never called with
     *     this locked, which {@link #note} waits for
     */
    Likeness(Archive archive, Catalogue catalogue, Runnable follow) {
        this.archive = archive;
        this.catalogue = catalogue;
        this.follow = follow;
    }

    /** Takes note of a proposal that changed. */
    synchronized void note(Sep sep) {
        if (loaded) {
            archive.summary(sep.document()).ifPresent(text -> index.put(sep.number(), text));
        }
    }

    private synchronized void load() {
        if (!loaded) {
            catalogue
                    .documents()
                    .forEach((number, hash) -> archive.summary(hash).ifPresent(text -> index.put(number, text)));
            loaded = true;
        }
    }

    /** Those like a text, the most alike first. */
    List<Similar> like(String text, int limit) {
        follow.run();
        load();
        return index.like(text, limit, SimilarityIndex.WORTH_SHOWING);
    }

    /** Those like a proposal, itself left out. */
    List<Similar> like(Sep sep, int limit) {
        return like(archive.summary(sep.document()).orElse(sep.title()), limit + 1).stream()
                .filter(each -> each.number() != sep.number())
                .limit(limit)
                .toList();
    }
}
