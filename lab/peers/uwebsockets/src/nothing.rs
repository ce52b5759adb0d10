//! Nothing: this crate only pins the sources of its dependency.
