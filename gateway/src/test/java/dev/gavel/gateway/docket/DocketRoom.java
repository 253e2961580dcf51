package dev.gavel.gateway.docket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.Arrival;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.Presence;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Spelling;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A docket on a real ledger, where time is set by hand: {@code agent} proposes, {@code alice} and {@code bob} decide,
 * {@code files} answers. It remembers what there was to send. In JSON, single quotes stand for double ones.
 */
public final class DocketRoom implements AutoCloseable {
    static final String WRITE = "{'method':'tools/call','params':{'name':'write','arguments':{'path':'x'}}}";
    private static final EnvelopeReader READER = new EnvelopeReader(Limits.DEFAULT);
    private static final ProposalRules RULES = new ProposalRules(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofMinutes(10), ProposalRules.Rejection.VETO, false);

    Instant now = Instant.parse("2026-01-05T10:00:00Z");
    public Presence presence = Presence.of(List.of("agent", "alice", "bob", "files"));
    final List<String> sent = new ArrayList<>();
    final Map<String, Standing> standings = new LinkedHashMap<>();
    final SqliteLedger ledger;
    public final Docket docket;
    private final LedgerWriter writer;
    private int ids;

    public DocketRoom(Path directory) {
        ledger = switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger opened) -> opened;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
        writer = new LedgerWriter(ledger, () -> now, WriterOptions.DEFAULT);
        docket = new Docket("ops", new ProposalLife(RULES, members()), writer, ledger);
    }

    /** From now on this is decided by what these may send. */
    void change(String... lines) {
        Map<String, Capabilities> members = new LinkedHashMap<>();
        for (String line : lines) {
            members.put(line.split(": ", 2)[0], can(line.split(": ", 2)[1]));
        }
        docket.change(new Members(members));
    }

    private static Members members() {
        Map<String, Capabilities> members = new LinkedHashMap<>();
        members.put("agent", can("['mcp.proposal.*','mcpx.withdraw.proposal']"));
        members.put("alice", can("['mcp.request.*','mcpx.*']"));
        members.put("bob", can("['mcp.request.tools/call:write','mcpx.*']"));
        members.put("files", can("['mcp.response.*']"));
        return new Members(members);
    }

    private static Capabilities can(String json) {
        return Capabilities.fromJson(bytes(json)).orThrow();
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    static String json(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).replace('"', '\'');
    }

    public String propose(String... to) {
        String id = "p-" + ++ids;
        take(id, "agent", "mcp.proposal.tools/call:write", WRITE, List.of(to), List.of());
        return id;
    }

    Decision fulfil(String by, String proposal) {
        return take("f-" + ++ids, by, "mcp.request.tools/call:write", WRITE, List.of("files"), List.of(proposal));
    }

    Decision answer(String request) {
        return take(
                "a-" + ++ids, "files", "mcp.response.tools/call:write", "{'result':{}}", List.of(), List.of(request));
    }

    public Decision remark(String by, String what, String payload, List<String> about) {
        return take("r-" + ++ids, by, "mcpx." + what + ".proposal", payload, List.of(), about);
    }

    Decision take(String id, String from, String kind, String payload, List<String> to, List<String> about) {
        String text = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'" + kind + "','to':" + array(to)
                + (about.isEmpty()
                        ? ""
                        : ",'correlationId':" + (about.size() == 1 ? "'" + about.getFirst() + "'" : array(about)))
                + ",'payload':" + payload + "}";
        if (!(READER.read(bytes(text)) instanceof Envelope envelope)) {
            throw new AssertionError(text);
        }
        return done(then -> docket.take(new Arrival(envelope, from, to, now), presence, then));
    }

    private static String array(Collection<String> texts) {
        return "["
                + String.join(",", texts.stream().map(text -> "'" + text + "'").toList()) + "]";
    }

    Decision carryOut() {
        return done(then -> docket.carryOut(standings.values(), then));
    }

    public Decision attend() {
        return done(then -> docket.attend(standings.values(), presence, then));
    }

    /** How a proposal stood last. */
    Standing standing(String id) {
        return Objects.requireNonNull(standings.get(id));
    }

    Decision canvass() {
        return done(then -> docket.canvass(List.copyOf(standings.values()), presence, then));
    }

    private Decision done(Consumer<Consumer<Decision>> asking) {
        CompletableFuture<Decision> coming = new CompletableFuture<>();
        asking.accept(coming::complete);
        Decision decision = coming.join();
        if (decision instanceof Decision.Made made) {
            made.messages().forEach(message -> sent.add(text(message)));
            made.standings().forEach(this::note);
        }
        return decision;
    }

    private void note(Standing standing) {
        if (standing.settled()) {
            standings.remove(standing.id());
        } else {
            standings.put(standing.id(), standing);
        }
    }

    /** What is read of it by a reader of one's own. */
    Tail tail(LedgerReader reader) {
        return new Tail(reader, "ops", () -> new ProposalLife(RULES, members()));
    }

    static String text(Message message) {
        return message.seq() + " " + json(message.encode(Spelling.CURRENT));
    }

    /** All that a replay from there on says. */
    List<String> replay(long since) {
        List<String> replayed = new ArrayList<>();
        long position = since;
        while (docket.archive().after(position) instanceof Replayed.Messages(List<Message> messages, long upTo)) {
            messages.forEach(message -> replayed.add(text(message)));
            if (upTo == position) {
                return replayed;
            }
            position = upTo;
        }
        throw new AssertionError("asked to resync");
    }

    Decision.Declined declined(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Declined.class);
        return (Decision.Declined) decision;
    }

    @Override
    public void close() {
        writer.close();
        ledger.close();
    }
}
