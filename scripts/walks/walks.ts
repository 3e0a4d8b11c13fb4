// The four walks of `npm run walk`: what one action of each kind passes. Each is written to a file, as JSON.

import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createClient } from "@holdpoint/client"
import { type PrincipalId, systemRuntime } from "@holdpoint/hub"
import { holdable } from "@holdpoint/mcp"
import { createPrograms } from "@holdpoint/server/identity"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { McpServer } from "@modelcontextprotocol/server"
import { expect, it } from "vitest"
import type { DemoModel } from "../../apps/holdpoint/src/demo/model.ts"
import { scriptedDemo } from "../../apps/holdpoint/src/demo/model.ts"
import { assistantModel, requests, travelDeskModel } from "../../apps/holdpoint/src/demo/script.ts"
import { startDemo } from "../../apps/holdpoint/src/demo/start.ts"
import { agree, openServedWorld, personOf } from "../../apps/holdpoint/test/slack/world.ts"
import { signInByForm } from "../../apps/holdpoint/test/stories/people.ts"
import { openShell } from "../../apps/shell/test/open-shell.ts"
import { profile } from "./profile.ts"

const yes = { action: "accept", content: { confirmed: "yes" } } as const

async function walk(name: string, times: number, work: () => Promise<void>): Promise<void> {
  const folder = process.env.HOLDPOINT_WALKS ?? expect.fail("HOLDPOINT_WALKS is not set: run `npm run walk`.")
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(await profile(times, work)))
}

it("a message in the chat whose agent needs an account", async () => {
  const folder = makeScratchFolder("walk-demo")
  const model: DemoModel = { ...scriptedDemo, assistant: assistantModel(), travelDesk: travelDeskModel() }
  const demo = await startDemo({ folder, host: "localhost", port: 0, runtime: systemRuntime, report: () => {}, model })
  const { publicUrl, vault } = demo.server
  const alice = await signInByForm(publicUrl, "alice")
  const by: PrincipalId = { tenant: "local", issuer: `${publicUrl}/idp`, subject: "alice" }
  const cookie = [...alice.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join("; ")
  const client = createClient({ url: publicUrl, headers: { cookie, origin: publicUrl } })
  await walk("1 chat message with an account", 10, async () => {
    for (const { id } of await vault.list({ kind: "person", ...by })) await vault.disconnect(id, { by })
    let reply = ""
    for await (const event of client.chat(crypto.randomUUID()).send(requests.notes)) {
      if (event.type === "text") reply += event.text
      if (event.type !== "elicitation-request" || event.status !== "pending") continue
      const waiting = await alice.submit(await alice.open(event.url ?? ""), { do: "continue" })
      const login = /<a class="button primary" href="([^"]+)"/.exec(waiting.text)?.[1]
      if (login !== undefined) demo.standIn.grant(login, "alice")
    }
    expect(reply).toContain("You have 10 notes")
  })
  await demo.close()
  rmSync(folder, { recursive: true })
})

it("a question of a program that is answered in Slack", async () => {
  const world = await openServedWorld()
  const alice = personOf(world, "alice")
  const { id: first } = await world.server.hub.ask({
    message: "Link your account first.",
    audience: alice,
    requester: { id: "walk" },
    form: { type: "object", properties: { note: { type: "string" } } },
  })
  const sees = () => world.slack.as("U0ALICE").sees()
  const has = (message: { readonly blocks?: unknown }, words: string): boolean =>
    JSON.stringify(message.blocks ?? []).includes(words)
  const button = "Link your account"
  const invitation = await world.slack.until(() => sees().findLast((message) => has(message, button)))
  await world.slack.as("U0ALICE").press({ ...invitation, button })
  const browser = openJarBrowser()
  await agree(browser, await world.visit(await world.linkSeenBy("U0ALICE"), "alice", browser))
  await world.server.hub.cancel(first)

  const programs = createPrograms({ storage: world.storage, runtime: systemRuntime })
  const may = { to: "anyone", modes: ["form", "url"] } as const
  const { key } = await programs.add({ tenant: alice.tenant, name: "deployer", may })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const questions = `${world.server.publicUrl}/api/questions`
  const { issuer, subject } = alice
  let count = 0
  await walk("2 question over HTTP, answered in Slack", 30, async () => {
    const words = `Deploy number ${++count}?`
    const body = JSON.stringify({ message: words, confirm: true, audience: { issuer, subject } })
    const asked = await fetch(questions, { method: "POST", headers, body })
    const { id } = (await asked.json()) as { id: string }
    const waiting = fetch(`${questions}/${id}?wait=30`, { headers })
    const message = await world.slack.until(() => sees().findLast((one) => has(one, words)))
    await world.slack.as("U0ALICE").press({ ...message, button: yesButtonOf(message.blocks) })
    expect(await (await waiting).json()).toMatchObject({ status: "completed" })
    await world.slack.until(() => sees().some((one) => one.ts === message.ts && !has(one, '"button"')))
  })
})

/** The action of the first button, which says yes. */
function yesButtonOf(blocks: unknown): string {
  const all = JSON.parse(JSON.stringify(blocks)) as { elements?: { type: string; action_id: string }[] }[]
  const buttons = all.flatMap(({ elements = [] }) => elements).filter(({ type }) => type === "button")
  return buttons[0]?.action_id ?? expect.fail("The message has no button.")
}

it("an MCP call of 2025-11-25 that asks", async () => {
  const server = () => {
    const made = new McpServer({ name: "notes", version: "1" })
    const act = holdable(async (ask) => text(String(await ask.confirm("sure", "Delete the note?"))))
    made.registerTool("act", {}, act)
    return made
  }
  const world = await createWorld({ server })
  const client = await open("v2 legacy", await world.endpoint(), { answer: () => yes })
  let count = 0
  await walk("3 MCP call of 2025-11-25 that asks", 100, async () => {
    expect(await client.call("act", { nth: ++count })).toMatchObject({ text: "true" })
  })
  await client.close()
  await world.close()
})

it("a script that asks for a yes", async () => {
  const hello = '. "$MCP_SDK/tool-sdk.sh"\nmcp_elicit_confirm "Overwrite report.pdf?"'
  const shell = await openShell({ scripts: { hello } })
  const client = await shell.client("v2 legacy", () => yes)
  let count = 0
  await walk("4 script that asks", 15, async () => {
    expect(await client.call("hello", { nth: ++count })).toMatchObject({ text: expect.stringContaining("accept") })
  })
  await shell.close()
})
