/** Stores the tokens with which a person has logged in, outside any working directory. */
@NullMarked
package dev.gavel.cli.credential;

import org.jspecify.annotations.NullMarked;
