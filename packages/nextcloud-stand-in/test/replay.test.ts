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
  const known = replays.get(group) ?? replay(group, { isRenamed: groups.includes(group) })
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

  it("match in status and shape: so many of each file, and at least 97 in a hundred of all", async () => {
    const results = (await Promise.all([...groups, ...recorded].map(replayed))).flat()
    const files = Object.entries(Object.groupBy(results, ({ file }) => file))
    const matches = files.map(([file, all = []]) => [file, `${all.filter(isMatch).length} of ${all.length}`])
    expect(Object.fromEntries(matches)).toEqual({
      status: "10 of 10",
      ocs: "49 of 49",
      webdav: "160 of 160",
      shares: "17 of 17",
      locks: "13 of 13",
      caldav: "61 of 62",
      carddav: "42 of 42",
      notes: "53 of 53",
      loginflow_v2: "23 of 23",
      apppasswords: "32 of 32",
      oauth2: "44 of 50",
      throttle: "46 of 46",
      oidc: "121 of 122",
      errors: "17 of 18",
      deck: "61 of 65",
      tables: "57 of 57",
      cookbook: "26 of 27",
      news: "40 of 41",
      talk: "43 of 44",
    })
    expect(results.filter(isMatch).length / results.length).toBeGreaterThan(0.97)
  })
})

const isMatch = ({ problem }: Result): boolean => problem === undefined
