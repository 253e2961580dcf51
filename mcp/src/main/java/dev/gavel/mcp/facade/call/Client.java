package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Message;
import org.jspecify.annotations.Nullable;

/** The client's side of one request: where it is answered, and what it is told. Confined to the topic's loop. */
public interface Client {
    /** The request's id, as the client wrote it. */
    String id();

    /** Where the answer goes. */
    Reply out();

    /** What it is told meanwhile; null where it did not ask to be. */
    @Nullable
    Progress progress();

    /** A call is under way for it. */
    void placed(Call call);

    /** No call was placed for it; this is the answer. */
    void settle(Message answer);

    /** The call is answered, parked or given up: the client waits no more. */
    void done(Call call);

    /** The call has found that nobody reads what it will answer. */
    default void unread(Call call) {}

    /** Whether it would rather have the id of a proposal for such a call at once, and ask for it later, than wait. */
    default boolean takesProposals(String method) {
        return false;
    }

    /** What it asked for is proposed, and kept, under this id; it waits no more. */
    default void proposed(String proposal) {
        throw new UnsupportedOperationException("this client waits");
    }
}
