-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: what the coprocessor keeps of a message: three blocks, and the octets of CCM_OPEN.
-- Timing:  as octet_ram: the words at read_i are there one clock later.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.coprocessor_pkg.all;

entity coprocessor_memory is
  port (
    clk_i   : in  std_ulogic;
    store_i : in  store_t;
    read_i  : in  place_t;
    words_o : out words_t
  );
end entity;

architecture rtl of coprocessor_memory is
begin

  chain_ram : entity work.octet_ram
    generic map (
      ADDRESS_BITS => 4
    )
    port map (
      clk_i      => clk_i,
      write_i    => store_i.chain.write,
      write_at_i => store_i.at.of_block,
      word_i     => store_i.chain.octet,
      read_at_i  => read_i.of_block,
      word_o     => words_o.chain
    );

  counter_ram : entity work.octet_ram
    generic map (
      ADDRESS_BITS => 4
    )
    port map (
      clk_i      => clk_i,
      write_i    => store_i.counter.write,
      write_at_i => store_i.at.of_block,
      word_i     => store_i.counter.octet,
      read_at_i  => read_i.of_block,
      word_o     => words_o.counter
    );

  kept_ram : entity work.octet_ram
    generic map (
      ADDRESS_BITS => 4
    )
    port map (
      clk_i      => clk_i,
      write_i    => store_i.kept.write,
      write_at_i => store_i.at.of_block,
      word_i     => store_i.kept.octet,
      read_at_i  => read_i.of_block,
      word_o     => words_o.kept
    );

  message_ram : entity work.octet_ram
    generic map (
      ADDRESS_BITS => MESSAGE_BITS
    )
    port map (
      clk_i      => clk_i,
      write_i    => store_i.message.write,
      write_at_i => store_i.at.of_message,
      word_i     => store_i.message.octet,
      read_at_i  => read_i.of_message,
      word_o     => words_o.message
    );

end architecture;
