package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.TopicBusListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A topic bus listener for tests that records envelopes and presence and reports redundant notifications. Thread-safe.
 */
public final class RecordingBusListener implements TopicBusListener {
    private final List<String> receivedEnvelopes = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final Map<String, MemberPresence> present = new ConcurrentSkipListMap<>();
    private volatile boolean reachable = true;

    @Override
    public void onEnvelope(ForwardedEnvelope forwardedEnvelope) {
        receivedEnvelopes.add(new String(forwardedEnvelope.envelope(), StandardCharsets.UTF_8));
    }

    @Override
    public void onMemberPresent(String process, MemberPresence memberPresence) {
        if (memberPresence.equals(present.put(process + "/" + memberPresence.member(), memberPresence))) {
            violations.add(memberPresence.member() + " of " + process + " came as it was");
        }
    }

    @Override
    public void onMemberAbsent(String process, String member) {
        if (present.remove(process + "/" + member) == null) {
            violations.add(member + " of " + process + " left without having been there");
        }
    }

    @Override
    public void onReachabilityChanged(boolean now) {
        if (reachable == now) {
            violations.add("reachable is " + now + " as before");
        }
        reachable = now;
    }

    /** The received envelopes, in order. */
    public List<String> envelopes() {
        return receivedEnvelopes;
    }

    /** The notifications that it should not have received. */
    public List<String> violations() {
        return violations;
    }

    /** The members present in other processes, by {@code process/member}. */
    public Map<String, MemberPresence> present() {
        return new TreeMap<>(present);
    }

    public boolean isReachable() {
        return reachable;
    }
}
