package dev.gavel.gateway;

import dev.gavel.gateway.docket.Observer;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What all topics of a process share.
 *
 * @param reading runs what waits for the disk
 * @param mostOpen how many open proposals one member may have in a topic
 * @param observer hears of everything that happens to proposals
 */
record Surroundings(InstantSource clock, Notices notices, Executor reading, int mostOpen, Observer observer) {}
