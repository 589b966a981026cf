-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: memory with one port to write and one to read, which a synthesizer can map to a block of
--          RAM.
-- Timing:  the word at read_at_i is there one clock later. A word that is written in the clock in
--          which it is read gives its old value.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity octet_ram is
  generic (
    WORD_BITS    : positive := 8;
    ADDRESS_BITS : positive
  );
  port (
    clk_i      : in  std_ulogic;
    write_i    : in  std_ulogic;
    write_at_i : in  unsigned(ADDRESS_BITS - 1 downto 0);
    word_i     : in  std_ulogic_vector(WORD_BITS - 1 downto 0);
    read_at_i  : in  unsigned(ADDRESS_BITS - 1 downto 0);
    word_o     : out std_ulogic_vector(WORD_BITS - 1 downto 0)
  );
end entity;

architecture rtl of octet_ram is
  type words_t is array (0 to 2**ADDRESS_BITS - 1) of std_ulogic_vector(WORD_BITS - 1 downto 0);
  signal words : words_t;
begin

  ports : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      if write_i = '1' then
        words(to_integer(write_at_i)) <= word_i;
      end if;
      word_o <= words(to_integer(read_at_i));
    end if;
  end process;

end architecture;
