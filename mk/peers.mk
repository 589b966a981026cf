# SPDX-License-Identifier: BSD-3-Clause
# peers: programs that tests/interop talks to and that nobody packages. A real Linux: a kernel as a
# process, and the one program in it.

.PHONY: peers
PEER := $(BUILD)/peers/linux
PEER_SOURCES := tests/interop/linux
CABLE := $(PEER_SOURCES)/cable.c $(PEER_SOURCES)/cable.h

peers: tools
peers: ## a real Linux to talk to: user-mode-linux with 802.15.4 link security, in build/peers/ (fetches 140 MB once)
	@$(PEER_SOURCES)/build.sh $(PEER)
	@command -v linux.uml >/dev/null || scripts/setup_debian.sh peers
	@$(MAKE) -s $(PEER)/agent $(PEER)/host

# Static, for it is all that the guest has; with the kernel's own netlink header, which no package
# installs.
$(PEER)/agent: $(PEER_SOURCES)/agent.c $(PEER_SOURCES)/netlink.c $(PEER_SOURCES)/netlink.h $(CABLE) $(PEER)/inputs mk/peers.mk
	@gcc -std=gnu11 -O2 -static -s -Wall -Wextra -Wconversion -Wshadow -Werror -DCONFIG_IEEE802154_NL802154_EXPERIMENTAL \
	    -isystem $(PEER)/include $(filter %.c,$^) -o $@

# The first program of Debian's own guest, which finds nothing but what this machine has.
$(PEER)/host: $(PEER_SOURCES)/host.c $(CABLE) mk/peers.mk
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O2 -static -s -Wall -Wextra -Wconversion -Wshadow -Werror $(filter %.c,$^) -o $@
