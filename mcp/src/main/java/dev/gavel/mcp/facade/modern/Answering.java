package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.call.Reply;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;

/** The one answer to a request: when its reader goes, it is over. Confined to the topic's loop. */
final class Answering implements Reply {
    private static final String NOWHERE = "";

    private final String method;
    private final Results results;
    private final Sink sink;
    private boolean begun;
    private boolean over;

    Answering(String method, Results results, Sink sink) {
        this.method = method;
        this.results = results;
        this.sink = sink;
    }

    @Override
    public boolean read() {
        return !over;
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public void begin() {
        if (!begun && !over) {
            begun = true;
            sink.begin(NOWHERE);
        }
    }

    @Override
    public void send(String line) {
        begin();
        if (!over) {
            sink.send(NOWHERE, line, false);
        }
    }

    @Override
    public void finish(Message message) {
        Message answer = results.passed(method, message);
        if (!begun
                && answer instanceof Message.Failure failure
                && failure.code() == RpcError.MISSING_CAPABILITY.code()) {
            // MCP wants the HTTP status to say it too, whoever it was that found it out.
            refuse(Sink.Fault.MALFORMED, failure);
        } else {
            last(answer);
        }
    }

    /** Sends an answer of our own making. */
    void settle(Message message) {
        last(results.own(method, message));
    }

    private void last(Message message) {
        if (!over) {
            over = true;
            sink.send(NOWHERE, message.line(), true);
        }
    }

    /** Refuses the request, where nothing was sent yet. */
    void refuse(Sink.Fault fault, Message.Failure failure) {
        if (!over) {
            over = true;
            sink.refuse(fault, failure.line());
        }
    }

    @Override
    public void end() {
        if (!over) {
            over = true;
            sink.end();
        }
    }
}
