/** Opens the ledger where the configuration says it is: {@link dev.gavel.app.keeping.Keeping}. */
@NullMarked
package dev.gavel.app.keeping;

import org.jspecify.annotations.NullMarked;
