//! Shows a progress bar if standard error is a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::options::Options;
use crate::schedule::Schedule;

const REDRAWN_EVERY: Duration = Duration::from_millis(200);
const LOOK: &str = "{bar:40} {percent} %  {msg} requests begun, {elapsed} gone";

pub struct Progress {
    drawer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub fn begin(options: &Options, schedule: &Arc<Schedule>) -> Progress {
        if !stderr().is_terminal() {
            return Progress { drawer: None };
        }
        let (sender, receiver) = channel();
        let (duration, schedule) = (options.duration, Arc::clone(schedule));
        let drawer = thread::spawn(move || {
            let bar = ProgressBar::new(1000);
            bar.set_style(ProgressStyle::with_template(LOOK).expect("a constant"));
            while receiver.recv_timeout(REDRAWN_EVERY) == Err(RecvTimeoutError::Timeout) {
                bar.set_position((part_done(&schedule, duration) * 1000.0) as u64);
                bar.set_message(schedule.drawn().to_string());
            }
            bar.finish_and_clear();
        });
        Progress { drawer: Some((sender, drawer)) }
    }

    pub fn end(self) {
        if let Some((sender, drawer)) = self.drawer {
            drop(sender);
            drawer.join().expect("a thread of ours");
        }
    }
}

/// By time or by number, whichever is farther: the first of them ends the run.
fn part_done(schedule: &Schedule, duration: Option<Duration>) -> f64 {
    let of_number = schedule.drawn() as f64 / schedule.total() as f64;
    let of_time = duration.map_or(0.0, |time| schedule.start().elapsed().as_secs_f64() / time.as_secs_f64());
    of_number.max(of_time).min(1.0)
}
