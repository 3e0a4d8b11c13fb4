// Every sample call of the tools for files, their history and sharing, and what besides must hold for each of them.

import { expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { fileTools } from "../../src/tools/files/files.ts"
import { historyTools } from "../../src/tools/history/history.ts"
import { sharingTools } from "../../src/tools/sharing/sharing.ts"
import { callTool } from "../fits.ts"
import { filesPeer } from "../peer/files.ts"
import { historyPeer } from "../peer/history.ts"
import { sharingPeer } from "../peer/sharing.ts"
import { filesSamples } from "../samples/files.ts"
import { historySamples } from "../samples/history.ts"
import type { Samples } from "../samples/sample.ts"
import { sharingSamples } from "../samples/sharing.ts"
import { checkEvery } from "./every.ts"
import { openStage } from "./stage.ts"

const tools: readonly Tool[] = [...fileTools, ...historyTools, ...sharingTools]
const samples: Samples = { ...filesSamples, ...historySamples, ...sharingSamples }

checkEvery(tools, samples, { ...filesPeer, ...historyPeer, ...sharingPeer })

const rows = tools.map((tool) => [tool.name, tool, samples[tool.name]] as const)

function world() {
  const { standIn, alice, bob } = openStage()
  return { alice, switches: standIn.switches, sampleWorld: { standIn, alice: alice.nextcloud, bob: bob.nextcloud } }
}

it.each(rows.filter(([, , sample]) => sample?.foreign))("%s reports a missing permission", async (_, tool, sample) => {
  const { alice, sampleWorld } = world()
  const input = typeof sample?.foreign === "function" ? await sample.foreign(sampleWorld) : sample?.foreign
  await expect(callTool(tool, input ?? {}, alice.nextcloud)).rejects.toMatchObject({ kind: "forbidden" })
})

it.each(rows.filter(([, , sample]) => sample?.conflict))("%s fails with the current state", async (_, tool, sample) => {
  const { alice, sampleWorld } = world()
  const attempt = callTool(tool, (await sample?.conflict?.(sampleWorld)) ?? {}, alice.nextcloud)
  await expect(attempt).rejects.toMatchObject({ current: expect.anything() })
})

it.each(rows)("%s reports a sign-in page as a malformed response once connected", async (_, tool, sample) => {
  const { alice, switches, sampleWorld } = world()
  const input = await sample?.arguments(sampleWorld)
  await alice.nextcloud.userId()
  await alice.nextcloud.capabilities()
  const page = "<html><body>Sign in<br></body></html>"
  switches.intercept = () => ({ status: 200, headers: { "content-type": "text/html" }, body: page })
  await expect(callTool(tool, input ?? {}, alice.nextcloud)).rejects.toMatchObject({ kind: "malformed" })
})
