// The filter of a list of messages, in the words of Mail. What Mail does not know it passes over without a word, so that the
// whole list would look like what was found: nothing is handed on as it was given.

import { nextcloudError } from "../../api/error.ts"

export interface Wanted {
  readonly unread_only?: boolean | undefined
  readonly starred_only?: boolean | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly subject?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Undefined for all of them. */
export function toFilter(wanted: Wanted, doing: string): string | undefined {
  const texts = (["from", "to", "subject"] as const).flatMap((name) => {
    const value = wanted[name]?.trim() ?? ""
    // Between words there are spaces, and a colon ends a word's name: neither may stand in what is looked for.
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
