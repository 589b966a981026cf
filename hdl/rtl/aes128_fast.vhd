-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: AES-128 (FIPS 197), encryption and decryption, one round a clock.
-- Ports:   octet by octet, sixteen in and sixteen out, the first octet of a block first. An octet
--          moves in each clock where valid and ready are both '1'. Sixteen octets with key = '1'
--          are a key, which stays until the next one, a wipe or a reset. decrypt holds from the
--          clock before the first octet of a block to its last octet out.
-- Timing:  the first octet out is valid 12 clocks after the clock in which the last octet in was
--          taken: 11 clocks compute (AddRoundKey, ten rounds) and end with it in the register.
--          A block in 16 + 11 + 16 = 43 clocks, a key in 16. A change of direction costs nothing:
--          the round keys are walked forth or back while octets move.
-- Area:    sixteen S-boxes for the rounds, four for the round keys, 256 bits of state and key. No
--          table, no memory.
-- Secrets: no clock depends on key or data. A wipe clears state and key in one clock. Not
--          masked: who can measure the current or the field of the chip may learn the key.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_fast is
  port (
    clk_i  : in  std_ulogic;
    host_i : in  host_in_t;
    host_o : out host_out_t
  );
end entity;

architecture rtl of aes128_fast is

  constant LAST_ROUND : natural := 10;

  type phase_t is (TAKE, COMPUTE, GIVE);

  type state_t is record
    phase : phase_t;
    count : natural range 0 to 15;          -- octets moved
    round : natural range 0 to LAST_ROUND;  -- rounds done
    data  : block_t;
    key   : block_t;                        -- the round key
    at    : natural range 0 to LAST_ROUND;  -- its number
    loads : std_ulogic;                     -- some octets of a key were taken, not all
  end record;

  constant EMPTY : state_t := (
    phase => TAKE,
    count => 0,
    round => 0,
    data  => (others => '0'),
    key   => (others => '0'),
    at    => 0,
    loads => '0'
  );

  signal r, r_next : state_t;

  signal shifted, substituted, rounded : block_t;
  signal back                           : std_ulogic; -- the round keys go back
  signal key_word, key_word_substituted : column_t;
  signal key_forth, key_back            : block_t;

  -- Octet `row` of column `column` comes from the column so many further (sections 5.1.2, 5.3.1).
  function shift_rows(data : block_t; decrypt : std_ulogic) return block_t is
    variable moved : block_t;
    variable from    : natural range 0 to 3;
    variable octet   : octet_t;
  begin
    for column in 0 to 3 loop
      for row in 0 to 3 loop
        if decrypt = '1' then
          from := (column + 4 - row) mod 4;
        else
          from := (column + row) mod 4;
        end if;
        octet := octet_of(data, 4 * from + row);
        moved(127 - 32 * column - 8 * row downto 120 - 32 * column - 8 * row) := octet;
      end loop;
    end loop;
    return moved;
  end function;

