//! The connection to gdb.

use gdbstub::conn::Connection;
use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What has come from gdb.
pub(super) enum Heard {
    /// An octet.
    Octet(u8),
    /// Nothing in the time given.
    Nothing,
    /// gdb is gone.
    End,
}

/// A stream, with what came together and what is to be sent together.
pub(super) struct Wire {
    stream: TcpStream,
    incoming: VecDeque<u8>,
    outgoing: Vec<u8>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> Result<Wire, Error> {
        stream.set_nodelay(true)?;
        Ok(Wire {
            stream,
            incoming: VecDeque::new(),
            outgoing: Vec::new(),
        })
    }

    /// The next octet; waits for it as long as `patience`.
    pub(super) fn octet(&mut self, patience: Duration) -> Heard {
        if self.incoming.is_empty() {
            match self.read(patience) {
                Ok(0) => return Heard::End,
                Ok(_) => {}
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Heard::End,
                },
            }
        }
        self.incoming
            .pop_front()
            .map_or(Heard::Nothing, Heard::Octet)
    }

    fn read(&mut self, patience: Duration) -> Result<usize, Error> {
        self.stream.set_nonblocking(patience.is_zero())?;
        if !patience.is_zero() {
            self.stream.set_read_timeout(Some(patience))?;
        }
        let mut octets = [0; 4096];
        let count = self.stream.read(&mut octets)?;
        self.incoming.extend(&octets[..count]);
        Ok(count)
    }
}

impl Connection for Wire {
    type Error = Error;

    fn write(&mut self, byte: u8) -> Result<(), Error> {
        self.outgoing.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.stream.set_nonblocking(false)?;
        Write::write_all(&mut self.stream, &std::mem::take(&mut self.outgoing))
    }
}
