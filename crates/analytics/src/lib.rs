//! analytics
