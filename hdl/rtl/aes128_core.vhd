-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: the core of AES-128 that CORE names. All have the same ports; the header of each says its
--          timing and its area.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_core is
  generic (CORE : string := "fast"); -- fast, small, masked
  port (
    clk_i  : in  std_ulogic;
    host_i : in  host_in_t;
    host_o : out host_out_t
  );
end entity;

architecture rtl of aes128_core is
begin

  fast : if CORE = "fast" generate
    one : entity work.aes128_fast
      port map (clk_i, host_i, host_o);
  end generate;

  bytewise : if CORE = "small" or CORE = "masked" generate
    one : entity work.aes128_bytewise
      generic map (
        MASKED => CORE = "masked"
      )
      port map (clk_i, host_i, host_o);
  end generate;

end architecture;
