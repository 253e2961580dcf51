/** Tests of the parts of the demo. */
@NullMarked
package dev.gavel.app.demo;

import org.jspecify.annotations.NullMarked;
