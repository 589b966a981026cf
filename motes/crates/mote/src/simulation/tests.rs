//! The scheduling rule, with boards that follow a list instead of a program.

use super::*;
use board::device::air::{AirIn, Assembled, Signal};

use board::{CpuState, Edge, Label, MeterRow, Misuse, Processor, Progress, Register, StateChange};
use std::sync::{Arc, Mutex};

/// What happened, in the order in which it was asked: mote, event, simulated microseconds.
type Log = Arc<Mutex<Vec<(usize, &'static str, u64)>>>;

/// Announces one frame and keeps a log.
#[derive(Clone)]
struct Scripted {
    index: usize,
    /// When it strobes its transmitter; the frame begins one lookahead later.
    strobe: Option<Ps>,
    now: Ps,
    sending: Vec<AirOut>,
    out: Vec<AirOut>,
    heard: Vec<AirIn>,
    asn: u8,
    medium: &'static Medium,
    log: Log,
}

impl Scripted {
    fn new(index: usize, strobe: Option<u64>, log: &Log) -> Box<Scripted> {
        let (sending, out, heard) = (Vec::new(), Vec::new(), Vec::new());
        let strobe = strobe.map(Ps::from_micros);
        Box::new(Scripted {
            index,
            strobe,
            now: Ps::ZERO,
            sending,
            out,
            heard,
            asn: 0x40,
            medium: &OQPSK_2450,
            log: log.clone(),
        })
    }

    fn note(&self, what: &'static str, at: Ps) {
        self.log
            .lock()
            .expect("no panic before")
            .push((self.index, what, at.0 / 1_000_000));
    }

    /// Events of a frame of one octet with its length, in order; each with the time at which it is
    /// announced.
    fn frame(strobe: Ps) -> Vec<AirOut> {
        let at = strobe + OQPSK_2450.lookahead;
        let sfd = at + Ps::from_micros(160);
        let octet = |n: u64, octet| AirOut::Octet {
            at: sfd + Ps::from_micros(32 * n),
            octet,
        };
        let end = AirOut::End {
            at: sfd + Ps::from_micros(64),
        };
        vec![
            AirOut::Sync {
                at: sfd,
                syncword: 0xA70F,
            },
            octet(1, 1),
            octet(2, 0x55),
            end,
        ]
    }
}

fn time(event: &AirOut) -> Ps {
    match *event {
        AirOut::Start { at, .. }
        | AirOut::Sync { at, .. }
        | AirOut::Octet { at, .. }
        | AirOut::End { at } => at,
    }
}

impl Board for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }
    fn label(&self) -> &Label {
        unreachable!("nobody asks for symbols here")
    }
    fn run_until(&mut self, target: Ps) -> Result<(), MoteFault> {
        self.note("run", target);
        if let Some(strobe) = self.strobe.filter(|at| *at <= target) {
            self.strobe = None;
            self.out.push(AirOut::Start {
                at: strobe + OQPSK_2450.lookahead,
                channel: 26,
                power_dbm: 0,
            });
            self.sending = Scripted::frame(strobe);
        }
        let due = self
            .sending
            .iter()
            .take_while(|event| time(event) <= target)
            .count();
        self.out.extend(self.sending.drain(..due));
        let index = self.heard.partition_point(|event| event.at <= target);
        for event in self.heard.drain(..index).collect::<Vec<_>>() {
            assert!(
                event.at > self.now,
                "mote {} hears {event:?} too late, at {:?}",
                self.index,
                self.now
            );
            self.note(
                if matches!(event.signal, Signal::Octet(_)) {
                    "octet"
                } else {
                    "signal"
                },
                event.at,
            );
        }
        self.now = target;
        Ok(())
    }
    fn next_event(&self) -> Option<Ps> {
        let first = self.sending.first().map(time);
        self.strobe
            .or(first)
            .or(self.heard.first().map(|event| event.at))
    }
    fn medium(&self) -> Option<&'static Medium> {
        Some(self.medium)
    }
    fn on_air(&self) -> bool {
        !self.sending.is_empty()
    }
    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        out.append(&mut self.out);
    }
    fn hear(&mut self, event: AirIn) {
        self.heard.push(event);
    }
    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        (address == 0x1100).then(|| vec![self.asn; length])
    }
    fn write(&mut self, _address: u32, octets: &[u8]) -> bool {
        self.asn = octets[0];
        true
    }
    fn take_edges(&mut self) -> Vec<Edge> {
        Vec::new()
    }
    fn take_misuse(&mut self) -> Vec<Misuse> {
        Vec::new()
    }
    fn meter(&self) -> Result<Vec<MeterRow>, BoardError> {
        Ok(Vec::new())
    }
    fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        Ok(Vec::new())
    }
    fn cpu(&self) -> CpuState {
        unreachable!("nobody asks for the CPU here")
    }

    fn progress(&self) -> Progress {
        unreachable!("nobody asks for the CPU here")
    }

    fn watch_pin(&mut self, _port: u8, _bit: u8) {
        unreachable!("nobody asks for pins here")
    }

    fn processor(&self) -> Processor {
        unreachable!("nobody asks for the CPU here")
    }

    fn registers(&self) -> Vec<Register> {
        unreachable!("nobody asks for the CPU here")
    }

    fn set_register(&mut self, _number: usize, _value: u32) -> bool {
        unreachable!("nobody asks for the CPU here")
    }
}

