-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: what the coprocessor is told, and what it answers. Lengths are two octets, the high one
--          first.
--
--   instruction       operands                                  then, if the status is WM_OK
--   KEY               16 octets
--   WIPE
--   ECB_ENCRYPT       len                                       len octets in, len octets out
--   ECB_DECRYPT       len                                       the same
--   CBC_ENCRYPT       iv (16), len                              the same
--   CBC_DECRYPT       iv (16), len                              the same
--   CTR_CRYPT         counter (16), len                         the same
--   CCM_SEAL          nonce (13), a_len, m_len, tag_len (1)     a in; m in and as many octets out;
--                                                               the tag out
--   CCM_OPEN          nonce (13), a_len, m_len, tag_len (1)     a, m and the tag in; a status; m out
--                                                               if that says so
--
-- After the operands comes one octet out, the status. Wait for it before you send data: after any
-- status but WM_OK the next octet in is an instruction. The values are those of the stack's
-- <wardmote/status.h>. len is a multiple of 16 in ECB and CBC; FFFF there and in CTR is a stream
-- without end, which a wipe ends. The tag has 0, 4, 6, 8, 10, 12, 14 or 16 octets; with 0, a_len
-- must be 0.
--
-- CCM_OPEN keeps m inside until the tag is compared. The status after the tag is WM_OK, and m
-- follows; or WM_ERR_SECURITY, and m is wiped; or, without a tag, WM_NOT_AUTHENTICATED, and m
-- follows, which anybody may have written. What does not fit in MESSAGE_LEN octets is refused before
-- any octet of it is taken.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.aes128_pkg.all;

package coprocessor_pkg is

  constant KEY         : octet_t := x"01";
  constant WIPE        : octet_t := x"02";
  constant ECB_ENCRYPT : octet_t := x"10";
  constant ECB_DECRYPT : octet_t := x"11";
  constant CBC_ENCRYPT : octet_t := x"20";
  constant CBC_DECRYPT : octet_t := x"21";
  constant CTR_CRYPT   : octet_t := x"30";
  constant CCM_SEAL    : octet_t := x"40";
  constant CCM_OPEN    : octet_t := x"41";

  constant WM_OK                : octet_t := x"00";
  constant WM_NOT_AUTHENTICATED : octet_t := x"02";
  constant WM_ERR_PARAM         : octet_t := x"ff"; -- -1
  constant WM_ERR_SECURITY      : octet_t := x"f6"; -- -10
  constant WM_ERR_STATE         : octet_t := x"f5"; -- -11: there is no key

  constant MESSAGE_BITS : positive := 9;
  constant MESSAGE_LEN  : positive := 2**MESSAGE_BITS; -- of CCM_OPEN

  -- Octets of a block: the chain of CBC, or of the CBC-MAC; the counter block; the keystream, or the
  -- ciphertext that CBC keeps to decrypt the next block. And of the message that CCM_OPEN keeps.
  type words_t is record
    chain, counter, kept, message : octet_t;
  end record;

  type place_t is record
    of_block   : unsigned(3 downto 0);
    of_message : unsigned(MESSAGE_BITS - 1 downto 0);
  end record;

  type change_t is record
    write : std_ulogic;
    octet : octet_t;
  end record;

  type store_t is record
    at                            : place_t;
    chain, counter, kept, message : change_t;
  end record;

  function is_so (condition : boolean) return std_ulogic;
  -- How many octets of operands follow an instruction that has some.
  function operands_of (code : octet_t) return natural;
  function is_ccm (code : octet_t) return boolean;
  -- Whether something may be in the memory for messages at the end; after a reset nobody knows.
  function keeps_message (code, status : octet_t) return boolean;
  function is_known (code : octet_t) return boolean;

end package;

package body coprocessor_pkg is

  function is_so (condition : boolean) return std_ulogic is
  begin
    if condition then
      return '1';
    end if;
    return '0';
  end function;

  function operands_of (code : octet_t) return natural is
  begin
    case code is
      when KEY                       => return 16;
      when ECB_ENCRYPT | ECB_DECRYPT => return 2;
      when CCM_SEAL | CCM_OPEN       => return 18;
      when others                    => return 18; -- CBC, CTR
    end case;
  end function;

  function is_ccm (code : octet_t) return boolean is
  begin
    return code = CCM_SEAL or code = CCM_OPEN;
  end function;

  function keeps_message (code, status : octet_t) return boolean is
  begin
    return code = x"00" or code = WIPE or (code = CCM_OPEN and status = WM_ERR_SECURITY);
  end function;

  function is_known (code : octet_t) return boolean is
  begin
    case code is
      when KEY | WIPE | ECB_ENCRYPT | ECB_DECRYPT | CBC_ENCRYPT | CBC_DECRYPT | CTR_CRYPT |
           CCM_SEAL | CCM_OPEN =>
        return true;
      when others =>
        return false;
    end case;
  end function;

end package body;
