-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: random bits for a masked core, the same ones in each run.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use ieee.math_real.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity random_source is
  port (
    clk_i    : in  std_ulogic;
    random_o : out random_t
  );
end entity;

architecture test of random_source is
begin

  draw : process (clk_i) is
    variable seed_a, seed_b : positive := 1;
    variable drawn          : real;
  begin
    if rising_edge(clk_i) then
      uniform(seed_a, seed_b, drawn);
      random_o <= random_t(to_unsigned(integer(floor(drawn * 2.0**RANDOM_BITS)), RANDOM_BITS));
    end if;
  end process;

end architecture;
