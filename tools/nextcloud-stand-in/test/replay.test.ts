// The stand-in responds like the recorded server: the same requests with other names and ids, and in another order
// where possible, get the same statuses and shapes.

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

/** The apps that the stand-in answers from recordings only, with the recorded names. */
const recorded = ["deck", "tables", "cookbook", "news", "talk"]

const files = [...groups.flat(), ...recorded]
const replays = new Map<string, Promise<readonly Result[]>>()

function replayed(group: readonly string[], isRenamed: boolean): Promise<readonly Result[]> {
  const key = `${group} ${isRenamed}`
  const results = replays.get(key) ?? replay(group, { isRenamed })
  replays.set(key, results)
  return results
}

/** The results of one file, modelled and answered from recordings. */
async function resultsOf(file: string): Promise<readonly Result[]> {
  const group = groups.find((one) => one.includes(file)) ?? []
  const results = await Promise.all([replayed(group, true), replayed([file], false)])
  return results.flat().filter((result) => result.file === file)
}

describe("a replay against the stand-in", () => {
  it.each(files)("of %s gets the recorded responses, except for listed differences", async (file) => {
    const results = await resultsOf(file)
    const listed = differences[file] ?? {}
    const mismatches = results.filter(({ problem }) => problem !== undefined)
    const unlisted = mismatches.filter(({ seq }) => listed[seq] === undefined)
    expect(unlisted.map(({ seq, label, problem }) => `${file} ${seq} ${label}: ${problem}`)).toEqual([])
    const needless = Object.keys(listed).filter((seq) => !mismatches.some((one) => one.seq === Number(seq)))
    expect(needless, "listed as different, yet the same").toEqual([])
  })

  it("matches in status and shape: this many of each file, and more than 97 % of all", async () => {
    const results = (await Promise.all(files.map(resultsOf))).flat()
    const byFile = Object.entries(Object.groupBy(results, ({ file }) => file))
    const matches = byFile.map(([file, all = []]) => [file, `${all.filter(isMatch).length} of ${all.length}`])
    expect(Object.fromEntries(matches)).toEqual({
      status: "10 of 10",
      ocs: "49 of 49",
      webdav: "156 of 156",
      shares: "15 of 15",
      locks: "2 of 2",
      caldav: "50 of 51",
      carddav: "37 of 37",
      notes: "45 of 45",
      loginflow_v2: "23 of 23",
      apppasswords: "32 of 32",
      oauth2: "44 of 50",
      throttle: "46 of 46",
      oidc: "89 of 90",
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
