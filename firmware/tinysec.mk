# SPDX-License-Identifier: BSD-3-Clause
# TinySec by one line of an image's makefile, before it includes this file:
#   TINYSEC := auth      packets have a tag; ae: encrypted, too; plain: neither
#   include $(FW)/tinysec.mk
# The image adds $(TINYSEC_STACK) to its sources. They include "tinysec_key.h" and get mode and keys
# from it. KEYFILE and KEYNAME say which key, the first of the file if there is no name. A file that
# is not there is made, with a random key: all nodes of a network are built with the same file.
TINYSEC ?= auth
$(if $(filter auth ae plain,$(TINYSEC)),,$(error TINYSEC is "$(TINYSEC)", not auth, ae or plain))
KEYFILE ?= $(ROOT)build/tinyos_keyfile
TINYSEC_STACK := $(wildcard $(ROOT)stack/src/tinysec/*.c)
TINYSEC_KEY := $(OUT)/tinysec/tinysec_key.h
TINYSEC_ASKED := $(OUT)/tinysec/asked
GENERATED += $(TINYSEC_KEY)
CFLAGS += -I$(dir $(TINYSEC_KEY))

# What was asked for last: another file, key or mode makes another header, however old the file is.
.PHONY: tinysec-asked
$(TINYSEC_ASKED): tinysec-asked
	@mkdir -p $(@D)
	@echo '$(abspath $(KEYFILE)) $(KEYNAME) $(TINYSEC)' >$@.new; \
	  cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(TINYSEC_KEY): $(KEYFILE) $(TINYSEC_ASKED) $(FW)/tinysec.mk
	@mkdir -p $(@D)
	@umask 077; $(ROOT).venv/bin/python -m wardmote.keyfile $(KEYFILE) --send $(TINYSEC) \
	  $(addprefix --name ,$(KEYNAME)) >$@.new || { rm -f $@.new; exit 1; }
	@mv $@.new $@

$(KEYFILE):
	@mkdir -p $(@D)
	@$(ROOT).venv/bin/python -m wardmote.keyfile $@ --create >/dev/null
