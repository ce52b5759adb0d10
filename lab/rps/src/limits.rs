//! Checks the limit of descriptors before the run, because each connection needs one.

/// For the runtime, the standard streams and name resolution.
const DESCRIPTORS_BESIDE: usize = 64;

pub fn check(connections: usize) -> Result<(), String> {
    let wanted = connections + DESCRIPTORS_BESIDE;
    match descriptors_max() {
        Some(most) if most < wanted => Err(format!(
            "{connections} connections need about {wanted} descriptors, and there are {most}: ulimit -n {wanted}"
        )),
        _ => Ok(()),
    }
}

/// The soft limit (proc_pid_limits(5)). None: unlimited or unknown.
fn descriptors_max() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}
