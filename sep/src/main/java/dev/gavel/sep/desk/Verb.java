package dev.gavel.sep.desk;

import static dev.gavel.sep.desk.Param.number;
import static dev.gavel.sep.desk.Param.text;
import static dev.gavel.sep.desk.Param.texts;
import static dev.gavel.sep.desk.Param.truth;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Everything that can be asked of the desk. Command line, HTTP and MCP tools have the same, with the same rights. */
public enum Verb {
    SUBMIT("Submits a new proposal.", document(), file()),
    EDIT(
            "Replaces a proposal's document.",
            seen(),
            document(),
            file(),
            text("base", "the hash of the document it was made from, to be refused where that is another by now")
                    .optional()),
    LIST(
            "Lists proposals, the newest first.",
            text("state", "only those in this state").optional(),
            text("author", "only those of this author").optional(),
            text("sponsor", "only those with this sponsor").optional(),
            text("type", "only those of this type").optional(),
            text("text", "only those with these words in the title, or this number")
                    .optional(),
            truth("open", "only those somebody must act on, or only the others").optional(),
            truth("counts", "whether also to say how many there are in each state, whatever else is asked")
                    .optional(),
            text("cursor", "where an earlier page ended").optional(),
            limit()),
    SHOW("Shows a proposal: what it is, how it stands, its evidence and votes.", seen()),
    NEXT("Says how a proposal stands, who must act, and what the reader should do next.", seen()),
    EXPLAIN(
            "Says what it would take to move a proposal, without trying.",
            seen(),
            text("to", "the state to move it to; every move from here where none is named")
                    .optional()),
    INBOX("Lists the proposals whose next move is the caller's, those that wait longest first.", limit()),
    TRIAGE("Lists the proposals that wait for a sponsor, those unreviewed longest first.", limit()),
    MAINTAINERS("Lists who can sponsor or decide, and how much each has to do."),
    ASK(
            "Asks somebody to look at a proposal.",
            seen(),
            text("whom", "who is asked"),
            text("question", "what they are asked").optional()),
    SPONSOR("Sponsors a proposal.", seen()),
    STEP_DOWN("Gives up sponsoring a proposal, or another role in it.", seen(), role()),
    MOVE(
            "Moves a proposal to another state.",
            seen(),
            text("to", "the state to move it to"),
            evidence().optional(),
            reason().optional(),
            text("revisit", "when to look at it again, as 2027-01-31").optional(),
            text("trigger", "what would have it looked at again").optional()),
    COMMENT("Says something about a proposal.", seen(), text("text", "what to say")),
    ATTACH("Attaches evidence to a proposal, for the moves that need it.", seen(), evidence()),
    VOTE(
            "Votes on a proposal.",
            seen(),
            text("ballot", "yes, no, abstain or concern"),
            text("reason", "why; a concern needs one").optional()),
    HOLD("Parks the decision on a proposal; votes stay.", seen(), reason()),
    RELEASE("Takes a parked decision up again.", seen(), reason().optional()),
    WITHDRAW("Withdraws a proposal.", seen(), reason()),
    SUPERSEDE(
            "Has another proposal take the place of one.",
            seen(),
            number("by", "the number of the proposal that takes its place"),
            reason().optional()),
    TRANSFER(
            "Hands a proposal on to another author.",
            seen(),
            text("to", "whose it is from now on"),
            truth("leave", "whether whoever hands it on is no author any more").optional(),
            role()),
    SIMILAR(
            "Finds proposals like one, or like a text.",
            number("number", "the proposal's number").optional(),
            text("text", "a text, where it is no proposal yet").optional(),
            limit()),
    HISTORY("Lists all that happened to a proposal, the earliest first.", seen()),
    STATS("Gives figures of the whole process: time in each state, throughput, first response, load, what is stuck."),
    SWEEP(
            "Does what clocks say is due: reminds, escalates, moves.",
            truth("dryRun", "whether only to say what would be done").optional(),
            text("asOf", "the day to do it as of, as 2027-01-31").optional()),
    IMPORT("Takes in a document with the number and status it has.", document(), file()),
    EXPORT("Gives a proposal's document, with the status it has here.", seen()),
    LINT(
            "Says what is wrong with a document, where, and how to mend it.",
            document(),
            file(),
            number("number", "the proposal it is to be, where it is one already")
                    .optional());