/// Motes that strobe at these microseconds, or never.
fn motes(strobes: &[Option<u64>]) -> (Simulation, Log) {
    let log = Log::default();
    let config = SimulationConfig {
        seed: 1,
        distance_m: 10.0,
        loss: 0.0,
    };
    let mut simulation = Simulation::new(config).expect("a medium");
    for (index, strobe) in strobes.iter().enumerate() {
        let board = Body::Board(Scripted::new(index, *strobe, &log));
        simulation.install("scripted", board);
    }
    (simulation, log)
}

/// The simulation after `micros`, and which mote ran when.
fn runs_of(strobes: &[Option<u64>], microseconds: u64) -> (Simulation, Vec<(usize, u64)>) {
    let (mut simulation, log) = motes(strobes);
    simulation
        .run_until(Ps::from_micros(microseconds))
        .expect("nothing fails");
    (simulation, entries(&log, "run"))
}

fn entries(log: &Log, what: &str) -> Vec<(usize, u64)> {
    let log = log.lock().expect("no panic before");
    log.iter()
        .filter(|entry| entry.1 == what)
        .map(|entry| (entry.0, entry.2))
        .collect()
}

#[test]
fn everybody_hears_every_octet_in_time_whatever_the_order_of_motes() {
    for sender in 0..3 {
        for strobe in (0..400).step_by(13) {
            let mut strobes = [None; 3];
            strobes[sender] = Some(strobe);
            let (mut simulation, log) = motes(&strobes);
            simulation
                .run_until(Ps::from_micros(2_000))
                .expect("nothing fails");
            let octets = entries(&log, "octet");
            assert_eq!(octets.len(), 4, "two octets at each of the two others");
            assert!(octets.iter().all(|(mote, _)| *mote != sender));
            let first = strobe + 128 + 160 + 32;
            assert!(
                octets
                    .iter()
                    .all(|(_, at)| *at == first || *at == first + 32)
            );
        }
    }
}

#[test]
fn time_jumps_while_all_sleep() {
    let (simulation, runs) = runs_of(&[None, Some(1_000_000)], 3_000_000);
    assert!(runs.len() < 30, "{} runs for three seconds", runs.len());
    assert_eq!(
        runs[0],
        (1, 1_000_128),
        "straight to the first thing that happens, and one quantum on"
    );
    assert_eq!(simulation.now(), Ps::from_micros(3_000_000));
}

#[test]
fn a_mote_on_the_air_runs_first() {
    let (_, runs) = runs_of(&[None, Some(10)], 600);
    let order: Vec<usize> = runs.iter().map(|(mote, _)| *mote).collect();
    assert_eq!(order[0], 1, "nobody sends yet");
    assert_eq!(order[1..3], [1, 0]);
}

