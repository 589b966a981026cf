# SPDX-License-Identifier: BSD-3-Clause
# Frames whose counters survive power cuts. For boards with a radio on a chip with a flash driver.
IMAGES += counters
SOURCES_counters := $(MCU) $(PARTS) $(STACK) $(wildcard $(FW)/image/counters/*.c)
