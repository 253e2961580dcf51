package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A topic for tests, with its members, its clock and a ledger that is a list. {@code agent} and {@code rival} propose;
 * {@code alice} may do anything; {@code bob} may write files; {@code dan} may write below /tmp, and not reject; {@code
 * carol} may only reject and report; {@code files} answers. In JSON, single quotes stand for double ones.
 */
final class Room {
    static final Instant START = Instant.parse("2026-01-05T10:00:00Z");
    static final ProposalRules RULES = new ProposalRules(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofMinutes(10), ProposalRules.Rejection.VETO, false);
    static final String WRITE = "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':'/etc/x'}}}";
    static final String WRITE_TMP =
            "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':'/tmp/x'}}}";
    static final Members MEMBERS = members();

    private static final EnvelopeReader READER = new EnvelopeReader(Limits.DEFAULT);

    ProposalLife life;
    Instant now = START;
    final Set<String> here = new LinkedHashSet<>(List.of("agent", "rival", "alice", "bob", "carol", "dan", "files"));
    final Map<String, Instant> left = new HashMap<>();
    final Map<String, Proposal> proposals = new LinkedHashMap<>();
    final List<Entry> ledger = new ArrayList<>();
    private int ids;

    Room() {
        this(RULES);
    }

    Room(ProposalRules rules) {
        life = new ProposalLife(rules, MEMBERS);
    }

    private static Members members() {
        Map<String, Capabilities> members = new LinkedHashMap<>();
        members.put("agent", can("['mcp.proposal.*','mcpx.*']"));
        members.put("rival", can("['mcp.proposal.*','mcpx.withdraw.proposal']"));
        members.put("alice", can("['mcp.request.*','mcpx.*']"));
        members.put("bob", can("['mcp.request.tools/call:write_file','mcpx.reject.proposal','mcpx.status.proposal']"));
        members.put("carol", can("['mcpx.reject.proposal','mcpx.status.proposal']"));
        members.put(
                "dan", can("[{'kind':'mcp.request.tools/call','payload':{'params':{'arguments':{'path':'/tmp/*'}}}}]"));
        members.put("files", can("['mcp.response.*']"));
        return new Members(members);
    }

    static Capabilities can(String json) {
        return Capabilities.fromJson(bytes(json)).orThrow();
    }

    static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    Presence presence() {
        return new Presence(here, left);
    }

    void leave(String... who) {
        for (String each : who) {
            if (here.remove(each)) {
                left.put(each, now);
            }
        }
    }

    void come(String... who) {
        here.addAll(Arrays.asList(who));
        Arrays.asList(who).forEach(left::remove);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /** An envelope's arrival; {@code to} and {@code about} are JSON, empty for none. */
    Arrival arrival(String id, String from, String kind, String payload, String to, String about) {
        String text = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'" + kind + "','payload':" + payload
                + (to.isEmpty() ? "" : ",'to':" + to) + (about.isEmpty() ? "" : ",'correlationId':" + about) + "}";
        return switch (READER.read(bytes(text))) {
            case Envelope envelope -> new Arrival(envelope, from, envelope.to(), now);
            case Refusal refusal -> throw new AssertionError(refusal.message() + " " + text);
        };
    }

    String nextId() {
        return "e-" + ++ids;
    }

    /** Proposes to write a file outside /tmp, which alice and bob could fulfil. */
    Proposal proposed(String... to) {
        String id = nextId();
        propose(id, WRITE, to);
        return proposal(id);
    }

    Ruling propose(String id, String payload, String... to) {
        return done(life.propose(
                arrival(id, "agent", "mcp.proposal.tools/call", payload, to.length == 0 ? "" : array(to), ""),
                presence()));
    }

    Ruling fulfil(String by, String proposal, String... to) {
        return request(by, proposal, "mcp.request.tools/call", WRITE, to);
    }

    Ruling request(String by, String proposal, String kind, String payload, String... to) {
        return done(life.fulfil(
                arrival(nextId(), by, kind, payload, to.length == 0 ? "" : array(to), "'" + proposal + "'"),
                Optional.ofNullable(proposals.get(proposal)),
                presence()));
    }

    Ruling answer(String by, String proposal, String payload) {
        Proposal about = proposal(proposal);
        Fulfilment call = about.fulfilment();
        if (call == null) {
            throw new AssertionError("not fulfilled");
        }
        String request = call.request().sent().id();
        return done(life.answer(
                arrival(nextId(), by, "mcp.response.tools/call", payload, "['alice']", "'" + request + "'"), about));
    }

    Ruling reject(String by, String reason, String... ids) {
        return remark(by, "reject", "{'reason':'" + reason + "'}", ids);
    }

    Ruling withdraw(String by, String... ids) {
        return remark(by, "withdraw", "{}", ids);
    }

    Ruling remark(String by, String what, String payload, String... ids) {
        return done(life.remark(
                arrival(nextId(), by, "mcpx." + what + ".proposal", payload, "", array(ids)),
                id -> Optional.ofNullable(proposals.get(id))));
    }

    Ruling carryOut(String id) {
        return done(life.carryOut(proposal(id), now));
    }

    Ruling attend(String id) {
        return done(life.attend(proposal(id), circle(id), presence(), now));
    }

    Optional<Instant> attendAt(String id) {
        return life.attendAt(proposal(id), circle(id), presence());
    }

    Circle circle(String id) {
        return life.circle(proposal(id));
    }

    ProposalGuide guide(String id, String reader) {
        return new ProposalGuide(proposal(id), circle(id), MEMBERS, presence(), whoever -> false, reader, now);
    }

    Proposal proposal(String id) {
        Proposal proposal = proposals.get(id);
        if (proposal == null) {
            throw new AssertionError("no proposal " + id);
        }
        return proposal;
    }

    /** Appends what a ruling says, as a ledger would. */
    Ruling done(Ruling ruling) {
        if (ruling instanceof Ruling.Taken taken) {
            for (Entry entry : taken.entries()) {
                ledger.add(entry);
                proposals.compute(
                        entry.subject(),
                        (id, before) -> before == null
                                ? Proposal.of(List.of(new Step(now, entry.event())))
                                : before.then(new Step(now, entry.event())));
            }
        }
        return ruling;
    }

    static String array(String... texts) {
        return Arrays.stream(texts).map(each -> "'" + each + "'").collect(Collectors.joining(",", "[", "]"));
    }

    static Ruling.Taken taken(Ruling ruling) {
        if (ruling instanceof Ruling.Taken taken) {
            return taken;
        }
        throw new AssertionError("not taken: " + ruling);
    }

    static Fault declined(Ruling ruling) {
        if (ruling instanceof Ruling.Declined(List<Fault> faults) && faults.size() == 1) {
            return faults.getFirst();
        }
        throw new AssertionError("not declined: " + ruling);
    }

    static Route route(Ruling ruling) {
        return taken(ruling).route().orElseThrow();
    }

    static List<String> types(Ruling ruling) {
        return taken(ruling).entries().stream().map(Entry::type).toList();
    }
}
