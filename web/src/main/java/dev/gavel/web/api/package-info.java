/**
 * The JSON API: messages, proposals, topics, members, tokens, health, metrics and the OpenAPI description, and the
 * admin commands that the console uses too.
 */
@NullMarked
package dev.gavel.web.api;

import org.jspecify.annotations.NullMarked;