#[test]
fn a_mote_that_sleeps_is_left_out_until_it_is_looked_at() {
    let (mut simulation, log) = motes(&[Some(10), None]);
    let mut sleeper = Scripted::new(2, None, &log);
    sleeper.medium = &OTHER;
    simulation.install("scripted", Body::Board(sleeper));
    let end = Ps::from_micros(2_000);
    simulation.run_until(end).expect("nothing fails");
    let runs_of = |log: &Log, which| {
        let all = entries(log, "run").into_iter();
        all.filter(|(mote, _)| *mote == which).collect::<Vec<_>>()
    };
    assert_eq!(runs_of(&log, 2), [(2, 2_000)]);
    let end = Ps::from_micros(50_000_000);
    simulation
        .run_while(0, 0x1100, 1, 0x41, end)
        .expect("there is memory");
    assert_eq!(runs_of(&log, 2).last(), Some(&(2, 50_000_000)));
}

/// Another medium, whose radios give less notice.
static OTHER: Medium = Medium {
    name: "another band",
    octet: Ps::from_micros(400),
    lookahead: Ps::from_micros(50),
    loss_at_1_m_db: 30.0,
    link_type: 147,
    assemble: |_, octets| {
        let (sync, _) = *octets.first()?;
        Some(Assembled {
            sync,
            octets: octets.iter().map(|(_, octet)| *octet).collect(),
            complete: true,
        })
    },
};

