// Builds Mail's filter for a list of messages. Mail silently ignores what it does not understand and returns the whole
// list, so values are never passed on unchecked.

import { nextcloudError } from "../../api/error.ts"

export interface MessageFilter {
  readonly unread_only?: boolean | undefined
  readonly starred_only?: boolean | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly subject?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** The filter; undefined when no condition is given. */
export function toFilter(wanted: MessageFilter, doing: string): string | undefined {
  const texts = (["from", "to", "subject"] as const).flatMap((name) => {
    const value = wanted[name]?.trim() ?? ""
    // Spaces separate the conditions and a colon ends a condition's name, so both are encoded in values.
    return value === "" ? [] : [`${name}:${encodeURIComponent(value)}`]
  })
  const tokens = [
    ...(wanted.unread_only === true ? ["is:unread"] : []),
    ...(wanted.starred_only === true ? ["is:starred"] : []),
    ...texts,
    ...(wanted.since === undefined ? [] : [`start:${toSeconds("since", wanted.since, doing)}`]),
    ...(wanted.until === undefined ? [] : [`end:${toSeconds("until", wanted.until, doing)}`]),
  ]
  return tokens.length === 0 ? undefined : tokens.join(" ")
}

function toSeconds(name: string, time: string, doing: string): number {
  const ms = Date.parse(time)
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000)
  throw nextcloudError("invalid", { doing, because: `${name} is not a time like 2026-12-01T18:00:00Z` })
}
