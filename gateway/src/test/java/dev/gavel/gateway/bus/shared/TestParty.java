package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Stay;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A topic that keeps what it is told, and minds that only changes are told. Thread-safe. */
public final class TestParty implements Party {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> wrongs = new CopyOnWriteArrayList<>();
    private final Map<String, Stay> present = new ConcurrentSkipListMap<>();
    private volatile boolean reachable = true;

    @Override
    public void received(Parcel parcel) {
        heard.add(new String(parcel.envelope(), StandardCharsets.UTF_8));
    }

    @Override
    public void came(String process, Stay stay) {
        if (stay.equals(present.put(process + "/" + stay.member(), stay))) {
            wrongs.add(stay.member() + " of " + process + " came as it was");
        }
    }

    @Override
    public void left(String process, String member) {
        if (present.remove(process + "/" + member) == null) {
            wrongs.add(member + " of " + process + " left without having been there");
        }
    }

    @Override
    public void reachable(boolean now) {
        if (reachable == now) {
            wrongs.add("reachable is " + now + " as before");
        }
        reachable = now;
    }

    /** Envelopes, in order. */
    public List<String> heard() {
        return heard;
    }

    /** What it should never have been told. */
    public List<String> wrongs() {
        return wrongs;
    }

    /** Who is present elsewhere, as {@code process/member}. */
    public Map<String, Stay> present() {
        return new TreeMap<>(present);
    }

    public boolean isReachable() {
        return reachable;
    }
}
