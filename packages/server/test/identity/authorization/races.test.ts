// Several nodes over one storage, and nothing is lost with a process.

import type { StorageHarness } from "@holdpoint/testing"
import { memory, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect } from "vitest"
import { describeRaces } from "./races.ts"
import {
  type Authority,
  alice,
  answer,
  authorize,
  authorizeUrl,
  newVerifier,
  openAuthority,
  openVisitor,
  redeem,
  refresh,
  writer,
} from "./setup.ts"

describeRaces("memory", memory)
describeRaces("SQLite", sqlite)

describe("after a restart", () => {
  let authority: Authority
  let harness: StorageHarness
  afterEach(async () => {
    await authority.close()
    await harness.destroy()
  })

  verifies(
    "authority.outlives-processes",
    "requests in progress, codes, refresh tokens and keys are still valid",
    async () => {
      harness = await sqlite()
      const first = await harness.open()
      authority = await openAuthority({}, first)
      const [waiting, waited] = [openVisitor(), newVerifier()]
      const begun = await waiting.get(authorizeUrl(authority, writer, waited))
      const granted = await authorize(authority, writer)
      const { tokens } = await redeem(authority, await authorize(authority, writer))
      const before = await authority.nodes[0]?.keys()
      authority.nodes.splice(0)
      await first.close()

      const second = await harness.open()
      const node = await authority.addNode({ storage: second })
      expect(await node.keys()).toEqual(before)
      expect((await redeem(authority, granted)).status).toBe(200)
      expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(200)
      const id = begun.location?.pathname.split("/").at(-1) ?? ""
      const back = await answer(authority, waiting, id, alice)
      const code = back.searchParams.get("code") ?? ""
      const last = await redeem(authority, { code, verifier: waited, client: writer, back })
      expect(last.status).toBe(200)
      await second.close()
    },
  )
})
