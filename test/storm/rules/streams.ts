// Streams: numbered without gap or repetition over all connections of a reader, with an end, and equal to the log.

import type { Finding, Rule, StreamFact } from "../facts.ts"

export const streams: Rule = ({ streams: all }) => all.flatMap((stream) => [...numbers(stream), ...content(stream)])

function numbers({ id, where, events }: StreamFact): readonly Finding[] {
  const wrong = events.find(({ number }, at) => number !== (events[at - 1]?.number ?? 0) + 1)
  if (wrong === undefined) return []
  if (wrong.number < 0) return [{ rule: "stream without its end", ids: [id], words: `${where}: ${wrong.data}` }]
  const before = events[events.indexOf(wrong) - 1]?.number ?? 0
  const rule = wrong.number <= before ? "event twice" : "event lost"
  return [{ rule, ids: [id], words: `${where}: ${wrong.number} comes after ${before}` }]
}

function content({ id, where, events, log, hasEnd }: StreamFact): readonly Finding[] {
  if (log === undefined || !hasEnd) return []
  const at = log.findIndex(({ data }, index) => data !== events[index]?.data)
  if (at < 0 && log.length === events.length) return []
  const position = at < 0 ? log.length : at
  return [
    {
      rule: "stream differs from the log",
      ids: [id],
      words: `${where}: event ${position + 1} is ${events[position]?.data.slice(0, 120)}; the log has ${log[position]?.data.slice(0, 120)}`,
    },
  ]
}
