/** The parts of the demo, one by one. */
@NullMarked
package dev.gavel.app.demo;

import org.jspecify.annotations.NullMarked;
