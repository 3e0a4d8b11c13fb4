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
export function toFilter(filter: MessageFilter, activity: string): string | undefined {
  const texts = (["from", "to", "subject"] as const).flatMap((name) => {
    const value = filter[name]?.trim() ?? ""
    // Spaces separate the conditions and a colon ends a condition's name, so both are encoded in values.
    return value === "" ? [] : [`${name}:${encodeURIComponent(value)}`]
  })
  const tokens = [
    ...(filter.unread_only === true ? ["is:unread"] : []),
    ...(filter.starred_only === true ? ["is:starred"] : []),
    ...texts,
    ...(filter.since === undefined ? [] : [`start:${toSeconds("since", filter.since, activity)}`]),
    ...(filter.until === undefined ? [] : [`end:${toSeconds("until", filter.until, activity)}`]),
  ]
  return tokens.length === 0 ? undefined : tokens.join(" ")
}

function toSeconds(name: string, time: string, activity: string): number {
  const ms = Date.parse(time)
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000)
  throw nextcloudError("invalid", { activity, because: `${name} is not a time like 2026-12-01T18:00:00Z` })
}
