# SPDX-License-Identifier: MIT
# make, make check, make faults, make lint, make clean. CC, CFLAGS, LDFLAGS and
# BUILD are yours to set; build.sh only adds what it found out by linking.

BUILD ?= build

-include $(BUILD)/config.mk

CFLAGS ?= -O2

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes
NEED = -std=c11 -pthread -Ibench $(PROBES) $(HWLOC_CFLAGS)
COMPILE = $(CC) $(NEED) $(WARN) $(CFLAGS) $(CPPFLAGS) -MMD -MP
FLAGS_H = -DBENCH_FLAGS_H='"$(abspath $(BUILD))/flags.h"'

primitives := $(wildcard switch/*.c gen/*.c loop/*.c)
harness := $(wildcard bench/*.c)
tools := $(wildcard report/table.c report/next.c report/compare.c \
	report/claims.c report/plot.c)
library := $(filter-out $(tools), $(wildcard report/*.c)) bench/util.c

all: $(patsubst %.c, $(BUILD)/%, $(primitives) $(tools))

$(BUILD)/%.o: %.c $(BUILD)/flags.h
	@mkdir -p $(@D)
	$(COMPILE) $(if $(filter bench/host.c, $<), $(FLAGS_H)) -c -o $@ $<

$(patsubst %.c, $(BUILD)/%, $(primitives)): $(BUILD)/%: \
	$(BUILD)/%.o $(harness:%.c=$(BUILD)/%.o)
	$(CC) -pthread $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(HWLOC_LIBS)

# The programs that talk to a peer.
$(BUILD)/switch/fetch $(BUILD)/switch/rows: \
	$(patsubst %.c, $(BUILD)/%.o, $(wildcard switch/peer/*.c))

$(patsubst %.c, $(BUILD)/%, $(tools)): $(BUILD)/%: \
	$(BUILD)/%.o $(library:%.c=$(BUILD)/%.o)
	$(CC) -pthread $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lm

# The flags go into the host block. The file changes only when they do, and
# everything depends on it: a build never mixes flags.
$(BUILD)/flags.h: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' \
	    '$(subst ','\'',$(strip $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)))' | \
	    sed 's/[\\"]/\\&/g; s/.*/#define BENCH_CFLAGS "&"/' >$@.new
	@echo '/* $(CC) $(PROBES) */' >>$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

check: all
	@BUILD='$(BUILD)' CC='$(CC)' sh tests/run.sh $(TESTS)

faults: all
	@BUILD='$(BUILD)' CC='$(CC)' sh tests/faults.sh

lint:
	@sh tests/lint.sh

clean:
	rm -rf $(BUILD)

FORCE:
.PHONY: all check faults lint clean FORCE
.DELETE_ON_ERROR:

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d)
