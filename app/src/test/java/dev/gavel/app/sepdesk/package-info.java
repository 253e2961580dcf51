@NullMarked
package dev.gavel.app.sepdesk;

import org.jspecify.annotations.NullMarked;
