package dev.gavel.sep.service;

import static dev.gavel.sep.service.SepParameter.flag;
import static dev.gavel.sep.service.SepParameter.number;
import static dev.gavel.sep.service.SepParameter.text;
import static dev.gavel.sep.service.SepParameter.texts;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The operations of the SEP service and their parameters, which the command line, the HTTP API and the MCP tools all
 * offer. The same rights apply to each of these interfaces.
 */
public enum SepOperation {
    SUBMIT("Submits a new proposal.", document(), file()),
    EDIT(
            "Replaces a proposal's document.",
            sepNumber(),
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
            flag("open", "only those somebody must act on, or only the others").optional(),
            flag("counts", "whether also to say how many there are in each state, whatever else is asked")
                    .optional(),
            text("cursor", "where an earlier page ended").optional(),
            limit()),
    SHOW("Shows a proposal: what it is, how it stands, its evidence and votes.", sepNumber()),
    NEXT("Says how a proposal stands, who must act, and what the reader should do next.", sepNumber()),
    EXPLAIN(
            "Says what it would take to move a proposal, without trying.",
            sepNumber(),
            text("to", "the state to move it to; every move from here where none is named")
                    .optional()),
    INBOX("Lists the proposals whose next move is the caller's, those that wait longest first.", limit()),
    TRIAGE("Lists the proposals that wait for a sponsor, those unreviewed longest first.", limit()),
    MAINTAINERS("Lists who can sponsor or decide, and how much each has to do."),
    ASK(
            "Asks somebody to look at a proposal.",
            sepNumber(),
            text("whom", "who is asked"),
            text("question", "what they are asked").optional()),
    SPONSOR("Sponsors a proposal.", sepNumber()),
    STEP_DOWN("Gives up sponsoring a proposal, or another role in it.", sepNumber(), role()),
    MOVE(
            "Moves a proposal to another state.",
            sepNumber(),
            text("to", "the state to move it to"),
            evidence().optional(),
            reason().optional(),
            text("revisit", "when to look at it again, as 2027-01-31").optional(),
            text("trigger", "what would have it looked at again").optional()),
    COMMENT("Says something about a proposal.", sepNumber(), text("text", "what to say")),
    ATTACH("Attaches evidence to a proposal, for the moves that need it.", sepNumber(), evidence()),
    VOTE(
            "Votes on a proposal.",
            sepNumber(),
            text("ballot", "yes, no, abstain or concern"),
            text("reason", "why; a concern needs one").optional()),
    HOLD("Parks the decision on a proposal; votes stay.", sepNumber(), reason()),
    RELEASE("Takes a parked decision up again.", sepNumber(), reason().optional()),
    WITHDRAW("Withdraws a proposal.", sepNumber(), reason()),
    SUPERSEDE(
            "Has another proposal take the place of one.",
            sepNumber(),
            number("by", "the number of the proposal that takes its place"),
            reason().optional()),
    TRANSFER(
            "Hands a proposal on to another author.",
            sepNumber(),
            text("to", "whose it is from now on"),
            flag("leave", "whether whoever hands it on is no author any more").optional(),
            role()),
    SIMILAR(
            "Finds proposals like one, or like a text.",
            number("number", "the proposal's number").optional(),
            text("text", "a text, where it is no proposal yet").optional(),
            limit()),
    HISTORY("Lists all that happened to a proposal, the earliest first.", sepNumber()),
    STATS("Gives figures of the whole process: time in each state, throughput, first response, load, what is stuck."),
    SWEEP(
            "Does what clocks say is due: reminds, escalates, moves.",
            flag("dryRun", "whether only to say what would be done").optional(),
            text("asOf", "the day to do it as of, as 2027-01-31").optional()),
    IMPORT("Takes in a document with the number and status it has.", document(), file()),
    EXPORT("Gives a proposal's document, with the status it has here.", sepNumber()),
    LINT(
            "Says what is wrong with a document, where, and how to mend it.",
            document(),
            file(),
            number("number", "the proposal it is to be, where it is one already")
                    .optional());

    /** The operations that MCP clients are offered as tools. */
    private static final List<SepOperation> TOOLS =
            List.of(LIST, SHOW, NEXT, EXPLAIN, INBOX, SUBMIT, COMMENT, MOVE, VOTE, SIMILAR, LINT);

    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
    private final List<SepParameter> sepParameters;

    SepOperation(String says, SepParameter... sepParameters) {
        this.description = says;
        this.sepParameters = List.of(sepParameters);
    }

    private static SepParameter sepNumber() {
        return number("number", "the proposal's number");
    }

    private static SepParameter document() {
        return text("document", "the whole document, in Markdown");
    }

    private static SepParameter file() {
        return text("file", "the file's name, to name places in it by").optional();
    }

    private static SepParameter limit() {
        return number("limit", "how many at most").optional();
    }

    private static SepParameter evidence() {
        return texts("evidence", "evidence by its kind, such as a link for 'prototype'");
    }

    private static SepParameter reason() {
        return text("reason", "why");
    }

    private static SepParameter role() {
        return text("role", "which role, where it is not the usual one").optional();
    }

    /** Returns the name used on the command line and in paths. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what the operation does, in one sentence. */
    public String description() {
        return description;
    }

    public List<SepParameter> params() {
        return sepParameters;
    }

    /** Whether the operation may change data. */
    public boolean isMutating() {
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

    /** Returns the name of the MCP tool, if the operation is offered as one. */
    public Optional<String> toolName() {
        return TOOLS.contains(this) ? Optional.of("sep_" + name().toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /** Returns the JSON schema of the arguments. */
    public Json schema() {
        return Json.write(json -> {
            json.writeStartObject().writeStringProperty("type", "object").writeObjectPropertyStart("properties");
            for (SepParameter sepParameter : sepParameters) {
                json.writeObjectPropertyStart(sepParameter.name())
                        .writeStringProperty("type", sepParameter.type().schemaType())
                        .writeStringProperty("description", sepParameter.description())
                        .writeEndObject();
            }
            json.writeEndObject().writeArrayPropertyStart("required");
            sepParameters.stream()
                    .filter(SepParameter::required)
                    .forEach(sepParameter -> json.writeString(sepParameter.name()));
            json.writeEndArray()
                    .writeBooleanProperty("additionalProperties", false)
                    .writeEndObject();
        });
    }

    /** Returns why arguments are invalid for this operation; empty if they are valid. */
    Optional<String> validate(Json arguments) {
        if (arguments.type() != Json.Type.OBJECT) {
            return Optional.of("the arguments of '" + wireName() + "' are an object");
        }
        for (SepParameter sepParameter : sepParameters) {
            Json value = arguments.at(sepParameter.name());
            if (sepParameter.required() && !value.isPresent()) {
                return Optional.of(
                        "'" + wireName() + "' needs '" + sepParameter.name() + "': " + sepParameter.description());
            }
            if (value.isPresent() && !sepParameter.type().accepts(value)) {
                return Optional.of("'" + sepParameter.name() + "' must be of the type "
                        + sepParameter.type().schemaType() + ": " + sepParameter.description());
            }
        }
        return arguments.members().keySet().stream()
                .filter(name -> sepParameters.stream()
                        .noneMatch(sepParameter -> sepParameter.name().equals(name)))
                .findFirst()
                .map(name -> "'" + wireName() + "' takes no '" + name + "'; it takes "
                        + String.join(
                                ", ",
                                sepParameters.stream().map(SepParameter::name).toList()));
    }
}
