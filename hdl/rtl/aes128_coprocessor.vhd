-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: ECB, CBC, CTR (NIST SP 800-38A) and CCM* (RFC 3610; IEEE 802.15.4, Annex B) around a core
--          of AES-128.
-- Ports:   octets in, octets out, as coprocessor_pkg says. An octet moves in each clock where valid
--          and ready are both '1'. A wipe forgets key and message at any moment, and the next octet
--          in is an instruction.
-- Timing:  ECB and CBC: from the last octet of a block in to the first octet out as the core, 12
--          clocks with `fast`. CTR: an octet goes through in the clock in which it comes, once the
--          keystream is there. CCM*: two blocks of the core for each block of m, one for each block
--          of a, two more a message.
-- Area:    three memories of 16 octets and one of MESSAGE_LEN octets besides the core.
-- Secrets: no clock depends on key or data, but for the end of CCM_OPEN, which says whether the tag
--          was right. The key stays until the next one, WIPE or a wipe; what belongs to a
--          message is wiped at its end. busy is '1' while it is.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.aes128_pkg.all;
use work.coprocessor_pkg.all;

entity aes128_coprocessor is
  generic (
    CORE : string := "fast" -- fast, small, masked
  );
  port (
    clk_i  : in  std_ulogic;
    host_i : in  host_in_t;
    host_o : out host_out_t
  );
end entity;

