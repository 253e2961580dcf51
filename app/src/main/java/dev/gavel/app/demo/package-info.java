/**
 * The demo: a sample MCP server with tools for files, a scripted agent that proposes changes to the files, and sample
 * SEPs.
 */
@NullMarked
package dev.gavel.app.demo;

import org.jspecify.annotations.NullMarked;
