//! What the owner of a mote does with it: gives it an identity, talks to it over a serial line.

use super::{Simulation, SimulationError};
use board::device::Ps;
use board::{Fitting, Incoming};

/// Where programs of TinyOS keep the identity of their mote: 1.x the first, 2.x the others.
const IDENTITIES: [&str; 4] = [
    "TOS_LOCAL_ADDRESS",
    "TOS_NODE_ID",
    "ActiveMessageAddressC$addr",
    "ActiveMessageAddressC__addr",
];

impl Simulation {
    /// Gives a mote the identity that programs of TinyOS keep as initialised data, before it runs: at
    /// every symbol of [`IDENTITIES`] that it has, or at `address`, where a programmer writes it.
    pub fn set_node_id(
        &mut self,
        index: usize,
        node_id: u16,
        address: Option<u32>,
    ) -> Result<(), SimulationError> {
        if self.now > Ps::ZERO {
            let text = "a mote gets its identity before time passes";
            return Err(SimulationError::Usage(text.into()));
        }
        let mote = self.mote(index)?;
        let places: Vec<u32> = match address {
            Some(address) => vec![address],
            None => {
                let elf = mote.board()?.elf();
                let symbols = IDENTITIES.iter().filter_map(|name| elf.symbol(name));
                symbols
                    .filter_map(|symbol| elf.load_address(symbol.address))
                    .collect()
            }
        };
        if places.is_empty() {
            return Err(SimulationError::NoSymbol {
                name: mote.name.clone(),
                symbol: format!("{} with a first value", IDENTITIES[..2].join(" or ")),
            });
        }
        places
            .into_iter()
            .try_for_each(|place| self.write(index, place, &node_id.to_le_bytes()))
    }

    /// Puts an AES coprocessor on a serial line of a mote.
    pub fn fit_coprocessor(
        &mut self,
        index: usize,
        fitting: Fitting,
    ) -> Result<(), SimulationError> {
        self.meddled += 1;
        let mote = self.mote(index)?;
        let name = mote.name.clone();
        mote.board()?
            .fit_coprocessor(fitting)
            .map_err(|error| SimulationError::Board { name, error })
    }

    /// From now on the other end of a mote's serial line sends these characters.
    pub fn send_serial(
        &mut self,
        index: usize,
        incoming: &Incoming<'_>,
    ) -> Result<(), SimulationError> {
        self.meddled += 1;
        let now = self.now;
        let mote = self.mote(index)?;
        let name = mote.name.clone();
        mote.board()?
            .hear_serial(now, incoming)
            .map_err(|error| SimulationError::Board { name, error })
    }
}
