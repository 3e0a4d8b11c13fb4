// The checks for every tool of an app, run with its samples against the stand-in.

import { createStandIn } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { aboutOf, callTool } from "../fits.ts"
import { connect, webPage } from "../nextcloud.ts"
import type { Sample, Samples } from "../samples/sample.ts"

/** `peer` maps the tools of the peer server to the tools here. */
export function checkEvery(
  tools: readonly Tool[],
  samples: Samples,
  peer: Readonly<Record<string, string>> = {},
): void {
  const named = tools.map((tool) => [tool.name, tool] as const)

  describe("every tool", () => {
    it("has a sample", () => {
      expect(Object.keys(samples).sort()).toEqual(tools.map(({ name }) => name).sort())
    })

    it("exists if the table of the peer server names it", () => {
      const ours = new Set(tools.map(({ name }) => name))
      expect(Object.values(peer).filter((words) => !ours.has(words.split(" ")[0] ?? ""))).toEqual([])
    })

    const recorded = named.filter(([name]) => samples[name]?.unrecorded === undefined)
    it.for(recorded)("%s sends the stated number of requests, and its result fits its schema", async ([name, tool]) => {
      const { input, alice } = await setUp(samples[name])
      const loss = tool.confirm === undefined ? undefined : await aboutOf(tool, input, alice.nextcloud)
      expect(alice.requests).toHaveLength(tool.confirm?.requests ?? 0)
      // The time zone is cached, so its request does not count.
      await alice.nextcloud.timeZone()
      alice.forget()
      await callTool(tool, input, alice.nextcloud, loss === undefined ? {} : { loss })
      expect(alice.requests).toHaveLength(tool.requests)
    })

    it.for(named.filter(([name]) => samples[name]?.missing !== undefined))(
      "%s reports a missing object",
      async ([name, tool]) => {
        const { alice } = await setUp(samples[name])
        const call = callTool(tool, samples[name]?.missing ?? {}, alice.nextcloud)
        await expect(call).rejects.toMatchObject({ kind: "not_found" })
      },
    )

    it.for(named.filter(([name]) => samples[name]?.conflict !== undefined))(
      "%s reports a conflict",
      async ([name, tool]) => {
        const { alice, world } = await setUp(samples[name])
        const input = await samples[name]?.conflict?.(world)
        await expect(callTool(tool, input ?? {}, alice.nextcloud)).rejects.toMatchObject({ kind: "conflict" })
      },
    )

    it.for(named)("%s reports a web page as a malformed response", async ([name, tool]) => {
      const { input } = await setUp(samples[name])
      const call = callTool(tool, input, connect(webPage).nextcloud)
      await expect(call).rejects.toMatchObject({ kind: "malformed" })
    })
  })
}

async function setUp(sample: Sample | undefined) {
  const standIn = createStandIn()
  const options = { url: "http://localhost" }
  const alice = connect(standIn.fetch, options)
  const bob = connect(standIn.fetch, { ...options, user: "bob" })
  const world = { standIn, alice: alice.nextcloud, bob: bob.nextcloud }
  const input = (await sample?.arguments(world)) ?? {}
  alice.forget()
  return { input, alice, world }
}
