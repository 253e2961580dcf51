/**
 * The admin pages, on which admins manage identities, tokens, roles and capabilities, and inspect topics, bridges and
 * the ledger.
 */
@NullMarked
package dev.gavel.web.console.admin;

import org.jspecify.annotations.NullMarked;
