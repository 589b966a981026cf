# SPDX-License-Identifier: BSD-3-Clause
# stack: the library for host and MSP430, and what `wardmote frame` and `wardmote primitives` make
# of it (bench/native, bench/host); firmware: the images of every board. Their own Makefiles know
# what is out of date.

.PHONY: stack firmware
stack: tools ## the C library for the host and for the MSP430
	@$(MAKE) $(JOBS) -s -C stack -f ../mk/archives.mk
	@$(MAKE) $(JOBS) -s -C bench/native
	@$(MAKE) -s -C bench/host

firmware: tools ## the images of the emulated (and real) boards
	@$(MAKE) $(JOBS) -s -C firmware
