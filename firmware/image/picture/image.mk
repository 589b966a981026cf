# SPDX-License-Identifier: BSD-3-Clause
# A picture from mote to mote in frames of ZigBee, encrypted by AES-128-CBC: senders that only encrypt
# and receivers that only decrypt, one image for each way to do it. For boards with a CC2420 and the
# serial line of an ATmega128. `line` leaves the work to a coprocessor on the serial line, `peripheral` to
# one on the second line.
PICTURE := $(FW)/image/picture
PICTURE_ALL := $(MCU) $(PARTS) $(STACK) \
	$(addprefix $(PICTURE)/,main.c frame.c serial.c crypt.c setup.c) $(FW)/image/ipsec-node/time.c \
	$(FW)/image/tinysec/node_$(notdir $(NODE)).c
PICTURE_SENDER := $(PICTURE_ALL) $(PICTURE)/sender.c \
	$(FW)/image/tinysec/iv_store_$(CPU).c
PICTURE_RECEIVER := $(PICTURE_ALL) $(PICTURE)/receiver.c
PICTURE_ENCRYPT := $(patsubst $(PICTURE)/encrypt_%.c,%,$(wildcard $(PICTURE)/encrypt_*.c))
PICTURE_DECRYPT := $(patsubst $(PICTURE)/decrypt_%.c,%,$(wildcard $(PICTURE)/decrypt_*.c))

IMAGES += $(PICTURE_ENCRYPT:%=picture-send-%) $(PICTURE_DECRYPT:%=picture-receive-%)
PICTURE_VECTOR_send-line := line
PICTURE_VECTOR_receive-line := given
PICTURE_MORE_peripheral := $(PICTURE)/peripheral.c
$(foreach v,$(PICTURE_ENCRYPT),$(eval \
    SOURCES_picture-send-$v := $(PICTURE_SENDER) $(PICTURE)/encrypt_$v.c $(PICTURE_MORE_$v) \
    $(PICTURE)/vector_$(or $(PICTURE_VECTOR_send-$v),made).c))
$(foreach v,$(PICTURE_DECRYPT),$(eval \
    SOURCES_picture-receive-$v := $(PICTURE_RECEIVER) $(PICTURE)/decrypt_$v.c $(PICTURE_MORE_$v) \
    $(PICTURE)/vector_$(or $(PICTURE_VECTOR_receive-$v),kept).c))
