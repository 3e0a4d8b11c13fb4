// Two nodes over one storage: an artifact for one use is used once, on whichever node.

import type { Storage } from "@holdpoint/hub"
import type { StorageHarness } from "@holdpoint/testing"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect } from "vitest"
import {
  type Authority,
  alice,
  authorize,
  authorizeUrl,
  newVerifier,
  openAuthority,
  openVisitor,
  redeem,
  refresh,
  writer,
} from "./setup.ts"

/** The cases for two nodes over one storage, on any engine. */
export function describeRaces(name: string, engine: Engine): void {
  describe(`two nodes on ${name}`, () => {
    let harness: StorageHarness
    let storages: Storage[]
    let authority: Authority
    const open = async (): Promise<Storage> => {
      const storage = await harness.open()
      storages.push(storage)
      return storage
    }
    beforeEach(async () => {
      harness = await engine()
      storages = []
      authority = await openAuthority({}, await open())
      await authority.addNode({ storage: await open() })
    })
    afterEach(async () => {
      await authority.close()
      await Promise.all(storages.map((storage) => storage.close()))
      await harness.destroy()
      expect(authority.problems).toEqual([])
    })

    verifies(
      "authority.used-once",
      "let one of eight requests redeem a code, and the others end the tokens that it got",
      async () => {
        const granted = await authorize(authority, writer)
        const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(authority, granted)))
        expect(statuses(answers)).toEqual([200, ...Array(7).fill(400)])
        expect(answers.filter(({ error }) => error === "invalid_grant")).toHaveLength(7)
        const [winner] = answers.filter(({ status }) => status === 200)
        const later = await refresh(authority, writer, winner?.tokens.refresh_token ?? "")
        expect(later).toMatchObject({ status: 400, error: "invalid_grant" })
      },
    )

    verifies(
      "authority.used-once",
      "let one of eight requests use a refresh token, and the others end its family",
      async () => {
        const { tokens } = await redeem(authority, await authorize(authority, writer))
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => refresh(authority, writer, tokens.refresh_token)),
        )
        expect(statuses(answers)).toEqual([200, ...Array(7).fill(400)])
        const [winner] = answers.filter(({ status }) => status === 200)
        const later = await refresh(authority, writer, winner?.tokens.refresh_token ?? "")
        expect(later).toMatchObject({ status: 400, error: "invalid_grant" })
      },
    )

    verifies(
      "authority.browser-bound",
      "redirect a browser only once, however often it asks at the same time",
      async () => {
        const visitor = openVisitor()
        const begun = await visitor.get(authorizeUrl(authority, writer, newVerifier()))
        const id = begun.location?.pathname.split("/").at(-1) ?? ""
        const node = authority.nodes[1]
        const asked = await node?.requests.find(id, visitor.header())
        if (asked === undefined) throw new Error("nothing is asked")
        await node?.requests.allow(asked, { principal: alice, signedInAt: Date.now() })
        const resume = `${authority.issuer}/oauth/authorize/${id}`
        const headers = { cookie: visitor.header() }
        const all = await Promise.all(
          Array.from({ length: 6 }, () =>
            fetch(resume, { redirect: "manual", headers }).then(({ status }) => ({ status })),
          ),
        )
        expect(statuses(all)).toEqual([303, ...Array(5).fill(400)])
      },
    )

    verifies("authority.outlives-processes", "can take turns at every step of a flow", async () => {
      const granted = await authorize(authority, writer)
      let { tokens } = await redeem(authority, granted)
      for (let round = 0; round < 5; round++) {
        const next = await refresh(authority, writer, tokens.refresh_token)
        expect(next.status).toBe(200)
        tokens = next.tokens
      }
    })

    verifies("authority.keys", "create one set of keys, even when they start at the same time", async () => {
      const fresh = await harness.open()
      storages.push(fresh)
      const both = await Promise.all([authority.addNode({ storage: fresh }), authority.addNode()])
      const sets = await Promise.all([...authority.nodes, ...both].map((node) => node.keys()))
      expect(new Set(sets.map(({ keys }) => keys.map(({ kid }) => kid).join())).size).toBe(1)
    })
  })
}

const statuses = (answers: readonly { readonly status: number }[]): readonly number[] =>
  answers.map(({ status }) => status).sort((a, b) => a - b)
