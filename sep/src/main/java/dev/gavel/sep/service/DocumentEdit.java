package dev.gavel.sep.service;

import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.sep.document.DocumentChanges;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What an edit of a SEP changes in its document. Immutable.
 *
 * @param beforeHash the hash of the document with which the new one was compared
 * @param changes the parts that differ
 * @param declaredEditorial whether the editor declares that the edit does not change the meaning
 */
record DocumentEdit(String beforeHash, DocumentChanges changes, boolean declaredEditorial) {
    /** The edit that submits a new document. */
    static final DocumentEdit NONE = new DocumentEdit("", DocumentChanges.NONE, false);

    /**
     * Returns the command for the edit.
     *
     * @param attributes the attributes that change
     */
    LifecycleCommand.Edit toCommand(Actor actor, Map<String, String> attributes) {
        Set<String> fields = new LinkedHashSet<>(changes.fields());
        if (changes.unclear() && !changes.sections().isEmpty()) {
            // No section that changed is editorial if people may see the change in another section.
            fields.add(DocumentChanges.PREAMBLE);
        }
        return new LifecycleCommand.Edit(actor, attributes, changes.sections(), fields, declaredEditorial);
    }
}
