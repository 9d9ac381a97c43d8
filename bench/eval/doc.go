// Lookback-eval measures how well search finds: it imports labelled sets of
// conversations into an index of its own, asks their questions through the
// product's search and prints the rows of the finding table, side by side with
// plain full-text search. It keeps nothing of the sets' texts.
package main
