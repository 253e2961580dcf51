/** Specification proposals: {@link dev.gavel.sep.Sep} is one as the ledger has it. */
@NullMarked
package dev.gavel.sep;

import org.jspecify.annotations.NullMarked;
