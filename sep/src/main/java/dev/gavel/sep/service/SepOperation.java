package dev.gavel.sep.service;

import static dev.gavel.sep.service.SepParameter.flag;
import static dev.gavel.sep.service.SepParameter.number;
import static dev.gavel.sep.service.SepParameter.text;
import static dev.gavel.sep.service.SepParameter.texts;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The operations of the SEP service and their parameters, which the command line, the HTTP API and the MCP tools all
 * offer. The same rights apply to each of these interfaces.
 */
public enum SepOperation {
    SUBMIT("Submit a new {proposal} (specification proposal).", document(), file()),
    EDIT(
            "Replace the document of {a proposal}.",
            sepNumber(),
            document(),
            file(),
            text("base", "the hash of the document that was edited; the request is refused if it has changed since")
                    .optional(),
            flag("editorial", "whether you declare that the edit does not change the meaning; votes then stay valid")
                    .optional()),
    LIST(
            "List {proposals}, newest first.",
            text("state", "only {proposals} in this state").optional(),
            text("author", "only {proposals} of this author").optional(),
            text("sponsor", "only {proposals} with this sponsor").optional(),
            text("type", "only {proposals} of this type").optional(),
            text("text", "only {proposals} with these words in the title, or with this number")
                    .optional(),
            flag("open", "true: only {proposals} that require an action; false: only {proposals} that do not")
                    .optional(),
            flag("counts", "whether to include the number of {proposals} in each state, regardless of the filters")
                    .optional(),
            text("cursor", "the cursor of the previous page").optional(),
            limit()),
    SHOW("Show {a proposal} with its status, evidence, votes and comments.", sepNumber()),
    NEXT("Show the status of {a proposal}, who must act, and your next step.", sepNumber()),
    EXPLAIN(
            "Show what {a proposal} needs to move to another state, without moving it.",
            sepNumber(),
            text("to", "the target state; if absent, every possible move").optional()),
    INBOX("List the {proposals} that wait for you, longest waiting first.", limit()),
    TRIAGE("List the {proposals} that wait for a sponsor, longest unanswered first.", limit()),
    MAINTAINERS("List the people who can sponsor or decide, with their workload."),
    ASK(
            "Ask a person to look at {a proposal}.",
            sepNumber(),
            text("whom", "the person to ask: a name or a handle"),
            text("question", "the question").optional()),
    SPONSOR("Become the sponsor of {a proposal}.", sepNumber()),
    STEP_DOWN("Give up the sponsorship of {a proposal}, or another role in it.", sepNumber(), role()),
    MOVE(
            "Move {a proposal} to another state.",
            sepNumber(),
            text("to", "the target state"),
            evidence().optional(),
            reason().optional(),
            documentHash(),
            text("revisit", "the date to revisit a deferred {proposal}, such as 2027-01-31")
                    .optional(),
            text("trigger", "the event that triggers a new review of a deferred {proposal}")
                    .optional()),
    COMMENT("Comment on {a proposal}.", sepNumber(), text("text", "the comment")),
    ATTACH("Attach evidence to {a proposal} for moves that require it.", sepNumber(), evidence()),
    CONFIRM(
            "Confirm evidence that another person gave, such as a recorded decision.",
            sepNumber(),
            text("kind", "the kind of evidence, such as decision"),
            text("value", "the evidence that you read; the request is refused if it is another by now")
                    .optional(),
            documentHash()),
    VOTE(
            "Vote on {a proposal}, or raise a concern.",
            sepNumber(),
            text("ballot", "yes, no, abstain, concern or recuse (you take no part in the vote)"),
            text("reason", "the reason; required for a concern").optional(),
            documentHash()),
    HOLD("Put the decision on {a proposal} on hold. Votes are preserved.", sepNumber(), reason()),
    RELEASE("Resume a decision that is on hold.", sepNumber(), reason().optional()),
    WITHDRAW("Withdraw {a proposal}.", sepNumber(), reason()),
    SUPERSEDE(
            "Mark {a proposal} as superseded by another {proposal}.",
            sepNumber(),
            number("by", "the number of the successor"),
            reason().optional()),
    TRANSFER(
            "Transfer {a proposal} to another author.",
            sepNumber(),
            text("to", "the new author: a name or a handle"),
            flag("leave", "whether you stop being an author").optional(),
            role()),
    SIMILAR(
            "Find {proposals} that are similar to {a proposal} or to a text.",
            number("number", "the number of the {proposal}").optional(),
            text("text", "a text to compare with, instead of a number").optional(),
            limit()),
    HISTORY("List the events of {a proposal}, oldest first.", sepNumber()),
    DIFF(
            "Show what changed in the document of {a proposal} since the last vote or decision.",
            sepNumber(),
            text("from", "the hash of the earlier version; by default the version that was voted on or decided")
                    .optional(),
            text("to", "the hash of the later version; by default the current document")
                    .optional()),
    STATS(
            "Show statistics of all {proposals}: time in each state, throughput, first response, workload, stuck {proposals}."),
    SWEEP(
            "Apply due deadlines: reminders, escalations, automatic moves.",
            flag("dryRun", "whether to only report what would be done").optional(),
            text("asOf", "the date to assume, such as 2027-01-31; the sweep is then a dry run")
                    .optional()),
    IMPORT(
            "Import a document with its number and status.",
            document(),
            file(),
            text("path", "the path of the document in its repository; an export gives it the same path")
                    .optional(),
            text("side", "the name of the file beside the document whose content is the front matter of 'document'")
                    .optional(),
            text("created", "when the document was added to its repository, if it does not state a date")
                    .optional(),
            text("changed", "when the document was last changed; deadlines are calculated from this time")
                    .optional(),
            flag("assign", "false: refuse a document without a number instead of assigning the next one")
                    .optional()),
    EXPORT("Export the document of {a proposal} with its current status and sponsor.", sepNumber()),
    LINT(
            "Check a document and report problems with fixes.",
            document(),
            file(),
            number("number", "the number of the {proposal}, if it exists already")
                    .optional());

