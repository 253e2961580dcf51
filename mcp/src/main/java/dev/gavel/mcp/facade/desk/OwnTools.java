package dev.gavel.mcp.facade.desk;

import dev.gavel.gateway.Approved;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Failures;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The tools that every topic offers of its own: to see and withdraw what one has proposed, and to see and decide what others
 * have. Confined to the topic's loop; answers come on any thread.
 */
final class OwnTools {
    static final Set<String> NAMES =
            Set.of("gavel_status", "gavel_withdraw", "gavel_pending", "gavel_approve", "gavel_reject");

    private static final Kind CALL = Kind.of("mcp.request.tools/call");
    private static final Kind REJECT = Kind.of("mcpx.reject.proposal");
    private static final int MOST_SHOWN = 20;
    private static final int MOST_PENDING = 50;

    /** Characters of one proposal's arguments in a line of text. */
    private static final int MOST_IN_LINE = 300;

    /** Characters of an answer, about: a client's model has to read them. */
    private static final int MOST_CHARACTERS = 256 << 10;

    private static final String PROPOSAL = """
            "proposal":{"type":"string","description":"The proposal's id"}""";

    private static final Json STATUS = tool(
            "gavel_status",
            "How my own proposed calls stand: waiting, approved, rejected, done. Without an id: the latest ones.",
            "\"properties\":{" + PROPOSAL + "}",
            "\"readOnlyHint\":true");
    private static final Json WITHDRAW = tool(
            "gavel_withdraw",
            "Take back a call that I proposed and that nobody has approved yet.",
            "\"properties\":{" + PROPOSAL
                    + ",\"reason\":{\"type\":\"string\",\"description\":\"Why, for the others\"}},"
                    + "\"required\":[\"proposal\"]",
            "\"destructiveHint\":false");
    private static final Json PENDING = tool(
            "gavel_pending",
            "The proposals of others that wait for a decision I could make, with their arguments, oldest first. What is"
                    + " too long is left out and says so; its arguments are to be seen in the inbox.",
            "\"properties\":{}",
            "\"readOnlyHint\":true");
    private static final Json APPROVE = tool(
            "gavel_approve",
            "Approve a proposed call: it is then made, with the arguments proposed or with others given here.",
            "\"properties\":{" + PROPOSAL
                    + ",\"arguments\":{\"type\":\"object\",\"description\":\"Other arguments, all of them; leave out to"
                    + " approve it as proposed\"},\"to\":{\"type\":\"string\",\"description\":\"Who is to run it, where"
                    + " several could\"}},\"required\":[\"proposal\"]",
            "\"destructiveHint\":true");
    private static final Json REFUSE = tool(
            "gavel_reject",
            "Reject a proposed call: it is not made, and whoever proposed it is told why.",
            "\"properties\":{" + PROPOSAL
                    + ",\"reason\":{\"type\":\"string\",\"description\":\"policy, unsafe, disagree, inappropriate,"
                    + " duplicate, invalid; busy, incapable, resource_limit speak for me alone; or own words\"},"
                    + "\"note\":{\"type\":\"string\",\"description\":\"More about why\"}},"
                    + "\"required\":[\"proposal\",\"reason\"]",
            "\"destructiveHint\":false");

    private final Room room;

    OwnTools(Room room) {
        this.room = room;
    }

    private static Json tool(String name, String description, String schema, String hints) {
        return Json.parse("{\"name\":\"" + name + "\",\"description\":\"" + description
                        + "\",\"inputSchema\":{\"type\":\"object\"," + schema + "},\"annotations\":{" + hints
                        + ",\"openWorldHint\":false}}")
                .orElseThrow();
    }

    /** Those that are of use to a caller. */
    List<Json> list(Caller caller) {
        return Stream.of(STATUS, WITHDRAW, PENDING, APPROVE, REFUSE)
                .filter(tool -> offers(caller, tool.at("name").text()))
                .toList();
    }

