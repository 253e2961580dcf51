/** Specification enhancement proposals (SEPs): {@link dev.gavel.sep.Sep} is one SEP as replayed from the ledger. */
@NullMarked
package dev.gavel.sep;

import org.jspecify.annotations.NullMarked;
