-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: what the test benches share.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use work.aes128_pkg.all;

package bench_pkg is

  subtype random_t is std_ulogic_vector(RANDOM_BITS - 1 downto 0);
  type octets_t is array (natural range <>) of octet_t;

  -- Octets in hexadecimal up to the next space, or "-".
  procedure read_octets (step : inout line; octets : out octets_t; count : out natural);

end package;

package body bench_pkg is

  procedure read_octets (step : inout line; octets : out octets_t; count : out natural) is
    variable found : natural := 0;
    variable sign  : character;
    variable digit : string(1 to 2);
    variable pair  : line;
    variable octet : octet_t;
  begin
    while step'length > 0 and step(step'left) = ' ' loop
      read(step, sign);
    end loop;
    if step(step'left) = '-' then
      read(step, sign);
    else
      while step'length > 0 and step(step'left) /= ' ' loop
        read(step, digit);
        pair := new string'(digit);
        hread(pair, octet);
        deallocate(pair);
        octets(found) := octet;
        found         := found + 1;
      end loop;
    end if;
    count := found;
  end procedure;

end package body;
