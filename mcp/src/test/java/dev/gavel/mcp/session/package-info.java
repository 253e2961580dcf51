@NullMarked
package dev.gavel.mcp.session;

import org.jspecify.annotations.NullMarked;
