//! Tables whose keys are digests, or made of digests, and asked for tens of thousands of times: std's hash would take a tenth
//! of the time that a container with hundreds of time-stamps takes. It is not for keys that whoever makes a document chooses:
//! it withstands collisions made on purpose less well than std's.

pub(crate) use foldhash::fast::RandomState;

pub(crate) type Map<K, V> = std::collections::HashMap<K, V, RandomState>;
pub(crate) type Set<K> = std::collections::HashSet<K, RandomState>;
