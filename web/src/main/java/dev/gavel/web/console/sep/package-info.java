/** Pages on which users read SEPs: the board, lists, details, triage, sponsors and statistics. */
@NullMarked
package dev.gavel.web.console.sep;

import org.jspecify.annotations.NullMarked;
