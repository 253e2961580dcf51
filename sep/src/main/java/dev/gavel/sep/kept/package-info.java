/** How specification proposals are kept in a ledger, and read from it again. */
@NullMarked
package dev.gavel.sep.kept;

import org.jspecify.annotations.NullMarked;
