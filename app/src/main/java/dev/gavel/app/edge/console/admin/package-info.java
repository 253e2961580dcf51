/**
 * Where admins see and change who may do what, and look after bridges and the ledger. Everything that is changed goes the
 * way the API's changes go ({@link dev.gavel.app.edge.Orders}).
 */
@NullMarked
package dev.gavel.app.edge.console.admin;

import org.jspecify.annotations.NullMarked;
