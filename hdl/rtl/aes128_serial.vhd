-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: the coprocessor between two serial lines, as the ZigBee study had it between a computer
--          and a mote. In its place for a processor, a shift register and their program there is the
--          state machine of aes128_coprocessor.
-- Ports:   lines of 8 bits, no parity, one stop bit, CLOCK_HZ / BAUD clocks a bit. The octets are
--          those of coprocessor_pkg. Octets that come while a block is computed or goes out wait in
--          a queue of QUEUE_LEN octets.
--          fault_o: an octet came without its stop bit, or found the queue full. From then on
--          nothing is taken and nothing goes out, until a reset: a stream with a gap has no meaning.
-- Secrets: no wipe and no reset reaches the octets in the queue's memory. The last QUEUE_LEN that
--          came, a key among them, are there until others take their places. Nothing gives them out.
-- Timing:  at 8 MHz and 115 200 baud an octet takes 690 clocks on the line, a block with `fast` 12.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.aes128_pkg.all;

entity aes128_serial is
  generic (
    CORE     : string   := "fast"; -- fast, small, masked
    CLOCK_HZ : positive := 8_000_000;
    BAUD     : positive := 115_200
  );
  port (
    clk_i    : in  std_ulogic;
    rst_i    : in  std_ulogic;
    random_i : in  std_ulogic_vector(RANDOM_BITS - 1 downto 0) := (others => '0'); -- masked
    line_i   : in  std_ulogic;
    line_o   : out std_ulogic;
    fault_o  : out std_ulogic
  );
end entity;

architecture rtl of aes128_serial is

  constant CLOCKS_A_BIT : positive := (CLOCK_HZ + BAUD / 2) / BAUD;
  constant QUEUE_BITS   : positive := 5;

  signal came, broken         : std_ulogic;
  signal fault                : std_ulogic;
  signal octet                : octet_t;
  signal head, head_next      : unsigned(QUEUE_BITS downto 0); -- octets taken, modulo twice the size
  signal tail                 : unsigned(QUEUE_BITS downto 0); -- octets put in
  signal full, put, fresh     : std_ulogic;
  signal to_core              : host_in_t;
  signal from_core            : host_out_t;
  signal send, line_ready     : std_ulogic;

begin

  fault_o <= fault;

  receiver : entity work.serial_in
    generic map (
      CLOCKS_A_BIT => CLOCKS_A_BIT
    )
    port map (
      clk_i   => clk_i,
      rst_i   => rst_i,
      line_i  => line_i,
      valid_o => came,
      fault_o => broken,
      octet_o => octet
    );

  -- The queue. An octet that is put in can be read from the clock after the next on.
  full      <= '1' when tail - head = 2**QUEUE_BITS else '0';
  put       <= came and not full and not fault;
  to_core.valid  <= '1' when head /= tail and fresh = '0' and fault = '0' else '0';
  head_next <= head + 1 when to_core.valid = '1' and from_core.ready = '1' else head;

  queue : entity work.octet_ram
    generic map (
      ADDRESS_BITS => QUEUE_BITS
    )
    port map (
      clk_i      => clk_i,
      write_i    => put,
      write_at_i => tail(QUEUE_BITS - 1 downto 0),
      word_i     => octet,
      read_at_i  => head_next(QUEUE_BITS - 1 downto 0),
      word_o     => to_core.octet
    );

  places : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      if rst_i = '1' then
        head  <= (others => '0');
        tail  <= (others => '0');
        fresh <= '0';
        fault <= '0';
      else
        head  <= head_next;
        fresh <= put;
        if put = '1' then
          tail <= tail + 1;
        end if;
        if broken = '1' or (came = '1' and full = '1') then
          fault <= '1';
        end if;
      end if;
    end if;
  end process;

  coprocessor : entity work.aes128_coprocessor
    generic map (CORE => CORE)
    port map (clk_i, to_core, from_core);

  to_core.wipe    <= fault or rst_i;
  to_core.random  <= random_i;
  to_core.key     <= '0';
  to_core.decrypt <= '0';
  to_core.ready  <= line_ready and not fault;
  send           <= from_core.valid and not fault;

  transmitter : entity work.serial_out
    generic map (
      CLOCKS_A_BIT => CLOCKS_A_BIT
    )
    port map (
      clk_i   => clk_i,
      rst_i   => rst_i,
      valid_i => send,
      octet_i => from_core.octet,
      ready_o => line_ready,
      line_o  => line_o
    );

end architecture;
