package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Placing;
import dev.gavel.mcp.facade.call.Target;
import dev.gavel.mcp.rpc.RpcError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that a client is told of when they change. Whoever may only propose to read one is not told: its server would
 * be asked unseen. Confined to the topic's loop.
 */
public final class Subscriptions {
    /** Of one client. */
    public static final int MOST = 1_000;

    private final Caller caller;
    private final Desk desk;
    private final Map<String, Target> subscribed = new LinkedHashMap<>();
    private boolean closed;

    public Subscriptions(Caller caller, Desk desk) {
        this.caller = caller;
        this.desk = desk;
    }

    public boolean has(String uri) {
        return subscribed.containsKey(uri);
    }

    /** Asks the server that has a resource to tell of it. */
    public void subscribe(String params, Client client) {
        desk.resource(caller, "resources/subscribe", params, client, target -> {
            String uri = String.valueOf(target.name());
            Target reading = new Target(target.participant(), "resources/read", uri);
            if (!caller.may(reading, params) && !caller.may(target, params)) {
                Desk.refuse(client, RpcError.FORBIDDEN, Placing.missing(caller, reading.request()));
            } else if (subscribed.size() >= MOST) {
                Desk.refuse(
                        client,
                        RpcError.BUSY,
                        "You are subscribed to as many resources as you may be; unsubscribe from some.");
            } else if (!closed) {
                if (subscribed.put(uri, target) == null) {
                    desk.interest().add(target, caller);
                }
                desk.placing().pass(caller, target, params, client);
            }
        });
    }

    /** A client wants to hear of a resource no more; its server is told where nobody else does. */
    public void unsubscribe(String uri) {
        Target target = subscribed.remove(uri);
        if (target != null) {
            Target ending = new Target(target.participant(), "resources/unsubscribe", uri);
            desk.interest().remove(target).forEach(each -> desk.placing().tell(each, ending));
        }
    }

    /** The client is gone. */
    public void close() {
        closed = true;
        List.copyOf(subscribed.keySet()).forEach(this::unsubscribe);
    }
}
