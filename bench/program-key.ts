// The key of the person's programs in local mode, for the servers and the clients of the measurements.

export const programKey = { text: `hpl_${"bench".repeat(9)}`, place: "the benchmark" }

export const programHeader = { authorization: `Bearer ${programKey.text}` }
