/** What a newcomer tries first: a sample MCP server of files, and a scripted agent that wants to change them. */
@NullMarked
package dev.gavel.app.demo;

import org.jspecify.annotations.NullMarked;