architecture rtl of aes128_coprocessor is

  type phase_t is (
    CLEAR,       -- wipes the memories
    INSTRUCTION,
    OPERANDS,
    STATUS,
    BLOCK_IN,    -- ECB, CBC
    BLOCK_OUT,
    COUNTER_IN,  -- CTR, CCM*: the counter block into the core
    INCREMENT,
    STREAM,      -- CTR: data against the core's octets
    STREAM_OUT,  -- CCM*: the core's octets are kept
    START_MAC,   -- CCM*: B_0 into the core
    A_IN,
    M_IN,
    MAC_OUT,     -- the core's octets into the chain
    TAG_OUT,
    TAG_IN,
    MESSAGE_OUT
  );

  type state_t is record
    phase     : phase_t;
    code      : octet_t;                                -- of the instruction
    status    : octet_t;
    keyed     : std_ulogic;                             -- there is a key
    decrypt   : std_ulogic;
    endless   : std_ulogic;
    tagged    : std_ulogic;                             -- CCM_OPEN: the tag was compared
    a_first   : std_ulogic;                             -- the length of a is still to go in
    last      : std_ulogic;                             -- CCM*: the counter block is A_0
    carry     : std_ulogic;
    index     : unsigned(4 downto 0);                   -- of the octet of a block, or of the operands
    a_len     : unsigned(15 downto 0);
    a_left    : unsigned(15 downto 0);
    m_len     : unsigned(15 downto 0);
    m_left    : unsigned(15 downto 0);
    tag_len   : unsigned(4 downto 0);
    different : octet_t;                                -- of the tags
    at        : unsigned(MESSAGE_BITS - 1 downto 0);    -- in the message
  end record;

  constant EMPTY : state_t := (
    phase     => CLEAR,
    code      => x"00",
    status    => WM_OK,
    keyed     => '0',
    decrypt   => '0',
    endless   => '0',
    tagged    => '0',
    a_first   => '0',
    last      => '0',
    carry     => '0',
    index     => (others => '0'),
    a_len     => (others => '0'),
    a_left    => (others => '0'),
    m_len     => (others => '0'),
    m_left    => (others => '0'),
    tag_len   => (others => '0'),
    different => (others => '0'),
    at        => (others => '0')
  );

  signal r, r_next : state_t;

  signal core_in  : host_in_t;
  signal core_out : host_out_t;
  signal store       : store_t;
  signal read_next : place_t;
  signal words       : words_t;

  -- Whether the lengths are in range (the stack's ccm.h and cbc.h).
  function lengths_right (s : state_t) return boolean is
  begin
    if is_ccm(s.code) then
      return s.tag_len <= 16 and s.tag_len(0) = '0' and s.tag_len /= 2 and
             (s.tag_len /= 0 or s.a_len = 0) and s.a_len < 65280 and
             (s.code = CCM_SEAL or s.m_len <= MESSAGE_LEN);
    end if;
    return s.code = CTR_CRYPT or s.m_len(3 downto 0) = 0 or s.endless = '1';
  end function;

begin

  the_core : entity work.aes128_core
    generic map (
      CORE => CORE
    )
    port map (clk_i, core_in, core_out);

  memory : entity work.coprocessor_memory
    port map (
      clk_i   => clk_i,
      store_i => store,
      read_i  => read_next,
      words_o => words
    );

  host_o.busy <= '1' when r.phase = CLEAR or core_out.busy = '1' else '0';

  transition : process (all) is
    variable v       : state_t;
    variable moved   : std_ulogic; -- an octet of this phase moves
    variable ends    : boolean;    -- it is the last one of its block
    variable octet   : octet_t;
    variable index   : natural range 0 to 31;

    procedure finish is
    begin
      v.phase := CLEAR;
      v.at    := (others => '0');
    end procedure;

    -- What follows in CCM* once the chain is up to date: a, m, the tag.
    procedure go_on is
    begin
      v.index := (others => '0');
      if v.a_left /= 0 then
        v.phase := A_IN;
      elsif v.m_left /= 0 then
        v.phase := COUNTER_IN;
      elsif v.tag_len /= 0 then
        v.phase := COUNTER_IN;
        v.last  := '1';
      elsif v.code = CCM_OPEN then
        v.phase  := STATUS;
        v.status := WM_NOT_AUTHENTICATED;
        v.tagged := '1';
      else
        finish;
      end if;
    end procedure;

  begin
    v     := r;
    index := to_integer(r.index);
    moved := '0';
    ends  := r.index = 15;
    octet := host_i.octet;

    host_o.ready  <= '0';
    host_o.valid <= '0';
    host_o.octet <= x"00";
    core_in.wipe   <= host_i.wipe;
    core_in.key <= '0';
    core_in.random <= host_i.random;
    core_in.decrypt <= r.decrypt;
    core_in.valid  <= '0';
    core_in.octet  <= host_i.octet;
    core_in.ready <= '0';

    store <= (
      at      => (of_block => r.index(3 downto 0), of_message => r.at),
      chain   => (write => '0', octet => core_out.octet),
      counter => (write => '0', octet => host_i.octet),
      kept    => (write => '0', octet => core_out.octet),
      message => (write => '0', octet => x"00")
    );

    case r.phase is

      when CLEAR =>
        store <= (
          at      => (of_block => r.at(3 downto 0), of_message => r.at),
          others  => (write => '1', octet => x"00")
        );
        v.at    := r.at + 1;
        v.index := (others => '0');
        if r.at = MESSAGE_LEN - 1 or (r.at = 15 and not keeps_message(r.code, r.status)) then
          v.phase := INSTRUCTION;
          if r.code = WIPE then
            v.phase := STATUS;
          end if;
        end if;

      when INSTRUCTION =>
        host_o.ready <= '1';
        if host_i.valid = '1' then
          v.code    := host_i.octet;
          v.index   := (others => '0');
          v.phase   := OPERANDS;
          v.status  := WM_OK;
          v.tagged  := '0';
          v.endless := '0';
          v.decrypt := '0';
          if host_i.octet = KEY then
            v.keyed := '0';
          elsif host_i.octet = WIPE then
            core_in.wipe <= '1';
            v.keyed   := '0';
            finish;
          elsif not is_known(host_i.octet) then
            v.status := WM_ERR_PARAM;
            v.phase  := STATUS;
          end if;
        end if;

      when OPERANDS =>
        if r.code = KEY then
          core_in.key   <= '1';
          core_in.valid <= host_i.valid;
          host_o.ready <= core_out.ready;
          moved      := host_i.valid and core_out.ready;
        else
          host_o.ready <= '1';
          moved      := host_i.valid;
        end if;
        if moved = '1' then
          v.index := r.index + 1;
          -- Lengths go through a_len and m_len from the right.
          v.a_len   := r.a_len(7 downto 0) & r.m_len(15 downto 8);
          v.m_len   := r.m_len(7 downto 0) & unsigned(host_i.octet);
          if is_ccm(r.code) then
            -- A_1: 01, the nonce, 0001.
            store.at.of_block      <= r.index(3 downto 0) + 1;
            store.counter.write <= is_so(index < 16);
            if index = 13 then
              store.counter.octet <= x"00";
            elsif index > 13 then
              store.counter.octet <= x"01";
            end if;
            if index = 17 then
              v.tag_len := unsigned(host_i.octet(4 downto 0));
              v.a_len   := r.a_len;
              v.m_len   := r.m_len;
              if unsigned(host_i.octet) > 16 then
                v.tag_len := to_unsigned(31, 5);
              end if;
            end if;
          elsif r.code /= KEY then
            store.chain.write   <= is_so(index < 16);
            store.counter.write <= is_so(index < 16);
            store.chain.octet      <= host_i.octet;
          end if;
          if r.index = operands_of(r.code) - 1 then
            v.phase   := STATUS;
            v.index   := (others => '0');
            v.endless := '0';
            if r.code = KEY then
              v.keyed := '1';
            else
              v.endless := is_so(not is_ccm(r.code) and v.m_len = 65535);
              if r.keyed = '0' then
                v.status := WM_ERR_STATE;
              elsif not lengths_right(v) then
                v.status := WM_ERR_PARAM;
              end if;
            end if;
            v.a_left    := v.a_len;
            v.m_left    := v.m_len;
            v.a_first   := '1';
            v.last      := '0';
            v.different := (others => '0');
            v.at        := (others => '0');
            v.decrypt := is_so(r.code = ECB_DECRYPT or r.code = CBC_DECRYPT);
          end if;
        end if;

      when STATUS =>
        host_o.octet <= r.status;
        -- That of WIPE comes when all is wiped.
        host_o.valid <= is_so(r.code /= WIPE or core_out.busy = '0');
        if host_i.ready = '1' and (r.code /= WIPE or core_out.busy = '0') then
          v.index := (others => '0');
          if r.tagged = '1' then
            v.at := (others => '0');
            if r.status = WM_ERR_SECURITY or r.m_len = 0 then
              finish;
            else
              v.phase := MESSAGE_OUT;
            end if;
          elsif r.status /= WM_OK or r.code = KEY or r.code = WIPE then
            v.phase := INSTRUCTION;
          elsif is_ccm(r.code) then
            if r.tag_len /= 0 then
              v.phase := START_MAC;
            else
              go_on;
            end if;
          elsif r.m_left = 0 then
            finish;
          elsif r.code = CTR_CRYPT then
            v.phase := COUNTER_IN;
          else
            v.phase := BLOCK_IN;
          end if;
        end if;

      when BLOCK_IN =>
        core_in.valid <= host_i.valid;
        host_o.ready <= core_out.ready;
        moved      := host_i.valid and core_out.ready;
        if r.code = CBC_ENCRYPT then
          core_in.octet <= host_i.octet xor words.chain;
        end if;
        store.kept.octet    <= host_i.octet;
        store.kept.write <= moved;
        if moved = '1' and ends then
          v.phase := BLOCK_OUT;
        end if;

      when BLOCK_OUT =>
        host_o.valid <= core_out.valid;
        core_in.ready <= host_i.ready;
        moved       := core_out.valid and host_i.ready;
        host_o.octet <= core_out.octet;
        store.chain.write <= moved;
        if r.code = CBC_DECRYPT then
          host_o.octet <= core_out.octet xor words.chain;
          store.chain.octet    <= words.kept;
        end if;
        if moved = '1' and ends then
          v.phase := BLOCK_IN;
          if r.endless = '0' then
            v.m_left := r.m_left - 16;
            if r.m_left = 16 then
              finish;
            end if;
          end if;
        end if;

      when COUNTER_IN =>
        core_in.valid <= '1';
        moved      := core_out.ready;
        core_in.octet <= words.counter;
        if r.last = '1' and index >= 14 then
          core_in.octet <= x"00";
        end if;
        if moved = '1' and ends then
          v.phase := INCREMENT;
          v.carry := '1';
          if r.last = '1' then
            v.phase := STREAM_OUT;
          end if;
        end if;

      when INCREMENT =>
        -- From the last octet to the first: those at 15 - index.
        moved         := '1';
        store.at.of_block      <= not r.index(3 downto 0);
        store.counter.write <= '1';
        store.counter.octet    <= words.counter;
        if r.carry = '1' then
          store.counter.octet <= std_ulogic_vector(unsigned(words.counter) + 1);
          v.carry := is_so(words.counter = x"ff");
        end if;
        if ends then
          v.phase := STREAM;
          if is_ccm(r.code) then
            v.phase := STREAM_OUT;
          end if;
        end if;

      when STREAM =>
        -- The octets of keystream that are left over at the end go nowhere.
        if r.m_left /= 0 then
          host_o.ready  <= core_out.valid and host_i.ready;
          host_o.valid <= core_out.valid and host_i.valid;
          core_in.ready <= host_i.valid and host_i.ready;
          moved       := core_out.valid and host_i.valid and host_i.ready;
        else
          core_in.ready <= '1';
          moved       := core_out.valid;
        end if;
        host_o.octet <= core_out.octet xor host_i.octet;
        if moved = '1' then
          if r.m_left /= 0 and r.endless = '0' then
            v.m_left := r.m_left - 1;
          end if;
          if ends then
            v.phase := COUNTER_IN;
            if v.m_left = 0 then
              finish;
            end if;
          end if;
        end if;

      when STREAM_OUT =>
        core_in.ready <= '1';
        moved       := core_out.valid;
        store.kept.write  <= moved;
        if moved = '1' and ends then
          if r.last = '0' then
            v.phase := M_IN;
          elsif r.code = CCM_SEAL then
            v.phase := TAG_OUT;
          else
            v.phase := TAG_IN;
          end if;
        end if;

      when START_MAC =>
        core_in.valid <= '1';
        moved      := core_out.ready;
        core_in.octet <= words.counter;
        if index = 0 then
          -- 64 if there is a, 8 (tag_len - 2) / 2, and L - 1
          core_in.octet              <= x"01";
          core_in.octet(6)           <= or r.a_len;
          core_in.octet(5 downto 3)  <= std_ulogic_vector(r.tag_len(3 downto 1) - 1);
        elsif index = 14 then
          core_in.octet <= std_ulogic_vector(r.m_len(15 downto 8));
        elsif index = 15 then
          core_in.octet <= std_ulogic_vector(r.m_len(7 downto 0));
        end if;
        if moved = '1' and ends then
          v.phase := MAC_OUT;
        end if;

      when A_IN =>
        octet := x"00";
        if r.a_first = '1' and index = 0 then
          octet := std_ulogic_vector(r.a_len(15 downto 8));
        elsif r.a_first = '1' and index = 1 then
          octet := std_ulogic_vector(r.a_len(7 downto 0));
        elsif r.a_left /= 0 then
          octet := host_i.octet;
        end if;
        core_in.octet <= octet xor words.chain;
        if (r.a_first = '1' and index < 2) or r.a_left = 0 then
          core_in.valid <= '1';
          moved      := core_out.ready;
        else
          core_in.valid <= host_i.valid;
          host_o.ready <= core_out.ready;
          moved      := host_i.valid and core_out.ready;
          if moved = '1' then
            v.a_left := r.a_left - 1;
          end if;
        end if;
        if moved = '1' and ends then
          v.a_first := '0';
          v.phase   := MAC_OUT;
        end if;

      when M_IN =>
        if r.m_left = 0 then
          core_in.valid <= '1';
          core_in.octet <= words.chain;
          moved      := core_out.ready;
        else
          octet       := host_i.octet xor words.kept;
          host_o.octet <= octet;
          store.message.octet  <= octet;
          if r.code = CCM_SEAL then
            core_in.octet  <= host_i.octet xor words.chain;
            core_in.valid  <= host_i.valid and host_i.ready;
            host_o.ready  <= core_out.ready and host_i.ready;
            host_o.valid <= core_out.ready and host_i.valid;
            moved       := core_out.ready and host_i.valid and host_i.ready;
          else
            core_in.octet    <= octet xor words.chain;
            core_in.valid    <= host_i.valid;
            host_o.ready    <= core_out.ready;
            moved         := host_i.valid and core_out.ready;
            store.message.write <= moved;
          end if;
          if moved = '1' then
            v.m_left := r.m_left - 1;
            v.at     := r.at + 1;
          end if;
        end if;
        if moved = '1' and ends then
          v.phase := MAC_OUT;
        end if;

      when MAC_OUT =>
        core_in.ready <= '1';
        moved       := core_out.valid;
        store.chain.write <= moved;
        if moved = '1' and ends then
          go_on;
        end if;

      when TAG_OUT =>
        host_o.valid <= '1';
        moved       := host_i.ready;
        host_o.octet <= words.chain xor words.kept;
        if moved = '1' and r.index = r.tag_len - 1 then
          finish;
        end if;

      when TAG_IN =>
        host_o.ready <= '1';
        moved      := host_i.valid;
        if moved = '1' then
          v.different := r.different or (host_i.octet xor words.chain xor words.kept);
          if r.index = r.tag_len - 1 then
            v.phase  := STATUS;
            v.tagged := '1';
            v.status := WM_ERR_SECURITY;
            if v.different = x"00" then
              v.status := WM_OK;
            end if;
          end if;
        end if;

      when MESSAGE_OUT =>
        -- What has gone out is wiped.
        host_o.valid         <= '1';
        host_o.octet         <= words.message;
        store.message.write <= host_i.ready;
        if host_i.ready = '1' then
          v.at    := r.at + 1;
          v.m_len := r.m_len - 1;
          if r.m_len = 1 then
            finish;
          end if;
        end if;

    end case;

    -- The phases of a block count its octets.
    if moved = '1' and r.phase /= OPERANDS then
      v.index := r.index + 1;
      if ends then
        v.index := (others => '0');
      end if;
    end if;

    -- Addresses to read at: what the next clock wants.
    read_next <= (of_block => v.index(3 downto 0), of_message => v.at);
    if v.phase = INCREMENT then
      read_next.of_block <= not v.index(3 downto 0);
    end if;

    if host_i.wipe = '1' then
      v := EMPTY;
    end if;
    r_next <= v;
  end process;

  r <= r_next when rising_edge(clk_i);

end architecture;
