/**
 * The SEP service: executes commands and queries on SEPs for the command line, HTTP, MCP and the console, and stores
 * the results in the ledger.
 */
@NullMarked
package dev.gavel.sep.service;

import org.jspecify.annotations.NullMarked;
