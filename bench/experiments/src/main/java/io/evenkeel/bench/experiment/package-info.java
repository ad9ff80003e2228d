/** What an experiment is, how it is run and what it finds. Depends on no other package of bench. */
package io.evenkeel.bench.experiment;