begin

  -- While no block is computed, the values of the round do not matter; a simulator has less to do.
  shifted <= (others => '-') when r.phase /= COMPUTE else
             shift_rows(r.data, '1') when host_i.decrypt = '1' else
             shift_rows(r.data, '0');

  sboxes : for index in 0 to 15 generate
    one : entity work.aes128_sbox
      port map (
        decrypt_i => host_i.decrypt,
        octet_i   => shifted(127 - 8 * index downto 120 - 8 * index),
        octet_o   => substituted(127 - 8 * index downto 120 - 8 * index)
      );
  end generate;

  -- MixColumns and AddRoundKey of both directions: the key goes in before the inverse (section 5.3)
  -- and after the map (section 5.1). In the last round there is no mixing.
  round_function : process (all) is
    variable column : column_t;
    alias key       is r.key;
  begin
    rounded <= (others => '-');
    if r.phase = COMPUTE then
      for index in 0 to 3 loop
        column := substituted(127 - 32 * index downto 96 - 32 * index);
        if host_i.decrypt = '1' then
          column := column xor key(127 - 32 * index downto 96 - 32 * index);
          if r.round /= LAST_ROUND then
            column := before_inverse(column);
          end if;
        end if;
        if r.round /= LAST_ROUND then
          column := mix_columns(column);
        end if;
        if host_i.decrypt = '0' then
          column := column xor key(127 - 32 * index downto 96 - 32 * index);
        end if;
        rounded(127 - 32 * index downto 96 - 32 * index) <= column;
      end loop;
    end if;
  end process;

  -- The key expansion of section 5.2, a step forth or back. The word that goes through the S-box is
  -- the last one of the earlier round key.
  back <= host_i.decrypt when r.phase = COMPUTE else not host_i.decrypt;

  key_word <= r.key(63 downto 32) xor r.key(31 downto 0) when back = '1' else r.key(31 downto 0);

  key_sboxes : for index in 0 to 3 generate
    one : entity work.aes128_sbox
      port map (
        decrypt_i => '0',
        octet_i   => octet_of(key_word, (index + 1) mod 4),
        octet_o   => key_word_substituted(31 - 8 * index downto 24 - 8 * index)
      );
  end generate;

  round_keys : process (all) is
    variable first : column_t;
    variable word  : column_t;
    alias key      is r.key;
  begin
    if back = '1' then
      first := key_word_substituted xor (rcon((r.at + 15) mod 16) & x"000000");
    else
      first := key_word_substituted xor (rcon(r.at) & x"000000");
    end if;
    word := first;
    for index in 0 to 3 loop
      word := word xor key(127 - 32 * index downto 96 - 32 * index);
      key_forth(127 - 32 * index downto 96 - 32 * index) <= word;
    end loop;
    key_back(127 downto 96) <= key(127 downto 96) xor first;
    key_back(95 downto 0)   <= key(95 downto 0) xor key(127 downto 32);
  end process;

  host_o.busy      <= '1' when r.phase = COMPUTE else '0';
  host_o.ready  <= '1' when r.phase = TAKE else '0';
  host_o.valid <= '1' when r.phase = GIVE else '0';
  host_o.octet <= r.data(127 downto 120);

  transition : process (all) is
    variable v : state_t;
  begin
    v := r;

    -- Towards the round key that the next clock wants; while no block is computed, towards the
    -- first one of the direction.
    if back = '1' and r.at /= 0 and r.loads = '0' then
      v.key := key_back;
      v.at  := r.at - 1;
    elsif back = '0' and r.at /= LAST_ROUND and r.loads = '0' then
      v.key := key_forth;
      v.at  := r.at + 1;
    end if;

    case r.phase is
      when TAKE =>
        if host_i.valid = '1' then
          if host_i.key = '1' then
            v.key := r.key(119 downto 0) & host_i.octet;
            v.at  := 0;
          else
            v.data := r.data(119 downto 0) & host_i.octet;
          end if;
          v.loads := host_i.key;
          if r.count = 15 then
            v.count := 0;
            v.loads := '0';
            if host_i.key = '0' then
              v.phase := COMPUTE;
            end if;
          else
            v.count := r.count + 1;
          end if;
        end if;
      when COMPUTE =>
        if r.round = 0 then
          v.data := r.data xor r.key;
        else
          v.data := rounded;
        end if;
        if r.round = LAST_ROUND then
          v.round := 0;
          v.phase := GIVE;
        else
          v.round := r.round + 1;
        end if;
      when GIVE =>
        if host_i.ready = '1' then
          v.data := r.data(119 downto 0) & x"00";
          if r.count = 15 then
            v.count := 0;
            v.phase := TAKE;
          else
            v.count := r.count + 1;
          end if;
        end if;
    end case;

    r_next <= v;
    if host_i.wipe = '1' then
      r_next <= EMPTY;
    end if;
  end process;

  r <= r_next when rising_edge(clk_i);

end architecture;