/// The simulation with one mote in each of these media; all but the last one send.
fn in_media(media: &[&'static Medium]) -> (Simulation, Log) {
    let (mut simulation, log) = motes(&[]);
    for (index, medium) in media.iter().enumerate() {
        let strobe = (index + 1 < media.len()).then_some(10);
        let mut board = Scripted::new(index, strobe, &log);
        board.medium = medium;
        simulation.install("scripted", Body::Board(board));
    }
    (simulation, log)
}

#[test]
fn motes_hear_those_of_their_medium_alone() {
    for (media, octets) in [
        ([&OTHER, &OQPSK_2450], 0),
        ([&OTHER, &OTHER], 2),
        ([&OQPSK_2450, &OQPSK_2450], 2),
    ] {
        let (mut simulation, log) = in_media(&media);
        let end = Ps::from_micros(2_000);
        simulation.run_until(end).expect("nothing fails");
        assert_eq!(entries(&log, "octet").len(), octets, "{media:?}");
    }
}

#[test]
fn the_shortest_notice_of_a_shared_medium_is_the_quantum() {
    for (media, quantum) in [
        (&[&OTHER, &OQPSK_2450][..], 1_000),
        (&[&OQPSK_2450, &OTHER, &OQPSK_2450], 128),
        (&[&OTHER, &OQPSK_2450, &OTHER, &OQPSK_2450], 50),
    ] {
        assert_eq!(in_media(media).0.quantum, Ps::from_micros(quantum));
    }
}

#[test]
fn a_capture_file_holds_the_frames_of_one_link_type() {
    let (mut simulation, _) = in_media(&[&OTHER, &OQPSK_2450, &OTHER]);
    simulation.capture();
    simulation
        .run_until(Ps::from_micros(2_000))
        .expect("nothing fails");
    assert_eq!(simulation.captured().len(), 2);
    assert!(simulation.pcap(None).is_err(), "which of the two?");
    let octets = |link_type| simulation.pcap(Some(link_type)).expect("it is there");
    assert_eq!(octets(147)[24 + 16..], [1, 0x55]);
    assert_eq!(octets(283).last(), Some(&0x55));
    assert_eq!((octets(147)[20], octets(283)[20]), (147, 27));
}

#[test]
fn the_capture_has_the_asn_of_the_announcement() {
    let (mut simulation, _) = motes(&[Some(10), Some(900)]);
    simulation.capture = Some(Capture::default());
    simulation
        .capture
        .as_mut()
        .expect("just set")
        .sources
        .insert(0, 0x1100);
    simulation
        .run_until(Ps::from_micros(200))
        .expect("nothing fails");
    simulation
        .write(0, 0x1100, &[0x41])
        .expect("there is memory");
    simulation
        .run_until(Ps::from_micros(2_000))
        .expect("nothing fails");
    let captured = simulation.captured();
    assert_eq!(captured.len(), 2);
    assert_eq!(
        captured[0].asn,
        Some(0x40_4040_4040),
        "what it was when the frame was announced"
    );
    assert_eq!(
        (captured[0].frame.from, captured[0].frame.octets.as_slice()),
        (0, &[0x55][..])
    );
    assert_eq!((captured[1].frame.from, captured[1].asn), (1, None));
    assert!(simulation.pcap(None).expect("one link type").len() > 24);
    assert!(matches!(
        simulation.pcap(Some(147)),
        Err(SimulationError::Usage(_))
    ));
}

#[test]
fn a_value_in_memory_ends_a_run() {
    let (mut simulation, _) = motes(&[None]);
    let limit = Ps::from_micros(5_000);
    assert!(
        simulation
            .run_while(0, 0x1100, 1, 0x40, limit)
            .expect("there is memory")
    );
    assert_eq!(simulation.now(), Ps::ZERO, "it was there from the start");
    assert!(
        !simulation
            .run_while(0, 0x1100, 2, 0x4041, limit)
            .expect("there is memory")
    );
    assert_eq!(simulation.now(), limit);
    assert!(matches!(
        simulation.run_while(0, 0x2000, 1, 1, limit),
        Err(SimulationError::NoMemory { .. })
    ));
    assert!(matches!(
        simulation.run_while(0, 0x1100, 9, 1, limit),
        Err(SimulationError::Usage(_))
    ));
    assert!(matches!(
        simulation.read(3, 0x1100, 1),
        Err(SimulationError::NoMote { index: 3, count: 1 })
    ));
}

#[test]
fn the_loss_of_one_link_is_set_alone_and_for_motes_that_are_there() {
    let (mut simulation, _) = motes(&[None, None]);
    simulation.set_loss(1, 0, 0.9).expect("two motes");
    let losses = [(0, 1), (1, 0)].map(|(from, to)| simulation.air.link(from, to).loss);
    assert_eq!(losses, [0.0, 0.9]);
    for (from, to) in [(2, 0), (0, 2)] {
        assert!(matches!(
            simulation.set_loss(from, to, 0.5),
            Err(SimulationError::NoMote { index: 2, count: 2 })
        ));
    }
    assert!(simulation.set_loss(0, 1, 1.5).is_err());
}

#[test]
fn the_path_loss_of_one_link_is_set_alone() {
    let (mut simulation, log) = motes(&[Some(10), None, None]);
    simulation.set_path_loss(0, 1, 71.0).expect("two motes");
    simulation.set_path_loss(0, 2, f64::INFINITY).expect("two");
    simulation.set_loss(0, 1, 0.5).expect("two motes");
    let link = simulation.air.link(0, 1);
    assert_eq!((link.path_loss_db, link.loss), (Some(71.0), 0.5));
    assert_eq!(simulation.air.link(1, 0), Link::default());
    simulation
        .run_until(Ps::from_micros(2_000))
        .expect("nothing fails");
    let hearers = entries(&log, "octet");
    assert_eq!(hearers.iter().map(|(mote, _)| *mote).max(), Some(1));
    for (from, to, loss) in [(3, 0, 1.0), (0, 3, 1.0), (0, 1, -1.0), (0, 1, f64::NAN)] {
        assert!(simulation.set_path_loss(from, to, loss).is_err());
    }
}

#[test]
fn a_medium_needs_values_in_range() {
    for (distance_m, loss) in [(-1.0, 0.0), (f64::NAN, 0.0), (10.0, 1.1), (10.0, f64::NAN)] {
        assert!(
            Simulation::new(SimulationConfig {
                seed: 0,
                distance_m,
                loss
            })
            .is_err()
        );
    }
}
