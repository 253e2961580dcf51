/**
 * The administration: who there is, with which tokens and roles, what each may send in which topic, how bridges are, and
 * whether the ledger is as it was written. Pages for admins alone; who is one is not decided here.
 */
@NullMarked
package dev.gavel.console.admin;

import org.jspecify.annotations.NullMarked;
