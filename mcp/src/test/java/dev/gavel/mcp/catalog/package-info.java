/** Tests of the catalog's classes in isolation. */
@NullMarked
package dev.gavel.mcp.catalog;

import org.jspecify.annotations.NullMarked;
