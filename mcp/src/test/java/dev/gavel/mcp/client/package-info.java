@NullMarked
package dev.gavel.mcp.client;

import org.jspecify.annotations.NullMarked;
