/**
 * Commands that make, list, show, approve, reject and withdraw proposals or send a status to their proposers, and the
 * text they print.
 */
@NullMarked
package dev.gavel.cli.proposal;

import org.jspecify.annotations.NullMarked;
