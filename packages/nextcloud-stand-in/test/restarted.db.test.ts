// The saved state is complete: restarted with it after every response, the stand-in answers the same.

import { expect, it } from "vitest"
import { replay } from "./replay.ts"

/** Without files that count failed logins or wait for a page: a restart forgets those. */
const groups = [["ocs"], ["webdav", "shares", "locks"], ["caldav"], ["carddav"], ["notes"]]

it.each(groups)("%s gets the same responses with a restart after each", async (...files) => {
  const results = await replay(files, { isRenamed: true, isRestarted: true })
  expect(results.length).toBeGreaterThan(20)
  expect(results).toEqual(await replay(files, { isRenamed: true }))
})