    /** Those MCP clients are offered. */
    private static final List<Verb> TOOLS =
            List.of(LIST, SHOW, NEXT, EXPLAIN, INBOX, SUBMIT, COMMENT, MOVE, VOTE, SIMILAR, LINT);

    private final String says;

    @SuppressWarnings("ImmutableEnumChecker") // a list of records that nobody changes
    private final List<Param> params;

    Verb(String says, Param... params) {
        this.says = says;
        this.params = List.of(params);
    }

    private static Param seen() {
        return number("number", "the proposal's number");
    }

    private static Param document() {
        return text("document", "the whole document, in Markdown");
    }

    private static Param file() {
        return text("file", "the file's name, to name places in it by").optional();
    }

    private static Param limit() {
        return number("limit", "how many at most").optional();
    }

    private static Param evidence() {
        return texts("evidence", "evidence by its kind, such as a link for 'prototype'");
    }

    private static Param reason() {
        return text("reason", "why");
    }

    private static Param role() {
        return text("role", "which role, where it is not the usual one").optional();
    }

    /** What it is called on the command line and in paths. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it does, in a sentence. */
    public String says() {
        return says;
    }

    public List<Param> params() {
        return params;
    }

    /** Whether it may change anything. */
    public boolean changes() {
        return switch (this) {
            case LIST, SHOW, NEXT, EXPLAIN, INBOX, TRIAGE, MAINTAINERS, SIMILAR, HISTORY, STATS, EXPORT, LINT -> false;
            case SUBMIT,
                    EDIT,
                    ASK,
                    SPONSOR,
                    STEP_DOWN,
                    MOVE,
                    COMMENT,
                    ATTACH,
                    VOTE,
                    HOLD,
                    RELEASE,
                    WITHDRAW,
                    SUPERSEDE,
                    TRANSFER,
                    SWEEP,
                    IMPORT -> true;
        };
    }

    /** What MCP clients call it, where they are offered it. */
    public Optional<String> tool() {
        return TOOLS.contains(this) ? Optional.of("sep_" + name().toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /** The schema of what it takes. */
    public Json schema() {
        return Json.write(json -> {
            json.writeStartObject().writeStringProperty("type", "object").writeObjectPropertyStart("properties");
            for (Param param : params) {
                json.writeObjectPropertyStart(param.name())
                        .writeStringProperty("type", param.type().word())
                        .writeStringProperty("description", param.says())
                        .writeEndObject();
            }
            json.writeEndObject().writeArrayPropertyStart("required");
            params.stream().filter(Param::required).forEach(param -> json.writeString(param.name()));
            json.writeEndArray()
                    .writeBooleanProperty("additionalProperties", false)
                    .writeEndObject();
        });
    }

    /** What keeps arguments from being this verb's; nothing where they are. */
    Optional<String> trouble(Json arguments) {
        if (arguments.type() != Json.Type.OBJECT) {
            return Optional.of("the arguments of '" + word() + "' are an object");
        }
        for (Param param : params) {
            Json value = arguments.at(param.name());
            if (param.required() && !value.there()) {
                return Optional.of("'" + word() + "' needs '" + param.name() + "': " + param.says());
            }
            if (value.there() && !param.type().fits(value)) {
                return Optional.of("'" + param.name() + "' must be of the type "
                        + param.type().word() + ": " + param.says());
            }
        }
        return arguments.members().keySet().stream()
                .filter(name -> params.stream().noneMatch(param -> param.name().equals(name)))
                .findFirst()
                .map(name -> "'" + word() + "' takes no '" + name + "'; it takes "
                        + String.join(", ", params.stream().map(Param::name).toList()));
    }
}