    /** Whether a caller has one of that name. Where nothing is kept there are no proposals, and none of these. */
    boolean offers(Caller caller, String name) {
        if (!caller.ledger()) {
            return false;
        }
        boolean calls = caller.mayEverCall(CALL);
        boolean rejects = caller.member().capabilities().admitsKind(REJECT);
        return switch (name) {
            case "gavel_status", "gavel_withdraw" -> true;
            case "gavel_pending" -> calls || rejects;
            case "gavel_approve" -> calls;
            case "gavel_reject" -> rejects;
            default -> false;
        };
    }

    /** What one of them answers: the result of the tool. */
    CompletionStage<Json> call(Caller caller, String name, Json arguments) {
        Optional<Records> records = room.records();
        Optional<String> proposal = arguments.at("proposal").ifText();
        if (records.isEmpty()) {
            return said("Nothing is kept of proposals in this topic.", true);
        }
        if (proposal.isEmpty()
                && Set.of("gavel_withdraw", "gavel_approve", "gavel_reject").contains(name)) {
            return said("'proposal' must say which proposal is meant, by its id.", true);
        }
        return switch (name) {
            case "gavel_status" ->
                proposal.isPresent()
                        ? records.get().view(caller.member(), proposal.get()).thenApply(found -> status(caller, found))
                        : records.get()
                                .list(
                                        caller.member(),
                                        Optional.empty(),
                                        Optional.of(caller.id()),
                                        Optional.empty(),
                                        MOST_SHOWN)
                                .thenApply(found -> shown(
                                        found.map(Listing::proposals).orElse(List.of()), "You have proposed nothing."));
            case "gavel_pending" ->
                records.get()
                        .waitingOn(caller.member(), MOST_PENDING)
                        .thenApply(found -> shown(found, "Nothing waits for your decision."));
            case "gavel_withdraw" -> withdraw(caller, proposal.orElseThrow(), arguments);
            case "gavel_approve" -> approve(caller, proposal.orElseThrow(), arguments);
            case "gavel_reject" -> reject(caller, proposal.orElseThrow(), arguments);
            default -> throw new IllegalArgumentException("there is no tool '" + name + "' here");
        };
    }

    private static Json status(Caller caller, Optional<ProposalView> found) {
        return found.filter(view -> view.from().equals(caller.id()))
                .map(view -> shown(List.of(view), ""))
                .orElseGet(() -> text("You have made no proposal with that id.", true));
    }

    /** Proposals in words and for programs: as many, and as much of their arguments, as can be borne. */
    static Json shown(List<ProposalView> views, String nothing) {
        List<String> lines = new ArrayList<>();
        List<Json> whole = new ArrayList<>();
        long room = MOST_CHARACTERS;
        for (ProposalView view : views) {
            Json params = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params");
            String line = line(view, params);
            String written = params.there() ? params.raw() : Answers.NOTHING;
            Json bare = described(view, Optional.empty());
            room -= line.length() + bare.raw().length();
            if (room < 0) {
                lines.add("And " + (views.size() - whole.size()) + " more, too many to show at once.");
                break;
            }
            boolean fits = written.length() <= room;
            room -= fits ? written.length() : 0;
            lines.add(line);
            whole.add(fits ? described(view, Optional.of(written)) : bare);
        }
        return Answers.text(views.isEmpty() ? nothing : String.join("\n", lines), false, json -> {
            json.writeObjectPropertyStart("structuredContent");
            json.writeArrayPropertyStart("proposals");
            whole.forEach(each -> json.writeRawValue(each.raw()));
            json.writeEndArray();
            if (whole.size() < views.size()) {
                json.writeBooleanProperty("truncated", true);
            }
            json.writeEndObject();
        });
    }

    private static String line(ProposalView view, Json params) {
        Json arguments = params.at("arguments");
        return view.id() + " (" + view.state().word() + ") " + called(view) + " "
                + (arguments.there() ? cut(arguments.compact()) : "") + " from " + view.from() + ": "
                + view.guidance().status();
    }

