/**
 * The events of a specification proposal and the snapshot that they add up to. Computing the snapshot needs no process
 * definition, so a history stays valid when the rules change.
 */
@NullMarked
package dev.gavel.lifecycle.history;

import org.jspecify.annotations.NullMarked;
