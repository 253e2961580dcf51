package dev.gavel.gateway;

import dev.gavel.gateway.docket.Change;
import dev.gavel.mcpx.Envelope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All listeners of a process; what goes wrong in one is its own. Thread-safe. */
final class Listeners implements Listener {
    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final List<Listener> all = new CopyOnWriteArrayList<>();

    void add(Listener listener) {
        all.add(listener);
    }

    @Override
    public void came(Topic topic, Member member) {
        each(listener -> listener.came(topic, member));
    }

    @Override
    public void left(Topic topic, Member member) {
        each(listener -> listener.left(topic, member));
    }

    @Override
    public void changed(Topic topic, Member member) {
        each(listener -> listener.changed(topic, member));
    }

    @Override
    public void expelled(Topic topic, Member member) {
        each(listener -> listener.expelled(topic, member));
    }

    @Override
    public void heard(Topic topic, String from, Envelope envelope) {
        if (!all.isEmpty()) {
            each(listener -> listener.heard(topic, from, envelope));
        }
    }

    @Override
    public void happened(Topic topic, Change change) {
        each(listener -> listener.happened(topic, change));
    }

    @Override
    public void wrote(Topic topic, Change change) {
        each(listener -> listener.wrote(topic, change));
    }

    private void each(Consumer<Listener> tell) {
        for (Listener listener : all) {
            try {
                tell.accept(listener);
            } catch (RuntimeException e) {
                log.error("a listener failed", e);
            }
        }
    }
}
