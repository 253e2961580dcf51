package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.text.TextLineDiff;
import dev.gavel.sep.DocumentVersion;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentChanges;
import dev.gavel.sep.store.SepLedgerReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Finds the versions of one SEP's document by their hashes, and compares them. Blocks on disk reads. */
record DocumentVersionComparer(Sep sep, SepLedgerReader sepReader, ProcessDefinition processDefinition, Person reader) {
    private static final int SHORT_HASH_LENGTH = 12;

    /** Returns the first digits of a hash, which are enough to tell the versions of a document apart. */
    static String shortHash(String hash) {
        return hash.substring(0, Math.min(SHORT_HASH_LENGTH, hash.length()));
    }

    /** Whether a text that a person gave is a hash, or at least its first 12 digits. */
    static boolean matches(String hash, String given) {
        return given.length() >= SHORT_HASH_LENGTH && hash.startsWith(given.toLowerCase(Locale.ROOT));
    }

    /** Returns the whole hash of the latest version whose hash begins with the given digits; empty if there is none. */
    Optional<String> resolve(String given) {
        return sep.versions().reversed().stream()
                .map(DocumentVersion::hash)
                .filter(hash -> matches(hash, given))
                .findFirst();
    }

    /** Returns the changes between two versions; empty if the text of one of them is missing. */
    Optional<DocumentChanges> changesBetween(String before, String after) {
        return sepReader
                .documentText(before)
                .flatMap(earlier -> sepReader
                        .documentText(after)
                        .map(later -> DocumentChanges.between(read(earlier), read(later))));
    }

    private Document read(String text) {
        return Document.read(text, processDefinition.documentFormat());
    }

    /** Returns the changes between the current version and a new document. */
    DocumentChanges changesTo(Document after) {
        return sepReader
                .documentText(sep.documentHash())
                .map(before -> DocumentChanges.between(read(before), after))
                .orElse(DocumentChanges.NONE);
    }

    /** Returns the names of the changed parts: "the sections abstract and rationale; the field status". */
    static String describe(DocumentChanges changes) {
        List<String> texts = new ArrayList<>();
        if (!changes.sections().isEmpty()) {
            texts.add((changes.sections().size() == 1 ? "section " : "sections ")
                    + String.join(", ", changes.sections()));
        }
        if (!changes.fields().isEmpty()) {
            texts.add((changes.fields().size() == 1 ? "field " : "fields ") + String.join(", ", changes.fields()));
        }
        return texts.isEmpty() ? "only line ends" : String.join("; ", texts);
    }

    /**
     * Returns the hash of the version with which the current document is compared by default. This is the version on
     * which the reader, or else any person, voted last in the current state. Without a vote, it is the version of the
     * last decision, and without a decision the version before the current one.
     */
    String judged() {
        return votedOn()
                .or(() -> DecidedDocument.find(sep, processDefinition).map(DecidedDocument::hash))
                .orElseGet(() -> sep.versions()
                        .get(Math.max(0, sep.versions().size() - 2))
                        .hash());
    }

    /**
     * Returns the hash of the document on which the reader voted last in the current state; if the reader has not voted,
     * on which any person did.
     */
    private Optional<String> votedOn() {
        List<LifecycleEvent> events = sep.history().events();
        String anyVote = "";
        for (int i = events.size() - 1; i >= 0 && !(events.get(i) instanceof LifecycleEvent.Moved); i--) {
            if (events.get(i) instanceof LifecycleEvent.Voted voted) {
                if (voted.by().person().equals(reader)) {
                    return Optional.of(sep.documentHashAt(i));
                }
                anyVote = anyVote.isEmpty() ? sep.documentHashAt(i) : anyVote;
            }
        }
        return Optional.of(anyVote).filter(hash -> !hash.isEmpty());
    }

    /** Writes what changed in the document since the reader, or else any person, voted in the current state, if it changed. */
    void writeChangesSinceVote(JsonGenerator json) {
        votedOn().filter(hash -> !hash.equals(sep.documentHash())).ifPresent(hash -> {
            json.writeObjectPropertyStart("changedSinceVote").writeStringProperty("hash", hash);
            changesBetween(hash, sep.documentHash()).ifPresent(changes -> write(json, changes));
            json.writeEndObject();
        });
    }

    /** Writes the changed parts with their removed and added lines. */
    static void writeWithLines(JsonGenerator json, DocumentChanges changes) {
        write(json, changes);
        json.writeArrayPropertyStart("parts");
        for (DocumentChanges.Part part : changes.parts()) {
            json.writeStartObject()
                    .writeStringProperty(part.section() ? "section" : "field", part.name())
                    .writeArrayPropertyStart("lines");
            for (TextLineDiff.Line line : TextLineDiff.between(part.before(), part.after())) {
                json.writeStartObject()
                        .writeStringProperty("change", line.sign().name().toLowerCase(Locale.ROOT))
                        .writeStringProperty("text", line.text())
                        .writeEndObject();
            }
            json.writeEndArray().writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the names of the changed parts. */
    static void write(JsonGenerator json, DocumentChanges changes) {
        SepJsonWriter.strings(json, "changedSections", List.copyOf(changes.sections()));
        SepJsonWriter.strings(json, "changedFields", List.copyOf(changes.fields()));
    }
}
