/**
 * Tokens, roles and topic members that admins change at run time. A command is decided by {@link
 * dev.gavel.web.registry.RegistryCommandDecider}, made durable in the ledger and applied by {@link
 * dev.gavel.web.registry.IdentityRegistry}.
 */
@NullMarked
package dev.gavel.web.registry;

import org.jspecify.annotations.NullMarked;
