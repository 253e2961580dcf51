package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.call.Call;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Progress;
import dev.gavel.mcp.facade.call.Reply;
import dev.gavel.mcp.rpc.Message;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A question that we ask for a client which does not see its answer. Confined to the topic's loop. */
final class Aside implements Client, Reply {
    private final String id;
    private final Consumer<Boolean> then;
    private @Nullable Call call;
    private boolean over;

    /**
     * A question yet to be asked.
     *
     * @param then told once whether it was granted
     */
    Aside(String id, Consumer<Boolean> then) {
        this.id = id;
        this.then = then;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Reply out() {
        return this;
    }

    @Override
    public @Nullable Progress progress() {
        return null;
    }

    @Override
    public void placed(Call placed) {
        call = placed;
    }

    /** Nobody wants to know any more. */
    void drop() {
        if (!over && call != null) {
            call.cancel("whoever asked for it has gone");
        }
    }

    @Override
    public void settle(Message answer) {
        finish(answer);
    }

    @Override
    public void done(Call call) {}

    @Override
    public boolean read() {
        return !over;
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public void begin() {}

    @Override
    public void send(String line) {}

    @Override
    public void finish(Message message) {
        if (!over) {
            over = true;
            then.accept(message instanceof Message.Response);
        }
    }

    @Override
    public void end() {
        if (!over) {
            over = true;
            then.accept(false);
        }
    }
}
