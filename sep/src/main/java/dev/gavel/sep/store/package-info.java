/** Stores SEPs and their documents as ledger events, and replays them. */
@NullMarked
package dev.gavel.sep.store;

import org.jspecify.annotations.NullMarked;
