-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: AES-128 (FIPS 197), encryption and decryption, one octet a clock through one S-box.
--          MASKED = false is the core `small`: least area. MASKED = true is the core `masked`: key
--          and block are two shares each, whose sum they are, from the octet in to the octet out.
-- Ports:   as aes128_fast. random: fresh random bits in each clock, for MASKED.
-- Timing:  with S = 0, or S = SBOX_CLOCKS = 8 if MASKED: the first octet out is valid
--          10 (21 + S) + 2 clocks after the clock in which the last octet in was taken: 212 and 292.
--          Further octets out every second clock. After the last octet of a key 160 (3 + S) clocks
--          make the round keys: 480 and 1760. A change of direction costs nothing.
-- Area:    one S-box; two memories, of 32 and 256 octets (shares: pairs of octets), which may be
--          blocks of RAM.
-- Secrets: no clock depends on key or data. A wipe clears the registers at once, and the
--          memories in 256 clocks, while busy is '1'.
--          MASKED: an attacker who sees one wire at a time, with its glitches, learns nothing. One
--          who combines two of them, or who knows the random bits, may. The octets in and out are
--          not masked outside of the core; a key should come in over wires that nobody measures.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.aes128_pkg.all;

entity aes128_bytewise is
  generic (
    MASKED : boolean
  );
  port (
    clk_i  : in  std_ulogic;
    host_i : in  host_in_t;
    host_o : out host_out_t
  );
end entity;

architecture rtl of aes128_bytewise is

  function choose (condition : boolean; one, other : natural) return natural is
  begin
    if condition then
      return one;
    end if;
    return other;
  end function;

  constant SHARES     : positive := choose(MASKED, 2, 1);
  constant S          : natural  := choose(MASKED, SBOX_CLOCKS, 0);
  constant LAST_ROUND : natural  := 10;
  constant LAST_KEY   : natural  := 16 * (LAST_ROUND + 1) - 1;

  -- Steps of a round: an octet is read at steps 0 to 15, comes out of the S-box into its column at
  -- ENTER and later, and is written at LEAVE and later.
  constant ENTER     : natural := 1 + S;
  constant LEAVE     : natural := ENTER + 4;
  constant LAST_STEP : natural := LEAVE + 15;
  -- Steps of an octet of round key: its word of before is read at step 0.
  constant KEY_LAST  : natural := ENTER + 1;

  subtype word_t is std_ulogic_vector(8 * SHARES - 1 downto 0); -- an octet, the first share right
  type words_t is array (natural range <>) of word_t;

  type phase_t is (WIPE, TAKE, EXPAND, COMPUTE, GIVE);

  type state_t is record
    phase   : phase_t;
    primed  : std_ulogic;           -- TAKE: the round key is read. GIVE: the octet is
    count   : unsigned(3 downto 0); -- octets moved
    round   : unsigned(3 downto 0);
    step    : unsigned(4 downto 0);
    address : unsigned(7 downto 0); -- of the octet of key to make, or of the memory to wipe
    enters  : words_t(0 to 2);      -- of a column
    leaves  : words_t(0 to 3);
    held    : word_t;               -- the word of before. GIVE: the octet
  end record;

  constant EMPTY : state_t := (
    phase   => WIPE,
    primed  => '0',
    count   => (others => '0'),
    round   => (others => '0'),
    step    => (others => '0'),
    address => (others => '0'),
    enters  => (others => (others => '0')),
    leaves  => (others => (others => '0')),
    held    => (others => '0')
  );

  signal r, r_next : state_t;

  signal state_write, key_write       : std_ulogic;
  signal state_write_at, state_read_at : unsigned(4 downto 0);
  signal key_write_at, key_read_at    : unsigned(7 downto 0);
  signal state_in, state_out          : word_t;
  signal key_in, key_out              : word_t;
  signal to_sbox, from_sbox           : word_t;
  signal sbox_decrypt                 : std_ulogic;

  function share (word : word_t; index : natural) return octet_t is
  begin
    return word(8 * index + 7 downto 8 * index);
  end function;

  -- A public octet as a word: the first share.
  function public (octet : octet_t) return word_t is
    variable word : word_t := (others => '0');
  begin
    word(7 downto 0) := octet;
    return word;
  end function;

  -- A column share by share, for InvMixColumns or not.
  function column_of (words : words_t; inverse : std_ulogic) return words_t is
    variable column : column_t;
    variable result : words_t(0 to 3);
  begin
    for index in 0 to SHARES - 1 loop
      column := share(words(0), index) & share(words(1), index) &
                share(words(2), index) & share(words(3), index);
      if inverse = '1' then
        column := before_inverse(column);
      end if;
      for row in 0 to 3 loop
        result(row)(8 * index + 7 downto 8 * index) := octet_of(column, row);
      end loop;
    end loop;
    return result;
  end function;

  function mixed_words (words : words_t) return word_t is
    variable result : word_t;
  begin
    for index in 0 to SHARES - 1 loop
      result(8 * index + 7 downto 8 * index) := mixed(
        share(words(0), index), share(words(1), index),
        share(words(2), index), share(words(3), index)
      );
    end loop;
    return result;
  end function;

