-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: the core of AES-128 that CORE names. All have the same ports; the header of each says its
--          timing and its area.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_core is
  generic (
    CORE : string := "fast" -- fast, small, masked
  );
  port (
    clk_i       : in  std_ulogic;
    rst_i       : in  std_ulogic;
    wipe_i      : in  std_ulogic;
    busy_o      : out std_ulogic;
    random_i    : in  std_ulogic_vector(RANDOM_BITS - 1 downto 0) := (others => '0'); -- masked
    decrypt_i   : in  std_ulogic;
    in_key_i    : in  std_ulogic;
    in_valid_i  : in  std_ulogic;
    in_octet_i  : in  octet_t;
    in_ready_o  : out std_ulogic;
    out_valid_o : out std_ulogic;
    out_octet_o : out octet_t;
    out_ready_i : in  std_ulogic
  );
end entity;

architecture rtl of aes128_core is
begin

  fast : if CORE = "fast" generate
    one : entity work.aes128_fast
      port map (
        clk_i       => clk_i,
        rst_i       => rst_i,
        wipe_i      => wipe_i,
        busy_o      => busy_o,
        decrypt_i   => decrypt_i,
        in_key_i    => in_key_i,
        in_valid_i  => in_valid_i,
        in_octet_i  => in_octet_i,
        in_ready_o  => in_ready_o,
        out_valid_o => out_valid_o,
        out_octet_o => out_octet_o,
        out_ready_i => out_ready_i
      );
  end generate;

  bytewise : if CORE = "small" or CORE = "masked" generate
    one : entity work.aes128_bytewise
      generic map (
        MASKED => CORE = "masked"
      )
      port map (
        clk_i       => clk_i,
        rst_i       => rst_i,
        wipe_i      => wipe_i,
        busy_o      => busy_o,
        random_i    => random_i,
        decrypt_i   => decrypt_i,
        in_key_i    => in_key_i,
        in_valid_i  => in_valid_i,
        in_octet_i  => in_octet_i,
        in_ready_o  => in_ready_o,
        out_valid_o => out_valid_o,
        out_octet_o => out_octet_o,
        out_ready_i => out_ready_i
      );
  end generate;

end architecture;
