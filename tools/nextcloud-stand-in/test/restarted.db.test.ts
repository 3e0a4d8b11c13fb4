// The saved state is complete: restarted with it after every response to a write, the stand-in answers the same. The long
// run restarts it after reads too.

import { isLong } from "@holdpoint/testkit/long"
import { expect, it } from "vitest"
import { replay } from "./replay.ts"

/** Without files that count failed logins or wait for a page: a restart forgets those. */
const groups = [["ocs"], ["webdav", "shares", "locks"], ["caldav"], ["carddav"], ["notes"]]

/** The methods that change nothing. */
const reads = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"])

it.each(groups)("%s gets the same responses with a restart after each write", async (...files) => {
  const isRestartedAfter = (method: string): boolean => isLong || !reads.has(method)
  const results = await replay(files, { isRenamed: true, isRestartedAfter })
  expect(results.length).toBeGreaterThan(20)
  expect(results).toEqual(await replay(files, { isRenamed: true }))
})
