/**
 * Compares JSON values, checks them against a JSON schema and finds their lines, for editing the arguments of a call.
 */
@NullMarked
package dev.gavel.web.console.json;

import org.jspecify.annotations.NullMarked;
