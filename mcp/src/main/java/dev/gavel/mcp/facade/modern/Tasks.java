package dev.gavel.mcp.facade.modern;

import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Words;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The Tasks extension: a proposed call is a task, kept by the ledger and by nobody else, and shown to its proposer alone.
 * Confined to the topic's loop.
 */
final class Tasks {
    /** What a task may stand for. */
    static final String CALL = "tools/call";

    private static final int LONGEST_ID = 256;

    private final Room room;
    private final Optional<Duration> kept;

    Tasks(Room room, Optional<Duration> kept) {
        this.room = room;
        this.kept = kept;
    }

    /** The task that a proposal is now. */
    Task of(ProposalView view) {
        return Task.of(view, room.now(), kept);
    }

    /** What a client is told that asks for tasks without saying that it knows them. */
    static Message.Failure unknowing(String id) {
        return RpcError.MISSING_CAPABILITY.failure(
                id,
                "Missing required client capability: declare the extension " + Meta.TASKS + " to ask for tasks.",
                Answers.object(json -> {
                    json.writeObjectPropertyStart("requiredCapabilities");
                    json.writeObjectPropertyStart("extensions");
                    json.writeObjectPropertyStart(Meta.TASKS);
                    json.writeEndObject();
                    json.writeEndObject();
                    json.writeEndObject();
                }));
    }

    /** Hands a client the task for what it wanted called. */
    void hand(Caller caller, String proposal, Client client) {
        // Who is not told its id could never ask for it.
        Runnable lost = () -> {
            room.remarks().callOff(caller, proposal, Words.UNTOLD);
            Desk.refuse(
                    client,
                    RpcError.UNAVAILABLE,
                    "The ledger cannot be read now, so the call was given up; try again.");
        };
        look(
                caller,
                proposal,
                found -> found.ifPresentOrElse(
                        view -> client.settle(Answers.result(client.id(), json -> {
                            json.writeStringProperty("resultType", "task");
                            of(view).writeState(json);
                        })),
                        lost),
                failure -> {
                    room.log("a task could not be read", failure);
                    lost.run();
                });
    }

    /** Answers how a task stands, and what came of it. */
    void get(Caller caller, String params, Client client) {
        named(
                params,
                client,
                id -> find(
                        caller, id, client, (task, view) -> client.settle(Answers.result(client.id(), task::write))));
    }

    /** Nothing here ever asks a client for more, so whatever it answers is answered to nothing; unknown answers are ignored. */
    void update(Caller caller, String params, Client client) {
        named(params, client, id -> find(caller, id, client, (task, view) -> acknowledge(client)));
    }

    /** Withdraws a proposal, or calls off what is run for it. */
    void cancel(Caller caller, String params, Client client) {
        named(
                params,
                client,
                id -> find(caller, id, client, (task, view) -> {
                    if (task.status() == Task.Status.WORKING) {
                        room.remarks().callOff(caller, id, "whoever proposed it cancelled it");
                    }
                    acknowledge(client);
                }));
    }

    private static void acknowledge(Client client) {
        client.settle(new Message.Response(client.id(), Answers.NOTHING));
    }

    private static void named(String params, Client client, Consumer<String> then) {
        RawJson.at(params, "taskId")
                .filter(raw -> raw.length() <= LONGEST_ID)
                .flatMap(Json::parse)
                .flatMap(Json::ifText)
                .ifPresentOrElse(
                        then,
                        () -> Desk.refuse(client, RpcError.INVALID_PARAMS, "'taskId' must say which task is meant."));
    }

    private void find(Caller caller, String id, Client client, BiConsumer<Task, ProposalView> then) {
        look(
                caller,
                id,
                found -> found.ifPresentOrElse(
                        view -> then.accept(of(view), view),
                        () -> Desk.refuse(client, RpcError.INVALID_PARAMS, "You have no task with that id.")),
                failure -> {
                    room.log("a task could not be read", failure);
                    Desk.refuse(client, RpcError.INTERNAL, "The ledger cannot be read now; ask again.");
                });
    }

    /** Finds the proposal behind a task of somebody's own. */
    void look(Caller caller, String id, Consumer<Optional<ProposalView>> then, Consumer<Throwable> failed) {
        room.records()
                .ifPresentOrElse(
                        records -> room.onLoop(
                                records.view(caller.member(), id),
                                found -> then.accept(
                                        found.filter(view -> view.from().equals(caller.id())
                                                && CALL.equals(view.kind().method()))),
                                failed),
                        () -> then.accept(Optional.empty()));
    }
}
