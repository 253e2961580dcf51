/** The interactive {@code gavel review}: a full-screen session in which a reviewer decides open proposals by key. */
@NullMarked
package dev.gavel.cli.review;

import org.jspecify.annotations.NullMarked;