begin

  state_ram : entity work.octet_ram
    generic map (
      WORD_BITS    => 8 * SHARES,
      ADDRESS_BITS => 5
    )
    port map (
      clk_i      => clk_i,
      write_i    => state_write,
      write_at_i => state_write_at,
      word_i     => state_in,
      read_at_i  => state_read_at,
      word_o     => state_out
    );

  key_ram : entity work.octet_ram
    generic map (
      WORD_BITS    => 8 * SHARES,
      ADDRESS_BITS => 8
    )
    port map (
      clk_i      => clk_i,
      write_i    => key_write,
      write_at_i => key_write_at,
      word_i     => key_in,
      read_at_i  => key_read_at,
      word_o     => key_out
    );

  to_sbox      <= key_out when r.phase = EXPAND else state_out;
  sbox_decrypt <= '0' when r.phase = EXPAND else host_i.decrypt;

  plain : if not MASKED generate
    sbox : entity work.aes128_sbox
      port map (
        decrypt_i => sbox_decrypt,
        octet_i   => to_sbox,
        octet_o   => from_sbox
      );
  end generate;

  in_shares : if MASKED generate
    sbox : entity work.aes128_sbox_masked
      port map (
        clk_i     => clk_i,
        decrypt_i => sbox_decrypt,
        random_i  => host_i.random(SBOX_RANDOM_BITS - 1 downto 0),
        share_a_i => to_sbox(7 downto 0),
        share_b_i => to_sbox(word_t'left downto word_t'left - 7),
        share_a_o => from_sbox(7 downto 0),
        share_b_o => from_sbox(word_t'left downto word_t'left - 7)
      );
  end generate;

  host_o.busy      <= '0' when r.phase = TAKE or r.phase = GIVE else '1';
  host_o.ready  <= '1' when r.phase = TAKE and r.primed = '1' else '0';
  host_o.valid <= '1' when r.phase = GIVE and r.primed = '1' else '0';

  -- The only sum of shares: of what `held` holds to be given.
  unmask : process (all) is
    variable octet : octet_t;
  begin
    octet := share(r.held, 0);
    if MASKED then
      octet := octet xor share(r.held, SHARES - 1);
    end if;
    host_o.octet <= octet;
  end process;

  transition : process (all) is
    variable v                         : state_t;
    variable taken, entering, leaving  : word_t;
    variable enter_index, leave_index  : unsigned(4 downto 0);
    variable column, row               : unsigned(1 downto 0);
    variable key_round                 : unsigned(3 downto 0);
  begin
    v := r;

    state_write    <= '0';
    state_write_at <= '0' & r.count;
    key_write      <= '0';
    key_write_at   <= r.address;

    -- An octet in: two shares, if there are two.
    taken := public(host_i.octet);
    if MASKED then
      taken(7 downto 0) := host_i.octet xor host_i.random(RANDOM_BITS - 1 downto RANDOM_BITS - 8);
      taken(word_t'left downto word_t'left - 7) :=
        host_i.random(RANDOM_BITS - 1 downto RANDOM_BITS - 8);
    end if;

    -- An octet from the S-box to its column, and one from its column.
    enter_index := r.step - ENTER;
    leave_index := r.step - LEAVE;
    entering    := from_sbox;
    if host_i.decrypt = '1' then
      entering := entering xor key_out;
    end if;
    leaving := r.leaves(0);
    if r.round /= LAST_ROUND then
      leaving := mixed_words(r.leaves);
    end if;
    if host_i.decrypt = '0' then
      leaving := leaving xor key_out;
    end if;

    state_in <= taken xor key_out;
    key_in   <= key_out xor r.held;

    case r.phase is

      when WIPE =>
        state_write    <= '1';
        state_write_at <= r.address(4 downto 0);
        state_in       <= (others => '0');
        key_write      <= '1';
        key_in         <= (others => '0');
        v.address      := r.address + 1;
        if r.address = 255 then
          v.phase := TAKE;
        end if;

      when TAKE =>
        v.primed := '1';
        if host_i.valid = '1' and r.primed = '1' then
          v.count := r.count + 1;
          if host_i.key = '1' then
            key_write    <= '1';
            key_write_at <= x"0" & r.count;
            key_in       <= taken;
            if r.count = 15 then
              v.phase   := EXPAND;
              v.address := x"10";
              v.step    := (others => '0');
            end if;
          else
            state_write <= '1';
            if r.count = 15 then
              v.phase := COMPUTE;
              v.round := x"1";
              v.step  := (others => '0');
            end if;
          end if;
        end if;

      when EXPAND =>
        v.step := r.step + 1;
        if r.step = ENTER then
          v.held := key_out;
          if r.address(3 downto 2) = 0 then
            v.held := from_sbox;
            if r.address(1 downto 0) = 0 then
              v.held := from_sbox xor public(rcon(to_integer(r.address(7 downto 4) - 1)));
            end if;
          end if;
        elsif r.step = KEY_LAST then
          key_write <= '1';
          v.step    := (others => '0');
          v.address := r.address + 1;
          if r.address = LAST_KEY then
            v.phase  := TAKE;
            v.primed := '0';
            v.held   := (others => '0');
          end if;
        end if;

      when COMPUTE =>
        v.step   := r.step + 1;
        v.enters := r.enters(1 to 2) & entering;
        v.leaves := r.leaves(1 to 3) & r.leaves(0);
        if enter_index(1 downto 0) = 3 then
          v.leaves := column_of(
            r.enters & entering, host_i.decrypt and (or (r.round xor to_unsigned(LAST_ROUND, 4)))
          );
        end if;
        if r.step >= LEAVE then
          state_write <= '1';
        end if;
        state_write_at <= r.round(0) & leave_index(3 downto 0);
        state_in       <= leaving;
        if r.step = LAST_STEP then
          v.step  := (others => '0');
          v.round := r.round + 1;
          if r.round = LAST_ROUND then
            v.phase  := GIVE;
            v.primed := '0';
          end if;
        end if;

      when GIVE =>
        v.primed := '1';
        if r.primed = '0' then
          v.held := state_out;
        elsif host_i.ready = '1' then
          v.primed := '0';
          v.held   := (others => '0');
          v.count  := r.count + 1;
          if r.count = 15 then
            v.phase := TAKE;
          end if;
        end if;

    end case;

    -- Addresses to read at: what the next clock wants. An octet of the state comes from another
    -- column (FIPS 197, sections 5.1.2 and 5.3.1).
    row    := r.step(1 downto 0);
    column := r.step(3 downto 2) + row;
    if host_i.decrypt = '1' then
      column := r.step(3 downto 2) - row;
    end if;
    state_read_at <= '0' & v.count;
    if r.phase = COMPUTE and r.step(4) = '0' then
      state_read_at <= not r.round(0) & column & row;
    end if;

    key_round := r.round;
    if host_i.decrypt = '1' then
      key_round := LAST_ROUND - r.round;
    end if;
    if r.phase = EXPAND then
      if r.step >= ENTER then
        key_read_at <= r.address - 16;
      elsif r.address(3 downto 2) = 0 then
        key_read_at <= (r.address(7 downto 4) - 1) & "11" & (r.address(1 downto 0) + 1);
      else
        key_read_at <= r.address - 4;
      end if;
    elsif r.phase = COMPUTE then
      key_read_at <= key_round & (leave_index(3 downto 0) + 1);
      if host_i.decrypt = '1' then
        key_read_at <= key_round & (enter_index(3 downto 0) + 1);
      end if;
    else
      -- The first round key of the direction.
      key_read_at <= x"0" & v.count;
      if host_i.decrypt = '1' then
        key_read_at <= to_unsigned(LAST_ROUND, 4) & v.count;
      end if;
    end if;

    r_next <= v;
  end process;

  registers : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      r <= r_next;
      if host_i.wipe = '1' then
        r <= EMPTY;
      end if;
    end if;
  end process;

end architecture;
