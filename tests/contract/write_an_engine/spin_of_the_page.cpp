// The engine that docs/write-an-engine.md leads to, under a name that a reader's own does not take.

#include "contract/write_an_engine/spin_of_the_page.h"

#include "engines/contract/host.h"

#define run_spin run_spin_of_the_page
#include "spin.cpp"