    /** The operations that MCP clients are offered as tools. */
    private static final List<SepOperation> TOOLS = List.of(
            LIST, SHOW, NEXT, EXPLAIN, INBOX, SUBMIT, COMMENT, ATTACH, CONFIRM, MOVE, VOTE, DIFF, SIMILAR, LINT);

    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
    private final List<SepParameter> sepParameters;

    SepOperation(String says, SepParameter... sepParameters) {
        this.description = says;
        this.sepParameters = List.of(sepParameters);
    }

    private static SepParameter sepNumber() {
        return number("number", "the number of the {proposal}");
    }

    private static SepParameter document() {
        return text("document", "the complete document in Markdown");
    }

    /** Returns the parameter with which a caller binds an operation to the document that the caller has read. */
    public static SepParameter documentHash() {
        return text(
                        "document",
                        "the hash of the document that you read; the request is refused if it has changed since")
                .optional();
    }

    private static SepParameter file() {
        return text("file", "the file name to use in findings").optional();
    }

    private static SepParameter limit() {
        return number("limit", "the maximum number of results").optional();
    }

    private static SepParameter evidence() {
        return texts("evidence", "evidence by its kind, such as a link for 'prototype'");
    }

    private static SepParameter reason() {
        return text("reason", "the reason");
    }

    private static SepParameter role() {
        return text("role", "the role; by default the usual one for this operation")
                .optional();
    }

    /** Returns the name used on the command line and in paths. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what the operation does, in one sentence. */
    public String description(ProposalTerms terms) {
        return terms.text(description);
    }

    public List<SepParameter> params() {
        return sepParameters;
    }

    /** Whether the operation may change data. */
    public boolean isMutating() {
        return switch (this) {
            case LIST, SHOW, NEXT, EXPLAIN, INBOX, TRIAGE, MAINTAINERS, SIMILAR, HISTORY, DIFF, STATS, EXPORT, LINT ->
                false;
            case SUBMIT,
                    EDIT,
                    ASK,
                    SPONSOR,
                    STEP_DOWN,
                    MOVE,
                    COMMENT,
                    ATTACH,
                    CONFIRM,
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
    public Json schema(ProposalTerms terms) {
        return Json.write(json -> {
            json.writeStartObject().writeStringProperty("type", "object").writeObjectPropertyStart("properties");
            for (SepParameter sepParameter : sepParameters) {
                json.writeObjectPropertyStart(sepParameter.name())
                        .writeStringProperty("type", sepParameter.type().schemaType())
                        .writeStringProperty("description", terms.text(sepParameter.description()))
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
    Optional<String> validate(Json arguments, ProposalTerms terms) {
        if (arguments.type() != Json.Type.OBJECT) {
            return Optional.of("the arguments of '" + wireName() + "' must be a JSON object");
        }
        for (SepParameter sepParameter : sepParameters) {
            Json value = arguments.at(sepParameter.name());
            if (sepParameter.required() && !value.isPresent()) {
                return Optional.of("'" + wireName() + "' needs '" + sepParameter.name() + "': "
                        + terms.text(sepParameter.description()));
            }
            if (value.isPresent() && !sepParameter.type().accepts(value)) {
                return Optional.of("'" + sepParameter.name() + "' must be of type "
                        + sepParameter.type().schemaType() + ": " + terms.text(sepParameter.description()));
            }
        }
        return arguments.members().keySet().stream()
                .filter(name -> sepParameters.stream()
                        .noneMatch(sepParameter -> sepParameter.name().equals(name)))
                .findFirst()
                .map(name -> "'" + wireName() + "' has no argument '" + name + "'"
                        + (sepParameters.isEmpty()
                                ? ""
                                : "; its arguments are "
                                        + String.join(
                                                ", ",
                                                sepParameters.stream()
                                                        .map(SepParameter::name)
                                                        .toList())));
    }
}
