// Watching resources: which resources are polled, and when polling ends.

import { expect, it } from "vitest"
import { findResource } from "../src/resources/address.ts"
import { readVersion } from "../src/resources/read.ts"
import { createWatch } from "../src/resources/watch.ts"
import { table } from "../src/tools/table.ts"
import { toolOf } from "./fits.ts"
import { connect } from "./nextcloud.ts"

it("a watch ignores resources that are added after the connection is closed", () => {
  const timers = new Set<() => void>()
  const watch = createWatch({
    ...{ everyMs: 1_000, notify: async () => {}, report: () => {} },
    schedule(_ms, work) {
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

it("an address whose parts do not fit the tool is refused, and nothing is sent", async () => {
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
