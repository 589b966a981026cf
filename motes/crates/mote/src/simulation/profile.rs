//! Where a program spends its cycles: each instruction is counted, in the function that it belongs
//! to and with those that called it.
//!
//! A call and a return are told by where the program goes and by the stack pointer, so no CPU and no
//! compiler need to be known: a function that begins with the stack deeper than its caller had it
//! was called; one that begins with the stack as its predecessor found it took that one's place (a
//! tail call); whoever finds the stack higher than a function found it has left that function. A
//! Cortex-M calls without touching the stack; there the link register tells a call from a jump.

use super::{Simulation, SimulationError};
use board::device::Ps;
use board::{Board, MoteFault, Processor};
use std::collections::HashMap;

/// What stands for code outside every function.
const UNKNOWN: &str = "[no symbol]";
/// Deeper stacks are cut: their outermost functions are told, and what is inside counts there.
const DEEPEST: usize = 256;
/// Numbers of registers, as gdb has them.
const LR: usize = 14;

/// Cycles of one place in the tree of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Functions, the outermost first.
    pub functions: Vec<String>,
    /// Cycles of the innermost one there, without those of the functions that it calls.
    pub cycles: u64,
}

/// An instruction and how often it was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Its address.
    pub address: u32,
    /// How often it began.
    pub times: u64,
    /// Cycles in it.
    pub cycles: u64,
}

/// A function that has not returned.
#[derive(Clone, Copy)]
struct Frame {
    /// Where it is in the tree.
    node: usize,
    function: usize,
    /// The stack pointer at its first instruction.
    sp: u32,
    /// Where it returns to, as far as a link register said so.
    back: Option<u32>,
}

/// One place in the tree of calls.
#[derive(Clone)]
struct Node {
    function: usize,
    parent: Option<usize>,
    cycles: u64,
}

/// What is known of one mote's program.
#[derive(Clone)]
pub struct Profile {
    stack_pointer: usize,
    links: bool,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    nodes: Vec<Node>,
    children: HashMap<(Option<usize>, usize), usize>,
    frames: Vec<Frame>,
    /// Addresses of the function that the program is in: first, and behind the last.
    range: (u32, u32),
    counts: HashMap<u32, (u64, u64)>,
    calls: HashMap<u32, u64>,
}

impl Profile {
    /// Of a program from where it is now.
    fn new(board: &dyn Board) -> Profile {
        let mut profile = Profile {
            stack_pointer: match board.processor() {
                Processor::Msp430 => 1,
                Processor::Avr => 33,
                Processor::CortexM => 13,
            },
            links: board.processor() == Processor::CortexM,
            names: Vec::new(),
            numbers: HashMap::new(),
            nodes: Vec::new(),
            children: HashMap::new(),
            frames: Vec::new(),
            range: (0, 0),
            counts: HashMap::new(),
            calls: HashMap::new(),
        };
        let (function, _) = profile.look_up(board, board.progress().pc);
        let sp = profile.register(board, profile.stack_pointer);
        profile.enter(function, sp, None);
        profile
    }

    /// Lets a board run as it would, and counts its instructions.
    pub(super) fn run_until(&mut self, board: &mut dyn Board, end: Ps) -> Result<(), MoteFault> {
        while let Some(due) = board.next_event().filter(|due| *due < end) {
            let before = board.progress();
            board.run_until((due + Ps(1)).min(end))?;
            let after = board.progress();
            let cycles = after.cycles.wrapping_sub(before.cycles);
            if cycles == 0 {
                continue;
            }
            let count = self.counts.entry(before.pc).or_default();
            count.0 += 1;
            count.1 += cycles;
            if let Some(frame) = self.frames.last() {
                self.nodes[frame.node].cycles += cycles;
            }
            self.follow(board, before.pc, after.pc);
        }
        board.run_until(end)
    }

