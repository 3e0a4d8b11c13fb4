// Watching resources: which resources are polled, and when polling ends.

import { expect, it } from "vitest"
import { findResource } from "../src/resources/address.ts"
import { readVersion } from "../src/resources/read.ts"
import { createWatch } from "../src/resources/watch.ts"
import { table } from "../src/tools/table.ts"
import { toolOf } from "./fits.ts"
import { connect } from "./nextcloud.ts"

it("looks at nothing that is added once the connection is closed, as by a call that was under way", () => {
  const timers = new Set<() => void>()
  const watch = createWatch({
    ...{ everyMs: 1_000, notify: async () => {}, report: () => {} },
    after(_ms, work) {
      timers.add(work)
      return () => void timers.delete(work)
    },
  })
  const watched = { version: "1", readVersion: async () => "1" }
  watch.add({ ...watched, uri: "nc://notes/1" })
  expect(timers.size).toBe(1)
  watch.close()
  watch.add({ ...watched, uri: "nc://notes/2" })
  expect([timers.size, watch.size]).toEqual([0, 0])
})

it("sends nothing for an address whose parts do not fit the tool", async () => {
  const { nextcloud, requests } = connect(async () => new Response("", { status: 404 }))
  const match = findResource("nc://notes/abc")
  if (match === undefined) throw new Error("There is no such resource.")
  const accounts = { open: async () => nextcloud, find: async () => nextcloud }
  const tool = toolOf(table, match.row.tool)
  await expect(readVersion(accounts, { ...match, tool }, { principal: undefined })).rejects.toMatchObject({
    kind: "invalid",
  })
  expect(requests).toEqual([])
})
