// What the stand-in remembers is all there is: ended after every answer and started with that, it answers the same.

import { expect, it } from "vitest"
import { replay } from "./replay.ts"

/** Not those that count failed logins or wait for a page: that is forgotten with a restart. */
const groups = [["ocs"], ["webdav", "shares", "locks"], ["caldav"], ["carddav"], ["notes"]]

it.each(groups)("%s gets the same with a restart after every answer", async (...files) => {
  const results = await replay(files, { isRenamed: true, isRestarted: true })
  expect(results.length).toBeGreaterThan(20)
  expect(results).toEqual(await replay(files, { isRenamed: true }))
})
