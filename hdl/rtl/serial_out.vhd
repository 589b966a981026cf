-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: octets to a serial line: a start bit, eight bits, the lowest first, a stop bit.
-- Timing:  CLOCKS_A_BIT clocks a bit; the next octet is taken when the stop bit has ended.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity serial_out is
  generic (
    CLOCKS_A_BIT : positive
  );
  port (
    clk_i   : in  std_ulogic;
    rst_i   : in  std_ulogic;
    valid_i : in  std_ulogic;
    octet_i : in  octet_t;
    ready_o : out std_ulogic;
    line_o  : out std_ulogic
  );
end entity;

architecture rtl of serial_out is
  signal shift    : std_ulogic_vector(9 downto 0); -- what is still to send, the next bit right
  signal bits     : natural range 0 to 10;
  signal wait_for : natural range 0 to CLOCKS_A_BIT - 1;
begin

  ready_o <= '1' when bits = 0 else '0';
  line_o  <= shift(0);

  send : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      if rst_i = '1' then
        shift    <= (others => '1');
        bits     <= 0;
        wait_for <= 0;
      elsif bits = 0 then
        if valid_i = '1' then
          shift    <= '1' & octet_i & '0';
          bits     <= 10;
          wait_for <= CLOCKS_A_BIT - 1;
        end if;
      elsif wait_for /= 0 then
        wait_for <= wait_for - 1;
      else
        shift    <= '1' & shift(9 downto 1);
        bits     <= bits - 1;
        wait_for <= CLOCKS_A_BIT - 1;
      end if;
    end if;
  end process;

end architecture;
