// Whatever happens in whatever order on several nodes: one token request at a time, no refresh token twice, no successful
// use after a disconnection, and the last tokens that were given out are the ones that are kept.

import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { expect } from "vitest"
import { openFields } from "../../src/vault/change.ts"
import type { ProviderRefreshResult } from "../../src/vault/kind.ts"
import { revocationKind } from "../../src/vault/records.ts"
import { hour, setUp } from "./scripted.ts"

const url = "https://api.drive.example/files"
const nodes = 3

type Step =
  | { readonly do: "call" | "disconnect"; readonly node: number }
  /** The provider's next answers: lost before it acted, or slow. */
  | { readonly do: "unknown" | "broken" | "slow" }
  /** The API turns the newest access token down, once. */
  | { readonly do: "refuse" }
  | { readonly do: "pass"; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("call" as const), node: fc.nat(nodes - 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("unknown" as const, "broken" as const, "slow" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refuse" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(0, 600, 7_000, hour) }) },
)

const steps = fc.array(step, { minLength: 1, maxLength: 25 })

async function runSteps(list: readonly Step[]) {
  const setup = setUp()
  const { vault, another, clock, books, connected, calls } = setup
  const { id } = await connected({ lifeMs: 1_000 })
  clock.set(clock.now() + hour)
  const handles = await Promise.all([vault, another(), another()].map((node) => node.use(id)))
  const vaults = [vault, another()]
  const outcomes: Promise<string | number>[] = []
  let allowedCalls: number | undefined
  const answers: Record<"unknown" | "broken" | "slow", () => Promise<ProviderRefreshResult>> = {
    unknown: async () => ({ kind: "unknown", reason: { code: "timeout" } }),
    broken: () => Promise.reject(new Error("reset")),
    async slow() {
      await new Promise<void>((resolve) => void clock.after(3_000, resolve))
      return books.rotate({ name: "first" })
    },
  }
  for (const one of list) {
    switch (one.do) {
      case "call":
        outcomes.push(
          handles[one.node]!.fetch(url).then(
            ({ status }) => status,
            (error: { code: string }) => error.code,
          ),
        )
        break
      case "disconnect":
        await vaults[one.node % 2]!.disconnect(id, { by: alice })
        await clock.advance(0)
        allowedCalls ??= calls.length
        break
      case "refuse":
        books.refused.add(calls.at(-1)?.authorization?.replace("Bearer ", "") ?? "")
        break
      case "pass":
        await clock.advance(one.ms)
        break
      default:
        books.script.push(answers[one.do])
    }
  }
  await clock.advance(60_000)
  return { ...setup, id, handles, outcomes: await Promise.all(outcomes), allowedCalls }
}

verifies(
  "connection.one-refresh",
  "several nodes send one token request at a time, and neither reuse nor lose a refresh token",
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const { id, books, stored, handles, parts, clock, outcomes } = await runSteps(list)
        expect(books.mostAtOnce).toBeLessThanOrEqual(1)
        expect(books.reused).toEqual([])
        const connection = await stored(id)
        expect(connection.lease).toBeUndefined()
        if (connection.status !== "active") {
          expect(connection.reason).toMatchObject({ code: "unauthorized" })
          return
        }
        expect(outcomes.filter((one) => one !== 200 && one !== "provider_unavailable")).toEqual([])
        books.script.length = 0
        books.refused.clear()
        clock.set(clock.now() + hour)
        expect((await handles[0]!.fetch(url)).status).toBe(200)
        const fields = openFields(parts, await stored(id))
        expect(fields?.refresh_token).toBe(books.issued.at(-1))
      }),
      { numRuns: 60 },
    )
  },
)

verifies(
  "connection.given-back-in-order",
  "after a disconnection, no node makes a call, and nothing brings the connection back",
  async () => {
    const withEnd = fc
      .tuple(steps, fc.nat(nodes - 1), steps)
      .map(([first, node, second]): readonly Step[] => [...first, { do: "disconnect", node }, ...second])
    await fc.assert(
      fc.asyncProperty(withEnd, async (list) => {
        const { id, calls, allowedCalls, stored, storage } = await runSteps(list)
        expect(calls.length).toBe(allowedCalls)
        const connection = await stored(id)
        expect(connection.status).toBe("revoked")
        expect(connection.sealed).toBeUndefined()
        expect(await storage.records(revocationKind).list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual(
          [],
        )
      }),
      { numRuns: 60 },
    )
  },
)
