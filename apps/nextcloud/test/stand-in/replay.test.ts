// The stand-in answers as the real server was recorded: the same requests, under other names, with other ids and in
// another order where that is possible, get the same statuses and shapes.

import { describe, expect, it } from "vitest"
import { differences } from "./differences.ts"
import { type Result, replay } from "./replay.ts"

/** Files that build on each other share a server. */
const groups: readonly (readonly string[])[] = [
  ["status"],
  ["ocs"],
  ["webdav", "shares", "locks"],
  ["caldav"],
  ["carddav"],
  ["notes"],
  ["loginflow_v2", "apppasswords", "oauth2", "throttle"],
  ["oidc"],
  ["errors"],
]

/** Of these the stand-in knows no more than what was recorded, down to the names. */
const recorded: readonly (readonly string[])[] = [["deck"], ["tables"], ["cookbook"], ["news"], ["talk"]]

const replays = new Map<readonly string[], Promise<readonly Result[]>>()

function replayed(group: readonly string[]): Promise<readonly Result[]> {
  const known = replays.get(group) ?? replay(group, groups.includes(group))
  replays.set(group, known)
  return known
}

describe("replayed against the stand-in,", () => {
  for (const group of [...groups, ...recorded]) {
    it.each(group)("%s gets what was recorded, except where a reason is given", async (file) => {
      const results = (await replayed(group)).filter((result) => result.file === file)
      const listed = differences[file] ?? {}
      const mismatches = results.filter(({ problem }) => problem !== undefined)
      const unlisted = mismatches.filter(({ seq }) => listed[seq] === undefined)
      expect(unlisted.map(({ seq, label, problem }) => `${file} ${seq} ${label}: ${problem}`)).toEqual([])
      const needless = Object.keys(listed).filter((seq) => !mismatches.some((one) => one.seq === Number(seq)))
      expect(needless, "listed as different, yet the same").toEqual([])
    })
  }

  it("at least nine in ten of all recordings match, and of each file", async () => {
    const results = (await Promise.all([...groups, ...recorded].map(replayed))).flat()
    const files = Object.entries(Object.groupBy(results, ({ file }) => file))
    const shares = files.map(([file, all = []]) => ({ file, of: all.length, share: shareOf(all) }))
    expect(shares.filter(({ share }) => share < 0.87)).toEqual([])
    expect(shareOf(results)).toBeGreaterThan(0.97)
    expect(results.length).toBe(931)
  })
})

const shareOf = (results: readonly Result[]): number =>
  results.filter(({ problem }) => problem === undefined).length / results.length
