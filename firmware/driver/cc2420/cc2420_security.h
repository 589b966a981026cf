/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_security.h
 *  What cc2420.c needs of cc2420_security.c: the security registers of the radio and their copy
 *  here. */
#ifndef DRIVER_CC2420_SECURITY_H
#define DRIVER_CC2420_SECURITY_H

#include <stdbool.h>

/** After a reset of the radio: brings registers and copy into one state, security off. */
void cc2420_security_start(void);

/** While CSn is low and only writes go on: in-line security off, if it is on. */
void cc2420_security_off(void);

/** After a strobe that sends: the engine may change its memory. */
void cc2420_security_sends(void);

/** While the receiver starts: marks the engine's memory, if frames are decrypted in place. */
void cc2420_security_listens(void);

/** After the strobe that sends: waits for the engine, 0.3 ms at most, if it is to secure the frame.
 *  @retval false  the frame is not secured: it must not go on. What has left is in clear by
 *                 right */
bool cc2420_security_sent(void);

#endif
