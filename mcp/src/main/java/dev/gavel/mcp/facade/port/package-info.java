/** What the facade and a transport say to each other. */
@NullMarked
package dev.gavel.mcp.facade.port;

import org.jspecify.annotations.NullMarked;
