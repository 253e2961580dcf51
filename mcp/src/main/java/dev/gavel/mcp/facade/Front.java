package dev.gavel.mcp.facade;

import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.facade.call.Orphans;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.facade.legacy.Sessions;
import dev.gavel.mcp.facade.modern.Requests;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One topic's side to MCP clients, of the versions with sessions and of those without. Confined to the topic's loop. */
final class Front {
    private final Room room;
    private final Sessions sessions;
    private final Requests requests;
    private @Nullable Orphans orphans;

    Front(Room room, Optional<Duration> kept, String program) {
        Desk desk = new Desk(room);
        Introduction introduction =
                new Introduction(room.topic().name(), program, room.records().isPresent());
        this.room = room;
        this.sessions = new Sessions(desk, introduction);
        this.requests = new Requests(desk, introduction, kept);
    }

    Room room() {
        return room;
    }

    Sessions sessions() {
        return sessions;
    }

    Requests requests() {
        return requests;
    }

    void changed(String member) {
        sessions.tellOne(member);
        requests.tellOne(member);
    }

    void changed(Listed what) {
        sessions.tellAll(what.changed());
        requests.tellAll(what.changed());
    }

    void expelled(String member) {
        sessions.expelled(member);
        requests.expelled(member);
    }

    /** Has orphans looked after from now on. */
    void adopt(Orphans those) {
        orphans = those;
        those.begin();
    }

    /** The process is about to end. */
    void drain() {
        room.drain();
        sessions.drain();
        requests.drain();
    }

    void happened(Change change) {
        room.happened(change);
        if (orphans != null && change.step().event() instanceof Proposed) {
            orphans.proposed(change.after().id());
        }
        requests.happened(change);
    }

    void heard(String from, Envelope envelope) {
        room.heard(from, envelope);
        String method = envelope.kind().method();
        if (envelope.rule() != KindRule.REQUEST || method == null) {
            return;
        }
        switch (method) {
            case "notifications/message" -> {
                // Only who offers something is taken for a server.
                if (room.directory().offers(room.topic()).of(from).isPresent()) {
                    Severity level = Severity.of(text(envelope, "level")).orElse(Severity.INFO);
                    String line = line(envelope);
                    sessions.logged(from, envelope.to(), level, line);
                    requests.logged(from, envelope.to(), level, line);
                }
            }
            case "notifications/resources/updated" -> {
                String uri = text(envelope, "uri");
                if (room.directory()
                        .offers(room.topic().name(), from, new Kind("mcp", "request", "resources/read", uri))) {
                    sessions.updated(envelope.to(), uri, line(envelope));
                    requests.updated(envelope.to(), uri);
                }
            }
            default -> {}
        }
    }

    private static String line(Envelope envelope) {
        return envelope.payload().toString().replace('\n', ' ').replace('\r', ' ');
    }

    private static String text(Envelope envelope, String name) {
        return RawJson.at(envelope.payload().toString(), "params", name)
                .flatMap(Json::parse)
                .map(Json::text)
                .orElse("");
    }
}
