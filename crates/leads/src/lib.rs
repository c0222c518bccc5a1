//! leads