    /// The program has come from `before` to `pc`.
    fn follow(&mut self, board: &dyn Board, before: u32, pc: u32) {
        let (first, behind) = self.range;
        let inside = (first..behind).contains(&pc);
        if inside && pc != first && !self.recursive() {
            return;
        }
        let sp = self.register(board, self.stack_pointer);
        let (function, offset) = self.look_up(board, pc);
        // Whose first instruction found the stack lower than it is now has been left.
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.sp < sp) {
            self.frames.pop();
        }
        let returned = |frame: &Frame| frame.sp == sp && frame.back == Some(pc);
        if self.frames.len() > 1 && self.frames.last().is_some_and(returned) {
            self.frames.pop();
        }
        let top = self.frames.last().copied();
        let back = self.called(board, before);
        let begins = offset == 0 && before != pc;
        match top {
            Some(top) if top.function == function && !(begins && sp < top.sp) => {}
            Some(top) if begins => {
                let mut back = back;
                if sp == top.sp && back.is_none() {
                    self.frames.pop();
                    back = top.back;
                }
                self.enter(function, sp, back);
                *self.calls.entry(pc).or_default() += 1;
            }
            // Into the midst of another function: back to it, if it waits; else a jump.
            Some(top) => match self.frames.iter().rposition(|f| f.function == function) {
                Some(place) => self.frames.truncate(place + 1),
                None => {
                    self.frames.pop();
                    self.enter(function, top.sp, top.back);
                }
            },
            None => self.enter(function, sp, None),
        }
    }

    /// The way back that the CPU, which has come from `before`, has left in its link register.
    fn called(&self, board: &dyn Board, before: u32) -> Option<u32> {
        let back = self.register(board, LR) & !1;
        let behind = [2, 4].map(|octets| before.wrapping_add(octets));
        (self.links && behind.contains(&back)).then_some(back)
    }

    /// Is the same function open twice?
    fn recursive(&self) -> bool {
        let top = self.frames.last().map(|frame| frame.function);
        let below = self.frames.iter().rev().skip(1);
        below.map(|frame| Some(frame.function)).any(|f| f == top)
    }

    fn enter(&mut self, function: usize, sp: u32, back: Option<u32>) {
        if self.frames.len() >= DEEPEST {
            return;
        }
        let parent = self.frames.last().map(|frame| frame.node);
        let nodes = &mut self.nodes;
        let node = *self.children.entry((parent, function)).or_insert_with(|| {
            nodes.push(Node {
                function,
                parent,
                cycles: 0,
            });
            nodes.len() - 1
        });
        let frame = Frame {
            node,
            function,
            sp,
            back,
        };
        self.frames.push(frame);
    }

    /// The number of the function at `pc` and how far into it that is; its range is kept.
    fn look_up(&mut self, board: &dyn Board, pc: u32) -> (usize, u32) {
        let (name, offset, size) = match board.elf().function_at(pc) {
            Some((name, offset)) => {
                let size = board.elf().symbol(name).map_or(0, |symbol| symbol.size);
                (name, offset, size)
            }
            None => (UNKNOWN, 1, 0),
        };
        // Without a size, every step is looked up.
        let first = pc.wrapping_sub(offset);
        self.range = (first, first.wrapping_add(size));
        if let Some(number) = self.numbers.get(name) {
            return (*number, offset);
        }
        let number = self.names.len();
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        (number, offset)
    }

    fn register(&self, board: &dyn Board, number: usize) -> u32 {
        board.registers().get(number).map_or(0, |one| one.value)
    }

    /// Cycles by stacks of functions, in the order of their names.
    pub fn stacks(&self) -> Vec<Stack> {
        let mut stacks: Vec<Stack> = (0..self.nodes.len())
            .filter(|node| self.nodes[*node].cycles > 0)
            .map(|node| Stack {
                functions: self.path(node),
                cycles: self.nodes[node].cycles,
            })
            .collect();
        stacks.sort_by(|one, other| one.functions.cmp(&other.functions));
        stacks
    }

    fn path(&self, node: usize) -> Vec<String> {
        let parents = |node: &usize| self.nodes[*node].parent;
        let nodes = std::iter::successors(Some(node), parents);
        let mut path: Vec<String> = nodes
            .map(|node| self.names[self.nodes[node].function].clone())
            .collect();
        path.reverse();
        path
    }

    /// First instructions of functions, and how often they were called, in the order of addresses.
    pub fn calls(&self) -> Vec<(u32, u64)> {
        let mut all: Vec<(u32, u64)> = self.calls.iter().map(|(at, times)| (*at, *times)).collect();
        all.sort_unstable();
        all
    }

    /// The instructions that were executed, in the order of their addresses.
    pub fn executed(&self) -> Vec<Executed> {
        let mut all: Vec<Executed> = self
            .counts
            .iter()
            .map(|(&address, &(times, cycles))| Executed {
                address,
                times,
                cycles,
            })
            .collect();
        all.sort_by_key(|one| one.address);
        all
    }
}

impl Simulation {
    /// From now on every instruction of a mote's program is counted.
    pub fn follow(&mut self, index: usize) -> Result<(), SimulationError> {
        let mote = self.mote(index)?;
        let profile = Profile::new(mote.board()?);
        mote.profile = Some(Box::new(profile));
        Ok(())
    }

    /// What was counted, if it is.
    pub fn profile(&mut self, index: usize) -> Result<Option<&Profile>, SimulationError> {
        Ok(self.mote(index)?.profile.as_deref())
    }
}
