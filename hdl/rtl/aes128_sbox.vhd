-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: S-box of AES and its inverse (FIPS 197, sections 5.1.1 and 5.3.2), one octet.
-- Timing:  combinational. Both directions share one inversion in the tower of fields.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_sbox is
  port (
    decrypt_i : in  std_ulogic; -- '1': the inverse
    octet_i   : in  octet_t;
    octet_o   : out octet_t
  );
end entity;

architecture rtl of aes128_sbox is
begin

  compute : process (all) is
    variable element : tower_t;
  begin
    element := to_bitvector(octet_i);
    if decrypt_i = '1' then
      element := linear(TO_TOWER_AFFINE, element xor AFFINE_CONSTANT);
    else
      element := linear(TO_TOWER, element);
    end if;
    element := tower_inverse(element);
    if decrypt_i = '1' then
      element := linear(FROM_TOWER, element);
    else
      element := linear(FROM_TOWER_AFFINE, element) xor AFFINE_CONSTANT;
    end if;
    octet_o <= to_stdulogicvector(element);
  end process;

end architecture;
