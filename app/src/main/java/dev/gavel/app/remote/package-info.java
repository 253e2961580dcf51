/**
 * A running gateway seen from outside, by plain HTTP: what the command line knows of topics and proposals it learns
 * here. Prints nothing and decides nothing.
 */
@NullMarked
package dev.gavel.app.remote;

import org.jspecify.annotations.NullMarked;