    private static String cut(String words) {
        if (words.length() <= MOST_IN_LINE) {
            return words;
        }
        int end = Character.isHighSurrogate(words.charAt(MOST_IN_LINE - 1)) ? MOST_IN_LINE - 1 : MOST_IN_LINE;
        return words.substring(0, end) + "… (" + (words.length() - end) + " more characters)";
    }

    private static String called(ProposalView view) {
        Kind kind = view.kind();
        return kind.context() == null ? String.valueOf(kind.method()) : kind.context();
    }

    private static Json described(ProposalView view, Optional<String> params) {
        return Answers.object(json -> {
            json.writeStringProperty("id", view.id());
            json.writeStringProperty("from", view.from());
            json.writeStringProperty("method", view.kind().method());
            params.ifPresentOrElse(
                    written -> {
                        json.writeName("params");
                        json.writeRawValue(written);
                    },
                    () -> json.writeBooleanProperty("truncated", true));
            json.writeStringProperty("state", view.state().word());
            view.outcome().ifPresent(outcome -> json.writeStringProperty("outcome", outcome.word()));
            json.writeStringProperty("status", view.guidance().status());
            json.writeStringProperty("next", view.guidance().nextStep());
            json.writeStringProperty("expiresAt", view.expiresAt().toString());
        });
    }

    private CompletionStage<Json> withdraw(Caller caller, String proposal, Json arguments) {
        Map<String, String> payload = new LinkedHashMap<>();
        arguments.at("reason").ifText().ifPresent(reason -> payload.put("reason", reason));
        return room.dispatch(
                        caller.only("mcpx.withdraw.proposal"),
                        Drafts.remark(room.id('x'), "withdraw", List.of(proposal), payload))
                .thenApply(posted -> posted(posted, "Withdrawn: " + proposal + "."));
    }

    private CompletionStage<Json> reject(Caller caller, String proposal, Json arguments) {
        Optional<String> reason = arguments.at("reason").ifText();
        return reason.isEmpty()
                ? said("'reason' must say why, in a word or in a sentence.", true)
                : room.decisions()
                        .reject(
                                room.topic(),
                                caller.member(),
                                proposal,
                                reason.get(),
                                arguments.at("note").ifText())
                        .thenApply(posted -> posted(posted, "Rejected: " + proposal + "."));
    }

    private CompletionStage<Json> approve(Caller caller, String proposal, Json arguments) {
        Json others = arguments.at("arguments");
        return room.decisions()
                .approve(
                        room.topic(),
                        caller.member(),
                        proposal,
                        others.there() ? Optional.of(others) : Optional.empty(),
                        arguments.at("to").ifText())
                .thenApply(approved -> switch (approved) {
                    case Approved.Sent(String request, String runner) ->
                        text("Approved: " + proposal + ", run by " + runner + " as " + request + ".", false);
                    case Approved.Unclear(List<String> couldRun) ->
                        text(
                                couldRun.isEmpty()
                                        ? "Nobody who could run it is here now; wait until somebody is."
                                        : "Say who is to run it with 'to': " + String.join(" or ", couldRun) + ".",
                                true);
                    case Approved.Refused(var failures) -> text(Failures.words(failures), true);
                    case Approved.Unfit(String why) -> text(why, true);
                    case Approved.Unknown() -> text("There is no proposal with that id.", true);
                });
    }

    private static Json posted(Posted posted, String words) {
        return switch (posted) {
            case Posted.Taken _ -> text(words, false);
            case Posted.Refused(var failures) -> text(Failures.words(failures), true);
        };
    }

    private static CompletionStage<Json> said(String words, boolean isError) {
        return CompletableFuture.completedStage(text(words, isError));
    }

    private static Json text(String words, boolean isError) {
        return Answers.text(words, isError, json -> {});
    }
}
