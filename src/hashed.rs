//! Tables that are asked tens of thousands of times, mostly for names of 66 octets: std's hash would take a tenth of the
//! time that a container with hundreds of time-stamps takes. Their hash has a seed of its own in each table, as std's has.

pub(crate) use foldhash::fast::RandomState;

pub(crate) type Map<K, V> = std::collections::HashMap<K, V, RandomState>;
pub(crate) type Set<K> = std::collections::HashSet<K, RandomState>;
